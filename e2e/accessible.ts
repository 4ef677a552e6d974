// Checks that every page and every state of a page has to pass.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

// The narrowest window that the console supports.
const NARROWEST = { width: 814, height: 800 };

// violations returns what axe reports, in light and dark. Colors must not be measured
// on their way from one to the other.
export async function violations(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const light = await axe(page).analyze();
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await axe(page).withRules("color-contrast").analyze();
  return [...light.violations, ...dark.violations].map(describeViolation);
}

// smallTargets returns the controls that are too small for a finger or a trembling hand
// (WCAG 2.5.8).
export async function smallTargets(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().options({ runOnly: ["target-size"], rules: { "target-size": { enabled: true } } }).analyze();
  return violations.map(describeViolation);
}

// beyondNarrowest returns by how many pixels a page is wider than the narrowest
// window.
export async function beyondNarrowest(page: Page): Promise<number> {
  await page.setViewportSize(NARROWEST);
  return (await page.evaluate(() => document.documentElement.scrollWidth)) - NARROWEST.width;
}

// Pages without frames need no second page to collect the results.
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
}

type Violation = Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"][number];

function describeViolation({ id, help, nodes }: Violation): string {
  return `${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`;
}
