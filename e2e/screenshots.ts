// A screenshot of every page in screenshots/, for review by eye.
import { test } from "./fixtures.ts";
import { openState, pageStates } from "./pages.ts";
import { languages } from "./texts.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

for (const width of [1280, 814]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    for (const language of languages) {
      for (const state of pageStates) {
        test(`${state.name} ${language}`, async ({ page }) => {
          await openState(page, language, state);
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme });
            await page.screenshot({ path: `screenshots/${state.name}-${width}-${colorScheme}-${language}.png` });
          }
        });
      }
    }
  });
}
