// Every page has no violation that axe reports, in light and dark, and is no
// wider in any language than the narrowest supported window. Languages differ
// only in texts, so axe checks one of them.
import { beyondNarrowest, violations } from "../accessible.ts";
import { expect, test } from "../fixtures.ts";
import { openState, pageStates } from "../pages.ts";
import { languages } from "../texts.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });
test.describe.configure({ timeout: 90_000 }); // axe needs seconds for a long form on a busy machine

for (const language of languages) {
  for (const state of pageStates) {
    test(`${language}: ${state.name}`, async ({ page }) => {
      await openState(page, language, state);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.locator("h1")).toHaveCount(1);
      if (language === "ko") expect.soft(await violations(page)).toEqual([]);
      expect(await beyondNarrowest(page)).toBe(0);
    });
  }
}
