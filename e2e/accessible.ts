// What every page and every state of it is held to.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

// The narrowest window that the console is made for.
const NARROWEST = { width: 814, height: 800 };

// violations are those that axe knows of, in light and dark.
export async function violations(page: Page): Promise<string[]> {
  const light = await axe(page).analyze();
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await axe(page).withRules("color-contrast").analyze();
  return [...light.violations, ...dark.violations].map(told);
}

// beyondNarrowest is by how many pixels a page is wider than the narrowest window.
export async function beyondNarrowest(page: Page): Promise<number> {
  await page.setViewportSize(NARROWEST);
  return (await page.evaluate(() => document.documentElement.scrollWidth)) - NARROWEST.width;
}

// Pages without frames need no second page to gather the results in.
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
}

type Violation = Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"][number];

function told({ id, help, nodes }: Violation): string {
  return `${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`;
}
