// A reader who chose text of twice the size in the browser reads all of it on every
// page: it is twice as large, nothing is cut off, and no page is wider than the window.
import { browser } from "../browser.ts";
import { clipped } from "../clipped.ts";
import { expect, test } from "../fixtures.ts";
import { openState, pageStates } from "../pages.ts";
import { ADMIN, at, shareSession } from "../people.ts";
import { languages } from "../texts.ts";

// Below 1,280 px, pages.ts opens the departments where they are a popover.
const launch = await browser();
test.use({ launchOptions: { ...launch, args: [...(launch.args ?? []), "--blink-settings=defaultFontSize=32"] }, contextOptions: { reducedMotion: "reduce" }, viewport: { width: 1279, height: 800 } });

for (const state of pageStates) {
  test(`${state.name} with text of twice the size`, async ({ page }) => {
    await openState(page, "ko", state);
    await expect.soft(page.locator("body")).toHaveCSS("font-size", "28px");
    expect.soft(await clipped(page)).toEqual([]);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  });
}

for (const width of [1280, 814]) {
  test(`the header fits into ${width} px with text of twice the size, in every language`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await shareSession(page, ADMIN);
    for (const language of languages) {
      await page.goto(at(language, "/profile"));
      const header = page.locator(".header");
      await expect(header).toBeVisible();
      expect.soft(await header.evaluate((element) => element.scrollWidth), language).toBeLessThanOrEqual(width);
      // An ellipsis may shorten what has a menu, never the name of the product.
      expect.soft(await header.locator(".brand > span").evaluate((name) => name.scrollWidth - name.clientWidth), language).toBeLessThanOrEqual(0);
    }
  });
}
