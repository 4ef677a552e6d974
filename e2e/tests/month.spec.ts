// The days of a person's month are one drawing: each leads to its record by the pointer, and
// without scripts the whole leads to the person's calendar.
import type { Locator, Page } from "@playwright/test";
import { inSeoul } from "../clock.ts";
import { expect, test } from "../fixtures.ts";
import { ADMIN, shareSession } from "../people.ts";

const MONTH = "/logs/workingattitude/month";
const CELL = 20; // width of a day in the drawing

test("a day says what was on it, and opens its record", async ({ page }) => {
  const { days, first: late } = await open(page);
  await expect(async () => {
    await days.hover({ position: await inside(days, late + 1) });
    await days.hover({ position: await inside(days, late) });
    await expect(days).toHaveAttribute("title", `${late}일 지각`, { timeout: 500 });
  }).toPass();
  await expect(days).toHaveAttribute("href", new RegExp(`/day/\\d+-[\\d-]+-${String(late).padStart(2, "0")}$`));
  await days.click({ position: await inside(days, late) });
  await expect(page.locator("dialog#record")).toContainText("지각");
});

test("a day to come leads to the person's calendar", async ({ page }) => {
  const { days, first } = await open(page, inSeoul(0).slice(0, 7), "path[data-none]");
  const calendar = (await days.getAttribute("href"))!;
  await expect(async () => {
    await days.hover({ position: await inside(days, first - 1) });
    await days.hover({ position: await inside(days, first) });
    await expect(days).toHaveAttribute("title", new RegExp(`^${first}일 `), { timeout: 500 });
  }).toPass();
  await expect(days).toHaveAttribute("href", calendar);
  await expect(days).not.toHaveAttribute("data-day");
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the days lead to the person's calendar, where each has a link", async ({ page }) => {
    await open(page);
    await page.locator(".month-table tbody a.heat").first().click();
    await expect(page).toHaveURL(/month\?.*user_id=\d+/);
    await expect(page.locator(".calendar").getByRole("link").first()).toBeVisible();
  });
});

// open shows a month, and returns the first drawing with such a path and its first day.
async function open(page: Page, month = inSeoul(31).slice(0, 7), path = 'path[marker-mid="url(#h-late)"]'): Promise<{ days: Locator; first: number }> {
  await shareSession(page, ADMIN);
  await page.goto(`${MONTH}?month=${month}`);
  const days = page.locator(".month-table tbody a.heat").filter({ has: page.locator(path) }).first();
  const vertex = /H(\d+)H/.exec((await days.locator(path).first().getAttribute("d"))!)!;
  return { days, first: Number(vertex[1]) / CELL + 1 };
}

// inside returns where a day is in the drawing of a month.
async function inside(days: Locator, day: number): Promise<{ x: number; y: number }> {
  const [box, count] = [(await days.boundingBox())!, Number((await days.locator("svg").getAttribute("viewBox"))!.split(" ")[2]) / CELL];
  return { x: ((day - 0.5) / count) * box.width, y: box.height / 2 };
}
