// The desk: a team lead clears 24 exceptions by the keyboard alone.
import type { Page } from "@playwright/test";
import { expect, test } from "../own.ts";
import { ADMIN, MANAGER, signIn } from "../people.ts";

test.describe.configure({ mode: "default", timeout: 120_000 });

const DESK = "/logs/workingattitude/day";

test("24 exceptions are cleared by keys, and the last decision is undone", async ({ page }) => {
  await open(page, DESK);
  await page.getByRole("link", { name: "지난 31일까지 보기" }).click();
  await expect(page.getByRole("link", { name: "지난 7일만 보기" })).toBeVisible();
  await ready(page);
  const before = await total(page);
  expect(before).toBeGreaterThan(24);
  await page.keyboard.press("j");
  await expect(rows(page).first().getByRole("link")).toBeFocused();
  let left = before;
  while (left > before - 23) {
    await page.keyboard.press("a");
    await expect.poll(() => total(page)).toBeLessThan(left); // by two if somebody has asked for the time that was set
    await ready(page);
    left = await total(page);
  }

  await page.keyboard.press("r");
  const comment = page.getByRole("dialog").getByLabel("의견");
  await expect(comment).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toContainText("거절하는 이유를 입력해 주세요.");
  await comment.fill("a j z: 본인에게 확인"); // letters do nothing in a field
  await page.keyboard.press("Enter");
  await expect.poll(() => total(page)).toBe(left - 1);
  await ready(page);

  await page.keyboard.press("z");
  await expect.poll(() => total(page)).toBe(left);
});

test("single letters are switched off on the profile, the arrows go on", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto("/profile");
  await page.getByRole("switch", { name: "한 글자 단축키 사용" }).uncheck();
  await page.getByRole("switch", { name: "한 글자 단축키 사용" }).locator("xpath=ancestor::form").getByRole("button").click();
  await expect(page.getByText("한 글자 단축키를 껐습니다.")).toBeVisible();
  await page.goto(DESK);
  await ready(page);
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(rows(page).nth(1).getByRole("link")).toBeFocused(); // j did not move
});

test("the evidence opens and closes, and the picked rows are approved together", async ({ page }) => {
  await open(page, `${DESK}?view=desk&kind=missing_departure`);
  const before = await total(page);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const peek = page.getByRole("complementary");
  await expect(peek.getByRole("heading", { level: 2 })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(peek).toHaveCount(0);
  await ready(page);
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.locator("#bulk output")).toHaveText("2건 선택");
  await page.keyboard.press("a");
  await expect(page.getByRole("dialog")).toContainText("2건을 승인하시겠습니까?");
  await page.keyboard.press("Enter");
  await expect.poll(() => total(page)).toBe(before - 2);
  await expect(page.locator(".toast")).toContainText("2건을 승인했습니다");
});

test("rows stay picked while their evidence is read", async ({ page }) => {
  await open(page, `${DESK}?view=desk&kind=correction`);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(rows(page).first()).toHaveAttribute("data-selected");
  await ready(page);
  for (const n of [1, 2, 3]) {
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await expect(rows(page).nth(n)).toHaveAttribute("data-selected");
    await ready(page);
  }
  await expect(page.locator("#bulk output")).toHaveText("3건 선택");
  for (const key of "kxkx") await page.keyboard.press(key); // without waiting for the evidence
  await expect(rows(page).nth(1)).toHaveAttribute("data-selected");
  await ready(page);
  await expect(page.locator("#bulk output")).toHaveText("1건 선택");
  await expect(rows(page).first().getByRole("checkbox")).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary")).toHaveCount(0);
  await expect(page.locator("#bulk output")).toHaveText("1건 선택");
});

test("a rejection leads to the next row, and saying no back to the same one", async ({ page }) => {
  await open(page, `${DESK}?view=desk&kind=correction`);
  const before = await total(page);
  for (const _ of [1, 2, 3]) await page.keyboard.press("j");
  const [row, next] = [await rows(page).nth(2).getAttribute("id"), await rows(page).nth(3).getAttribute("id")];
  await page.keyboard.press("r");
  await expect(page.getByRole("dialog").getByLabel("의견")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.locator(`#${row} th a`)).toBeFocused();
  await ready(page);
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByLabel("의견").fill("본인에게 확인");
  await page.keyboard.press("Enter");
  await expect.poll(() => total(page)).toBe(before - 1);
  await expect(page.locator(`#${next} th a`)).toBeFocused();
  await ready(page);

  // With the evidence open, that of the next row opens.
  await page.keyboard.press("Enter");
  await expect(page.locator(`#${next}`)).toHaveAttribute("data-selected");
  await ready(page);
  const third = await rows(page).nth(3).getAttribute("id");
  await page.keyboard.press("r");
  await page.getByRole("dialog").getByLabel("의견").fill("본인에게 확인");
  await page.keyboard.press("Enter");
  await expect.poll(() => total(page)).toBe(before - 2);
  await expect(page.locator(`#${third}`)).toHaveAttribute("data-selected");
  await expect(page.locator(`#${third} th a`)).toBeFocused();
});

test("on a phone nothing lies beside the screen, and the focus goes to the evidence above the list and back", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, MANAGER);
  for (const prefix of ["", "/en", "/ja"]) {
    for (const path of [DESK, `${DESK}?view=all`, `${DESK}/corrections`, "/logs/workingattitude/week"]) {
      await page.goto(prefix + path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), prefix + path).toBe(320);
      if (path.endsWith("all")) expect((await page.locator("#list th[scope=row]").first().boundingBox())?.width, prefix).toBeGreaterThan(95);
    }
  }
  await page.goto(DESK);
  await ready(page);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("complementary")).toBeFocused();
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/open=/);
  await expect(rows(page).nth(1)).toHaveAttribute("data-selected");
  await expect(page.getByRole("complementary")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary")).toHaveCount(0);
  await expect(rows(page).nth(1).getByRole("link")).toBeFocused();
});

test("keys that come before the answer to a decision are not lost", async ({ page }) => {
  await open(page, `${DESK}?view=desk&kind=correction`);
  const before = await total(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/reviews", async (route) => (await held, route.continue()));
  await page.keyboard.press("j");
  const sent = page.waitForRequest("**/reviews");
  await page.keyboard.press("a");
  await sent;
  await page.keyboard.press("a"); // twice by mistake
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  release();
  await expect.poll(() => total(page)).toBe(before - 3);
  await ready(page);
  await page.keyboard.press("a");
  await page.keyboard.press("z"); // undoes this one, not the one before
  await expect(page.locator(".toast")).toContainText("되돌렸습니다");
  expect(await total(page)).toBe(before - 3);
});

test("a time that is typed is foreseen once, as one step back", async ({ page }) => {
  await open(page, `${DESK}?view=desk&kind=missing_departure`);
  await page.getByRole("link", { name: "지난 31일까지 보기" }).click();
  await expect(page.getByRole("link", { name: "지난 7일만 보기" })).toBeVisible();
  await rows(page).first().getByRole("link").click();
  const time = page.locator("#desk-time");
  await time.fill("08:00");
  await expect(page).toHaveURL(/time=08%3A00/);
  await ready(page);
  const steps = await page.evaluate(() => history.length);
  const asked = new Set<string | null>();
  page.on("request", (request) => asked.add(new URL(request.url()).searchParams.get("time")));
  await time.focus();
  await page.keyboard.type("0930A", { delay: 50 });
  await expect(page).toHaveURL(/time=09%3A30/);
  expect([...asked].filter((one) => one !== null)).toEqual(["09:30"]);
  expect(await page.evaluate(() => history.length)).toBe(steps + 1);
  await ready(page);
  const next = page.getByRole("checkbox", { name: "다음 날" });
  await next.focus();
  await page.keyboard.press("Space");
  await expect(page).toHaveURL(/time=09%3A30&time_next=1/);
  await ready(page);
  await expect(next).toBeChecked();
  await expect(next).toBeFocused();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("an item is approved by its form", async ({ page }) => {
    await signIn(page, ADMIN);
    await page.goto(`${DESK}?view=desk&kind=missing_departure`);
    const before = await total(page);
    await rows(page).first().getByRole("link").click();
    await page.getByRole("button", { name: "이 기록만 승인" }).click();
    await expect(page.locator(".toast")).toContainText("승인했습니다");
    expect(await total(page)).toBe(before - 1);
  });
});

async function open(page: Page, path: string): Promise<void> {
  await signIn(page, ADMIN);
  await page.goto(path);
  await ready(page);
}

async function ready(page: Page): Promise<void> {
  await expect(page.locator("[data-desk-ready]")).toBeVisible();
}

function rows(page: Page) {
  return page.locator("[data-desk] tr[data-key]");
}

// total is the number in the heading's switch, of all exceptions.
async function total(page: Page): Promise<number> {
  return Number((await page.locator(".segmented [aria-current] small").first().innerText()).replace(/\D/g, ""));
}
