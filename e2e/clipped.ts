// Checks that a text that is cut off can be read.
import type { Page } from "@playwright/test";

// clipped returns the texts that are cut off without a tooltip, or of which fewer than eight
// characters are visible.
export function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const isClip = (value: string) => value === "hidden" || value === "clip";
    for (const element of document.querySelectorAll<HTMLElement>("body *")) {
      if (!(element instanceof HTMLElement) || element.scrollWidth <= element.clientWidth + 1 || element.clientWidth <= 1) continue;
      const style = getComputedStyle(element);
      if (!isClip(style.overflowX) || style.clipPath !== "none" || style.visibility !== "visible" || element.matches("input, select, textarea")) continue;
      const text = (element.textContent ?? "").replace(/\s+/g, " ").trim();
      if (text === "") continue;
      const seen = visible(element);
      const hasTooltip = element.closest("[title]") !== null || element.querySelector("[title]") !== null;
      if (hasTooltip && seen >= Math.min(8, [...text].length)) continue;
      const at = element.closest("table, nav, header, aside, form, dialog, section")?.className ?? "";
      found.push(`${text.slice(0, 60)} (${seen} visible${hasTooltip ? "" : ", no tooltip"}) ${element.tagName.toLowerCase()}.${element.className} in ${at}`);
    }
    return found;

    // visible counts the characters before the edge of an element, where an ellipsis is drawn.
    function visible(element: HTMLElement): number {
      const edge = element.getBoundingClientRect().right - parseFloat(getComputedStyle(element).paddingRight);
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      let count = 0;
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.textContent ?? "";
        for (let at = 0; at < text.length; at++) {
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const box = range.getBoundingClientRect();
          if (box.width > 0 && box.right <= edge + 0.5 && text[at]!.trim() !== "") count++;
        }
      }
      return count - 1; // the ellipsis may cover one
    }
  });
}
