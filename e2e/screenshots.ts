// A screenshot of every page in screenshots/, for review by eye.
import { test } from "./fixtures.ts";
import { bring, places } from "./pages.ts";
import { languages } from "./texts.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

for (const width of [1280, 814]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    for (const language of languages) {
      for (const place of places) {
        test(`${place.name} ${language}`, async ({ page }) => {
          await bring(page, language, place);
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme });
            await page.screenshot({ path: `screenshots/${place.name}-${width}-${colorScheme}-${language}.png` });
          }
        });
      }
    }
  });
}
