// The pictures of the README and docs/pictures: six pages in three languages, which must
// look as accepted.
import { join } from "node:path";
import { openState, pageStates } from "./pages.ts";
import { expect, test } from "./pictured.ts";
import { changedPictures } from "./pictures.ts";
import { languages } from "./texts.ts";

const SHOWN = ["policies-targets", "policy-reach", "notice-readers", "month", "desk-open", "installations-pc"];
const FOLDER = join(import.meta.dirname, "..", "docs", "pictures");

test.use({ contextOptions: { reducedMotion: "reduce" } });

for (const state of pageStates.filter(({ name }) => SHOWN.includes(name))) {
  for (const language of languages) {
    test(`${state.name} ${language}`, async ({ page }) => {
      await openState(page, language, state);
      expect(await changedPictures(page, state, language)).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
      await page.screenshot({ path: join(FOLDER, `${state.name}-${language}.png`) });
    });
  }
}
