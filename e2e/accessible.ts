// Checks that every page and every state of a page has to pass.
import type { Page } from "@playwright/test";
import axe, { type Result, type RunOptions } from "axe-core";

// The narrowest window that the console supports.
const NARROWEST = { width: 814, height: 800 };

// violations returns what axe reports, in light and dark. Colors must not be measured
// on their way from one to the other.
export async function violations(page: Page): Promise<string[]> {
  await load(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const light = await run(page, {});
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await run(page, { runOnly: ["color-contrast"] });
  return [...light, ...dark].map(describeViolation);
}

// smallTargets returns the controls that are too small for a finger or a trembling hand
// (WCAG 2.5.8).
export async function smallTargets(page: Page): Promise<string[]> {
  await load(page);
  const found = await run(page, { runOnly: ["target-size"], rules: { "target-size": { enabled: true } } });
  return found.map(describeViolation);
}

// beyondNarrowest returns by how many pixels a page is wider than the narrowest
// window.
export async function beyondNarrowest(page: Page): Promise<number> {
  await page.setViewportSize(NARROWEST);
  return (await page.evaluate(() => document.documentElement.scrollWidth)) - NARROWEST.width;
}

// load loads axe into a page and its frames, once for all its runs.
async function load(page: Page): Promise<void> {
  for (const frame of page.frames()) await frame.evaluate(axe.source);
}

// run returns the violations only: passing on everything else that axe reports takes long.
function run(page: Page, options: RunOptions): Promise<Result[]> {
  return page.evaluate(async (options) => (await window.axe.run(document, options)).violations, { resultTypes: ["violations"], ...options } as RunOptions);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}

function describeViolation({ id, help, nodes }: Result): string {
  return `${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`;
}
