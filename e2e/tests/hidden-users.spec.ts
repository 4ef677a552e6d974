// Hiding somebody who is signed in on two devices, is a policy's target and
// reads notices: every place follows, and back.
import type { Page } from "@playwright/test";
import { expect, test } from "../own.ts";
import { ADMIN, EMPLOYEE, signIn } from "../people.ts";

const HIDDEN = "/manage/use/hidden";

test.describe.configure({ mode: "default", timeout: 60_000 });

test("a person who is hidden leaves every place at once, and comes back without their sign-ins", async ({ browser, page, own }) => {
  const devices = await Promise.all([1, 2].map(async () => (await browser.newContext()).newPage()));
  for (const device of devices) {
    await signIn(device, EMPLOYEE, own.url);
    await device.goto(`${own.url}/logs/workingattitude/day`);
  }
  const name = await devices[0]!.locator("[popovertarget=me] bdi").innerText();
  await signIn(page, ADMIN);
  const id = await employeeID(page);
  await expect(await found(page, EMPLOYEE)).toBe(true);

  await page.goto(`${HIDDEN}?new=1&user_ids=${id}&kind=leave&reason=${encodeURIComponent("육아휴직")}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "다음" }).click();
  await expect(dialog.getByText("다시 표시해도 되살아나지 않습니다")).toBeVisible();
  await dialog.getByRole("button", { name: "1명 숨기기" }).click();
  await expect(page.getByText("1명을 숨겼습니다.")).toBeVisible();
  await expect(page.getByRole("row", { name: new RegExp(name) })).toContainText("육아휴직");
  for (const device of devices) {
    await device.goto(`${own.url}/logs/workingattitude/day`);
    await expect(device).toHaveURL(/\/login/);
  }
  await expect(await found(page, EMPLOYEE)).toBe(false);

  await page.getByRole("button", { name: "실행 취소" }).click();
  await expect(page.getByText("1명을 다시 표시했습니다.")).toBeVisible();
  for (const device of devices) {
    await device.goto(`${own.url}/logs/workingattitude/day`);
    await expect(device).toHaveURL(/\/login/);
    await device.context().close();
  }
  await expect(await found(page, EMPLOYEE)).toBe(true);
});

test("nobody selected is refused in the specification's words", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(`${HIDDEN}?new=1`);
  const dialog = page.getByRole("dialog", { name: "사용자 숨기기" });
  const search = dialog.getByRole("searchbox", { name: "이름, 이메일, 사번 검색" });
  await expect(search).toBeFocused();
  await dialog.getByLabel("설명").fill("11월 20일 퇴사");
  await dialog.getByRole("button", { name: "다음" }).click();
  await expect(dialog.getByRole("alert")).toBeFocused();
  await dialog.getByRole("alert").getByRole("link", { name: "대상을 선택해 주세요." }).press("Enter");
  await expect(search).toBeFocused();
  await expect(search).toHaveAccessibleDescription(/대상을 선택해 주세요\.$/);
  await expect(dialog.getByLabel("설명")).toHaveValue("11월 20일 퇴사");
});

test("people are chosen and hidden by keyboard in the dialog, above the list that it returns to", async ({ page }) => {
  await signIn(page, ADMIN);
  const list = `${HIDDEN}?kind=leave`;
  await page.goto(list);
  const rows = page.locator("main tr");
  const before = await rows.allTextContents();
  const opener = page.getByRole("main").getByRole("link", { name: "사용자 숨기기" });
  const dialog = page.getByRole("dialog", { name: "사용자 숨기기" });
  const question = page.locator("dialog#leave");
  await opener.focus();
  await page.keyboard.press("Enter");
  const search = dialog.getByRole("searchbox");
  await expect(search).toBeFocused();
  await expect(rows).toHaveText(before);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await expect(page).toHaveURL(list);

  await page.keyboard.press("Enter");
  await expect(search).toBeFocused();
  await page.keyboard.type("김민");
  await expect(dialog.getByRole("checkbox").nth(1)).toBeVisible();
  for (const key of ["Enter", "ArrowDown", "Space", "ArrowDown", "Space"]) await page.keyboard.press(key);
  const chosen = dialog.getByRole("region", { name: "숨길 사람" }).getByRole("listitem");
  await expect(chosen).toHaveCount(2);
  const names = await chosen.allTextContents();
  await search.press("Escape"); // which empties the search
  await expect(dialog.getByRole("checkbox")).toHaveCount(0);
  await dialog.getByLabel("다시 표시할 날").fill("2020-01-01");
  await dialog.getByRole("button", { name: "다음" }).press("Enter");
  await expect(dialog.getByRole("alert")).toBeFocused();
  await expect(dialog.getByLabel("다시 표시할 날")).toHaveAccessibleDescription(/내일 이후의 날짜를 입력해 주세요\.$/);
  await expect(chosen).toHaveText(names);

  await page.keyboard.press("Escape");
  await expect(question).toBeVisible();
  await question.locator("button:not([data-leave])").click();
  await dialog.getByLabel("다시 표시할 날").fill("");
  await dialog.getByRole("button", { name: "다음" }).press("Enter");
  const asked = page.getByRole("dialog", { name: /외 1명 숨기기$/ });
  await expect(asked.getByText("2명이 사라집니다")).toBeVisible();
  await asked.getByRole("button", { name: "이전" }).press("Enter");
  await expect(chosen).toHaveText(names);
  await dialog.getByRole("button", { name: "다음" }).press("Enter");
  await asked.getByRole("link", { name: "취소" }).press("Enter");
  await expect(question).toBeVisible();
  await question.locator("button:not([data-leave])").click();
  await asked.getByRole("button", { name: "2명 숨기기" }).press("Enter");
  await expect(page.getByText("2명을 숨겼습니다.")).toBeVisible();
  await expect(page).toHaveURL(HIDDEN);
  await page.getByRole("button", { name: "실행 취소" }).click();
  await expect(page.getByText("2명을 다시 표시했습니다.")).toBeVisible();
});

test("the dialog works without scripts", async ({ browser, own }) => {
  const context = await browser.newContext({ baseURL: own.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await signIn(page, ADMIN, own.url);
  await page.goto(`${HIDDEN}?kind=leave`);
  await page.getByRole("main").getByRole("link", { name: "사용자 숨기기" }).click();
  const dialog = page.getByRole("dialog", { name: "사용자 숨기기" });
  await dialog.getByLabel("설명").fill("11월 20일 퇴사");
  await dialog.getByRole("searchbox").fill("김민");
  await dialog.getByRole("button", { name: "찾기" }).click();
  await expect(dialog.getByLabel("설명")).toHaveValue("11월 20일 퇴사");
  await dialog.getByRole("checkbox").first().check();
  await dialog.getByRole("button", { name: "다음" }).click();
  await expect(page.getByRole("dialog").getByText("1명이 사라집니다")).toBeVisible();
  await page.getByRole("dialog").getByRole("link", { name: "취소" }).click();
  await expect(page).toHaveURL(`${HIDDEN}?kind=leave`);
  await context.close();
});

async function users(page: Page, email: string): Promise<{ id: number; email: string }[]> {
  const headers = { Accept: "application/json" };
  const me = await (await page.request.get("/api/v1/profile", { headers })).json();
  const answer = await page.request.get(`/api/v1/companies/${me.company_id}/users/${me.id}/organizations/users?q=${encodeURIComponent(email.split("@")[0]!)}`, { headers });
  const { data } = await answer.json();
  return data.filter((user: { email: string }) => user.email === email);
}

async function employeeID(page: Page): Promise<number> {
  const [user] = await users(page, EMPLOYEE);
  return user!.id;
}

async function found(page: Page, email: string): Promise<boolean> {
  return (await users(page, email)).length > 0;
}
