// Every page has no violation that axe reports, in light and dark, and is no
// wider in any language than the narrowest supported window, and what is cut off
// there or in a usual one can be read. It looks as accepted in both windows, light and
// dark. Languages differ only in texts, so axe checks one of them. The languages of a
// state share a browser context, and with it the cache of scripts and styles.
import { beyondNarrowest, violations } from "../accessible.ts";
import { clipped } from "../clipped.ts";
import { openState, pageStates } from "../pages.ts";
import { expect, test } from "../pictured.ts";
import { changedPictures, forgetChangedState } from "../pictures.ts";
import { languages } from "../texts.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });
test.describe.configure({ timeout: 120_000 }); // axe needs seconds for a long form on a busy machine

for (const state of pageStates) {
  test(state.name, async ({ context }) => {
    forgetChangedState(state.name);
    for (const language of languages) {
      await test.step(language, async () => {
        const page = await context.newPage();
        await openState(page, language, state);
        await expect.soft(page.locator("html")).toHaveAttribute("lang", language);
        await expect.soft(page.locator("h1")).toHaveCount(1);
        if (language === "ko") expect.soft(await violations(page)).toEqual([]);
        expect.soft(await clipped(page)).toEqual([]);
        expect.soft(await changedPictures(page, state, language)).toEqual([]);
        expect.soft(await beyondNarrowest(page)).toBe(0);
        expect.soft(await clipped(page)).toEqual([]);
        expect.soft(await changedPictures(page, state, language)).toEqual([]);
        await page.close();
      });
    }
  });
}
