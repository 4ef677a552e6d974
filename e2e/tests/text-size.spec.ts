// A reader who chose text of twice the size in the browser reads all of it on every
// page: it is twice as large, nothing is cut off, and no page is wider than the window.
import { browser } from "../browser.ts";
import { clipped } from "../clipped.ts";
import { expect, test } from "../fixtures.ts";
import { openState, pageStates } from "../pages.ts";

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
