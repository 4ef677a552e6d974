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
  const light = [...(await run(page, { rules: { "color-contrast": { enabled: false } } })), ...(await lowContrasts(page))];
  await page.emulateMedia({ colorScheme: "dark" });
  return [...light, ...(await lowContrasts(page))].map(describeViolation);
}

// lowContrasts measures a few of the texts that look the same: a table repeats them in every
// row, and all of them take axe longer than its other rules together.
function lowContrasts(page: Page): Promise<Result[]> {
  return page.evaluate(async () => {
    const FEW = 3; // one may be covered
    const measured: Element[] = [];
    const counts = new Map<string, number>();
    visit(document.body, "");
    return (await window.axe.run({ include: measured }, { resultTypes: ["violations"], runOnly: ["color-contrast"] })).violations;

    // visit adds the texts of an element. behind is what its ancestors paint behind it.
    function visit(element: Element, behind: string): void {
      if (!element.checkVisibility()) return;
      const style = getComputedStyle(element);
      behind += [style.backgroundColor, style.backgroundImage, style.opacity, style.filter].join();
      const look = [behind, style.color, style.fontSize, style.fontWeight, style.textShadow].join();
      const count = counts.get(look) ?? 0;
      if (hasText(element) && count < FEW) {
        measured.push(element);
        counts.set(look, count + 1);
      }
      for (const child of element.children) visit(child, behind);
    }

    function hasText(element: Element): boolean {
      return element.matches("input, select, textarea, iframe") || [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim() !== "");
    }
  });
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
