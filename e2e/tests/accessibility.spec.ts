// Every page: no violation that axe knows of, in light and dark, and in every
// language nothing wider than the narrowest window the console is made for.
// Languages differ in words alone, so axe reads one of them.
import { beyondNarrowest, violations } from "../accessible.ts";
import { expect, test } from "../fixtures.ts";
import { bring, places } from "../pages.ts";
import { languages } from "../texts.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });
test.describe.configure({ timeout: 90_000 }); // axe reads a long form for seconds where the machine is busy

for (const language of languages) {
  for (const place of places) {
    test(`${language}: ${place.name}`, async ({ page }) => {
      await bring(page, language, place);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.locator("h1")).toHaveCount(1);
      if (language === "ko") expect.soft(await violations(page)).toEqual([]);
      expect(await beyondNarrowest(page)).toBe(0);
    });
  }
}
