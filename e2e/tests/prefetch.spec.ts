// Pages that are requested before they are opened, and what a first page costs.
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { ADMIN, EMPLOYEE, shareSession } from "../people.ts";

const LIST = "/policies/communication/management";
const NOTICES = "/manage/notice";
const FILES = "/logs/communication/file";
const CLIENTS = "/manage/use/agent/pc";

test("a link that the pointer rests on opens without another request, in sequence with the keyboard and with a log", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto("/profile");
  await page.locator("html[hx-boost\\:inherited]").waitFor();
  const asked: string[] = [];
  page.on("request", (request) => request.headers()["hx-request-type"] === "full" && asked.push(`${request.headers()["purpose"] ?? "open"} ${new URL(request.url()).pathname}`));

  const policies = page.locator(`header a[href="${LIST}"]`);
  const ahead = page.waitForResponse((response) => response.url().endsWith(LIST));
  await policies.hover();
  expect((await ahead).status()).toBe(200);
  await policies.click();
  await expect(page).toHaveURL(LIST);
  await expect(page.getByRole("rowheader").first()).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  expect(asked).toEqual([`prefetch ${LIST}`]);

  const opened = page.waitForResponse((response) => new URL(response.url()).pathname === FILES && response.status() === 200);
  const refused = page.waitForResponse((response) => new URL(response.url()).pathname === FILES);
  await page.locator(`header a[href="${FILES}"]`).focus();
  expect((await refused).status()).toBe(204);
  await page.keyboard.press("Enter");
  await opened;
  await expect(page).toHaveURL(FILES);
  await expect(page.getByRole("rowheader").first()).toBeVisible();
  expect(asked).toEqual([`prefetch ${LIST}`, `prefetch ${FILES}`, `open ${FILES}`]);
});

test("a page with other styles is shown when they are there", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto("/profile");
  await page.locator("html[hx-boost\\:inherited]").waitFor();
  const styles = page.locator("link[rel=stylesheet]");
  await expect(styles).toHaveCount(1);
  await page.locator(`header a[href="${LIST}"]`).click();
  await expect(page).toHaveURL(LIST);
  await expect(page.getByRole("rowheader").first()).toBeVisible();
  await expect(styles).toHaveCount(2);
  expect(await page.locator(".list-policies").evaluate((table) => getComputedStyle(table).tableLayout)).toBe("fixed");
  await page.goBack();
  await expect(page).toHaveURL("/profile");
  await expect(styles).toHaveCount(2);
});

// KiB of the first page on the wire, without those of islands, until the reader points at a
// control. Scripts and most styles are the same for every page, and in the browser's cache
// from then on.
for (const [path, who, most] of [
  ["/login", "", 23],
  ["/logs/workingattitude/day", EMPLOYEE, 31],
  ["/notice", EMPLOYEE, 30],
  ["/profile", ADMIN, 28],
  [NOTICES, ADMIN, 34],
  [FILES, ADMIN, 36],
  ["/logs/workingattitude/week", ADMIN, 40],
  ["/logs/workingattitude/month", ADMIN, 45],
  [CLIENTS, ADMIN, 45],
  ["/manage/use/agent/mobile", ADMIN, 45],
  ["/manage/link/common", ADMIN, 45],
  ["/manage/use/hidden", ADMIN, 40],
] as const) {
  test(`the first page is small: ${path}`, async ({ page }) => {
    if (who) await shareSession(page, who);
    expect(await weight(page, path)).toBeLessThan(most * 1024);
  });
}

test("pictures further down a list are loaded on the way to them", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto(CLIENTS, { waitUntil: "networkidle" });
  const pictures = page.locator("#list .avatar img");
  const loaded = () => pictures.evaluateAll((all) => all.filter((picture) => (picture as HTMLImageElement).naturalWidth > 0).length);
  const all = await pictures.count();
  expect(await loaded()).toBeLessThan(all);
  for (const picture of await pictures.all()) await picture.scrollIntoViewIfNeeded();
  await expect.poll(loaded).toBe(all);
});

async function weight(page: Page, path: string): Promise<number> {
  await page.goto(path, { waitUntil: "networkidle" });
  return page.evaluate(() => {
    const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")] as PerformanceResourceTiming[];
    return entries.reduce((sum, { transferSize }) => sum + transferSize, 0);
  });
}
