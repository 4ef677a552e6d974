// One attendance record, opened from a list: edited, deleted and restored, with
// and without scripts.
import type { Locator, Page } from "@playwright/test";
import { inSeoul } from "../clock.ts";
import { expect, test } from "../own.ts";
import { ADMIN, signIn } from "../people.ts";

test.describe.configure({ mode: "default", timeout: 60_000 });

// The latest day before the last two weeks, whose records are all closed, with
// a late arrival; weekends and holidays have none.
let late = "";

test("a refused edit keeps its input; then it is saved, and both times are shown", async ({ page }) => {
  const record = await open(page);
  const before = await record.locator(".figures dd").first().innerText();
  await record.getByRole("link", { name: "기록 수정" }).click();
  const arrival = record.getByLabel("출근", { exact: true });
  await expect(arrival).toBeFocused();
  await arrival.fill("08:45");
  await record.getByRole("button", { name: "저장" }).click();
  await expect(record.getByText("사유를 입력해 주세요.")).toBeVisible();
  await expect(arrival).toHaveValue("08:45");
  await expect(record.getByLabel("사유")).toBeFocused();
  await record.getByLabel("사유").fill("열차 지연 증명서 제출");
  const address = page.url();
  await record.getByRole("button", { name: "저장" }).click();
  await expect(page.locator(".toast")).toContainText("기록을 수정했습니다");
  await expect(record).toBeHidden();

  await page.goto(address.replace(/\/edit.*|\?.*/, ""));
  await expect(page.locator(".figures ins")).toHaveText("08:45");
  await expect(page.locator(".figures del")).toHaveText(before);
  await expect(page.locator(".edits")).toContainText("열차 지연 증명서 제출");
});

test("a deleted record disappears from the list, and undoing restores it", async ({ page }) => {
  const record = await open(page);
  const name = (await record.locator("h2").first().innerText()).split(" · ")[0]!;
  const row = page.getByRole("rowheader").filter({ hasText: name });
  await record.getByRole("link", { name: "기록 삭제" }).click();
  await record.getByLabel("사유").fill("중복된 기록");
  await record.getByRole("button", { name: "삭제", exact: true }).click();
  await expect(page.locator(".toast")).toContainText("기록을 삭제했습니다");
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: "실행 취소" }).click();
  await expect(page.locator(".toast")).toContainText("기록을 복원했습니다");
  await expect(row).toHaveCount(1);
});

test("Escape leads back to the list with its filters", async ({ page }) => {
  const record = await open(page);
  await page.keyboard.press("Escape");
  await expect(record).toBeHidden();
  await expect(page).toHaveURL(late);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a record is opened, edited and closed", async ({ page }) => {
    const record = await open(page);
    await record.getByRole("link", { name: "기록 수정" }).click();
    await record.getByLabel("출근", { exact: true }).fill("08:50");
    await record.getByLabel("사유").fill("출입 기록 확인");
    await record.getByRole("button", { name: "저장" }).click();
    await expect(page.locator(".toast")).toContainText("기록을 수정했습니다");
    await expect(page).toHaveURL(late);
  });
});

async function open(page: Page): Promise<Locator> {
  await signIn(page, ADMIN);
  const ordinary = page.getByRole("row").filter({ hasNot: page.locator(".edited"), hasNotText: "야간근로", has: page.getByRole("rowheader") });
  for (let days = 14; days < 30; days++) {
    late = `/logs/workingattitude/day?status=late&date=${inSeoul(days)}`;
    await page.goto(late);
    if ((await ordinary.count()) > 0) break;
  }
  await ordinary.getByRole("rowheader").getByRole("link").first().click();
  const record = page.locator("dialog#record");
  await expect(record).toBeVisible();
  return record;
}
