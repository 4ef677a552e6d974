// The rows of a list, tbody#list, by the keyboard: the arrows, Home and End move from row
// to row, with Shift the arrows pick, Space and X pick, and Enter opens. They do nothing
// in a field, and scroll the page as usual when no row has the focus. In .opens a click
// on any part of a row that does nothing by itself opens it, but for the end of selecting
// text.

const LINK = "th a, a.opener";
const PICK = "[data-pick]";
const CONTROLS = "a, button, input, label, select, textarea, summary, dialog, [popover]";

// watchRows handles the events of such lists, on this page and on later ones.
export function watchRows(): void {
  document.addEventListener("keydown", (event) => {
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    act();
  });
  for (const type of ["click", "auxclick"] as const) document.addEventListener(type, openRow);
}

// actOf returns what a key does. A Korean keyboard reports another letter, but the same
// place of the key.
function actOf(event: KeyboardEvent): (() => void) | undefined {
  const { key, code, shiftKey } = event;
  const target = event.target as Element;
  const row = target.closest<HTMLTableRowElement>("#list > tr");
  if (!row || isElsewhere(event)) return undefined;
  const picks = target.matches(PICK);
  switch (key) {
    case "ArrowDown":
    case "ArrowUp":
      return moveTo(neighbor(row, key === "ArrowDown" ? 1 : -1), picks, shiftKey ? row : undefined);
    case "Home":
    case "End":
      return moveTo(stops().at(key === "Home" ? 0 : -1), picks);
    case "Enter":
      return picks ? () => linkOf(row)?.click() : undefined; // never sends the form of the box
    case " ":
      return target.matches(LINK) && boxOf(row) ? () => boxOf(row)?.click() : undefined;
  }
  return (key.toLowerCase() === "x" || (code === "KeyX" && !/^[a-z]$/i.test(key))) && boxOf(row) ? () => boxOf(row)?.click() : undefined;
}

// isElsewhere returns whether a key is meant for something else than the row.
function isElsewhere({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  const other = (target as Element).closest("input:not([type=checkbox]), select, textarea, [contenteditable], [data-order-handle], [popover], dialog");
  return ctrlKey || metaKey || altKey || defaultPrevented || other !== null;
}

// moveTo returns what moves the focus to a row: to its checkbox if the focus is on one.
// It also picks both rows if one is given that the selection is extended from.
function moveTo(row: HTMLTableRowElement | undefined, picks: boolean, from?: HTMLTableRowElement): (() => void) | undefined {
  if (!row) return undefined;
  return () => {
    for (const one of from ? [from, row] : []) if (boxOf(one)?.checked === false) boxOf(one)!.click();
    ((picks && boxOf(row)) || linkOf(row) || boxOf(row))?.focus({ preventScroll: true });
    row.scrollIntoView?.({ block: "nearest" });
  };
}

// stops are the rows that can have the focus.
function stops(): HTMLTableRowElement[] {
  return [...document.querySelectorAll<HTMLTableRowElement>("#list > tr")].filter((row) => linkOf(row) ?? boxOf(row));
}

function neighbor(row: HTMLTableRowElement, step: number): HTMLTableRowElement | undefined {
  const all = stops();
  return all[all.indexOf(row) + step];
}

function linkOf(row: Element): HTMLAnchorElement | null {
  return row.querySelector<HTMLAnchorElement>(LINK);
}

function boxOf(row: Element): HTMLInputElement | null {
  return row.querySelector<HTMLInputElement>(PICK);
}

// openRow opens the row of a click; in a new tab as a click on its link would.
function openRow(event: MouseEvent): void {
  const target = event.target as Element;
  const row = target.closest(".opens tbody tr");
  const link = row && linkOf(row);
  if (!link || event.defaultPrevented || target.closest(CONTROLS) || document.getSelection()?.toString()) return;
  if (event.button === 1 || event.ctrlKey || event.metaKey) window.open(link.href, "_blank", "noopener");
  else if (event.button === 0 && !event.shiftKey && !event.altKey) link.click();
}
