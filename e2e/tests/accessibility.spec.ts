// Every page: no violation that axe knows of, in light and dark, and in every
// language nothing wider than the narrowest window the console is made for.
// Languages differ in words alone, so axe reads one of them.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { bring, places } from "../pages.ts";
import { languages } from "../texts.ts";

const NARROWEST = { width: 814, height: 800 };

test.use({ contextOptions: { reducedMotion: "reduce" } });
test.describe.configure({ timeout: 90_000 }); // axe reads a long form for seconds where the machine is busy

for (const language of languages) {
  for (const place of places) {
    test(`${language}: ${place.name}`, async ({ page }) => {
      await bring(page, language, place);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.locator("h1")).toHaveCount(1);
      if (language === "ko") {
        const light = await axe(page).analyze();
        await page.emulateMedia({ colorScheme: "dark" });
        const dark = await axe(page).withRules("color-contrast").analyze();
        expect.soft([...light.violations, ...dark.violations].map(told)).toEqual([]);
      }
      await page.setViewportSize(NARROWEST);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROWEST.width);
    });
  }
}

// Pages without frames need no second page to gather the results in.
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
}

type Violation = Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"][number];

function told({ id, help, nodes }: Violation): string {
  return `${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`;
}
