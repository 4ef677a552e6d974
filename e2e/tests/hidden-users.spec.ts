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
  await page.getByRole("button", { name: "다음" }).click();
  await expect(page.getByText("다시 표시해도 되살아나지 않습니다")).toBeVisible();
  await page.getByRole("button", { name: "1명 숨기기" }).click();
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
  await page.getByRole("button", { name: "다음" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText("대상을 선택해 주세요.");
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
