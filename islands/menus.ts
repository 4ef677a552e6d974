// The profile menu, [popovertarget][data-delay="100"], opens and closes 100 ms
// after the click. A menu that the rows of a table share is filled for the row
// whose button, [popovertarget][data-row="ID"][data-state], opens it: ID replaces the
// first number in its addresses, which is a part of the path or a value of the query,
// and [data-states] are shown for the states they list.
//
// A menu that opens takes the focus, and the arrows, Home, End and typed letters move it.
// The browser itself returns it when Escape closes the menu.
import { loadChunk } from "./chunks.ts";

const FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea";

export function menus(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("button[popovertarget][data-delay]");
    if (!button) return;
    event.preventDefault();
    clearTimeout(timer);
    timer = setTimeout(() => toggle(button), Number(button.dataset["delay"]));
  });
  document.addEventListener("click", openRowMenu);
  document.addEventListener("toggle", (event) => {
    const menu = event.target as Element;
    if ((event as ToggleEvent).newState === "open" && menu.matches(".menu")) itemsOf(menu)[0]?.focus();
  }, true);
  document.addEventListener("keydown", (event) => {
    const menu = (event.target as Element).closest(".menu[popover]");
    if (!menu || (event.target as Element).matches(FIELDS)) return;
    const item = itemFor(event.key, itemsOf(menu));
    if (!item) return void (event.key.length === 1 && moveToTyped(event, itemsOf(menu)));
    event.preventDefault();
    item.focus();
  });
}

function itemsOf(menu: Element): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("a[href], button, input")].filter((item) => item.checkVisibility() && !item.matches(":disabled, [type=hidden]"));
}

// itemFor returns the item that takes the focus after a key: after the last one the first.
function itemFor(key: string, items: HTMLElement[]): HTMLElement | undefined {
  const at = items.indexOf(document.activeElement as HTMLElement);
  switch (key) {
    case "ArrowDown":
      return items[at + 1] ?? items[0];
    case "ArrowUp":
      return items.at(Math.max(at, 0) - 1);
    case "Home":
      return items[0];
    case "End":
      return items.at(-1);
  }
  return undefined;
}

// moveToTyped moves the focus to the next item whose text begins with the typed letters.
async function moveToTyped(event: KeyboardEvent, items: HTMLElement[]): Promise<void> {
  const loaded = await loadChunk(() => import("./type-ahead.ts"));
  if (!loaded?.isLetter(event)) return;
  const names = items.map((item) => item.closest("label")?.textContent ?? item.textContent ?? "");
  items[loaded.typeAhead(event.key, names, items.indexOf(document.activeElement as HTMLElement))]?.focus();
}

function toggle(button: HTMLButtonElement): void {
  const menu = menuOf(button);
  if (!menu) return;
  if (menu.matches(":popover-open")) menu.hidePopover();
  else menu.showPopover({ source: button });
}

// The browser itself opens the menu after the click, and closes it after a click
// on the button of the same row. It would also close it after one on another row.
function openRowMenu(event: Event): void {
  const button = (event.target as Element).closest<HTMLButtonElement>("button[popovertarget][data-row]");
  const menu = button && menuOf(button);
  if (!menu) return;
  const isOfOtherRow = menu.dataset["row"] !== button.dataset["row"];
  if (isOfOtherRow && menu.matches(":popover-open")) {
    event.preventDefault();
    menu.hidePopover();
    fill(menu, button);
    menu.showPopover({ source: button });
  } else fill(menu, button);
}

function fill(menu: HTMLElement, button: HTMLButtonElement): void {
  const { row = "", state = "" } = button.dataset;
  menu.dataset["row"] = row;
  for (const element of menu.querySelectorAll("[href], [action]")) {
    const name = element.hasAttribute("action") ? "action" : "href";
    element.setAttribute(name, element.getAttribute(name)!.replace(/(?<=[/=])\d+(?=[/?&]|$)/, row));
  }
  for (const element of menu.querySelectorAll<HTMLElement>("[data-states]")) element.hidden = !element.dataset["states"]!.split(" ").includes(state);
}

function menuOf(button: HTMLButtonElement): HTMLElement | null {
  return document.getElementById(button.getAttribute("popovertarget")!);
}
