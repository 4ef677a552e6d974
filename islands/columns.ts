// For each section, tables store the widths of their columns and which are shown:
// .table[data-columns="SECTION"], <col data-col="KEY">, cells with the same data-col, .grip
// handles for the pointer in the heads, and a [data-column-menu] popover with checkboxes
// data-column="KEY" and buttons data-narrow="KEY", data-widen="KEY" and data-columns-reset.
// The stylesheet hides some columns in narrow windows or everywhere; [data-shown] shows them
// nevertheless.
import { read, write } from "./store.ts";

type Remembered = { widths: Record<string, number>; hidden: string[]; shown: string[] };

const NARROWEST = 48;
const WIDEST = 800;
const STEP = 16;
const AUTO = 120; // minimum width of a column without a width of its own

// columns handles the events of such tables, on this page and on later ones.
export function columns(): void {
  document.addEventListener("pointerdown", (event) => {
    const grip = gripOf(event);
    if (grip) drag(grip, event);
  });
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-column-menu] button");
    if (button) press(button);
  });
  document.addEventListener("dblclick", (event) => {
    const head = gripOf(event)?.closest<HTMLElement>("th");
    if (head) resize(head, null);
  });
  document.addEventListener("change", (event) => {
    const box = event.target as HTMLInputElement;
    if (box.matches("[data-column-menu] [data-column]")) toggle(box);
  });
  document.addEventListener("beforetoggle", (event) => {
    const table = (event.target as Element).matches("[data-column-menu]") && tableOf(event.target as HTMLElement);
    if (table) tick(table);
  }, true);
}

// applyColumns applies the stored widths and visibility to the tables of the
// page.
export function applyColumns(): void {
  document.querySelectorAll<HTMLTableElement>(".table[data-columns]").forEach(apply);
}

function apply(table: HTMLTableElement): void {
  const { widths, hidden, shown } = remembered(table);
  for (const cell of table.querySelectorAll<HTMLElement>("[data-col]")) {
    const key = cell.dataset["col"]!;
    cell.hidden = hidden.includes(key);
    cell.toggleAttribute("data-shown", shown.includes(key));
    if (cell.tagName === "COL") cell.style.width = widths[key] ? `${widths[key]}px` : "";
  }
  table.style.minWidth = ""; // it would affect the measured widths
  if (Object.keys(widths).length > 0 || shown.length > 0) table.style.minWidth = `${leastWidth(table)}px`;
}

// A table wider than its container scrolls there.
function leastWidth(table: HTMLTableElement): number {
  const cols = [...table.querySelectorAll<HTMLElement>("col")].filter((col) => getComputedStyle(col).display !== "none");
  return cols.reduce((sum, col) => sum + (parseFloat(getComputedStyle(col).width) || AUTO), 0);
}

// tick marks the columns that are shown, in the menus, before they open and while they are
// used: the browser computes the styles of the page for it. All are read first, so that it
// does so once.
function tick(table: HTMLTableElement): void {
  const columns = boxes(table).map((box) => ({ box, shown: isShown(table, box.dataset["column"]!) }));
  for (const { box, shown } of columns) box.checked = shown;
}

function isShown(table: HTMLTableElement, key: string): boolean {
  const head = headOf(table, key);
  return head !== null && !head.hidden && getComputedStyle(head).display !== "none";
}

function drag(grip: HTMLElement, down: PointerEvent): void {
  const head = grip.closest<HTMLElement>("th")!;
  if (down.button !== 0) return;
  down.preventDefault();
  const width = widthOf(head);
  const move = (event: PointerEvent) => resize(head, width + event.clientX - down.clientX);
  const up = () => {
    delete grip.dataset["dragging"];
    grip.removeEventListener("pointermove", move);
  };
  grip.dataset["dragging"] = "";
  grip.setPointerCapture(down.pointerId);
  grip.addEventListener("pointermove", move);
  grip.addEventListener("lostpointercapture", up, { once: true });
}

// press does what a button of the menu says.
function press(button: HTMLElement): void {
  const { narrow, widen } = button.dataset;
  const table = tableOf(button.closest<HTMLElement>("[data-column-menu]")!);
  if (!table) return;
  if (button.hasAttribute("data-columns-reset")) return remember(table, { widths: {}, hidden: [], shown: [] });
  const head = headOf(table, narrow ?? widen ?? "");
  if (head) resize(head, widthOf(head) + (widen === undefined ? -STEP : STEP));
}

// resize sets a column's width; null removes it.
function resize(head: HTMLElement, width: number | null): void {
  const table = head.closest<HTMLTableElement>(".table[data-columns]");
  const key = head.dataset["col"];
  if (!table || !key) return;
  const { widths, hidden, shown } = remembered(table);
  if (width === null) delete widths[key];
  else widths[key] = Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
  remember(table, { widths, hidden, shown });
}

function toggle(box: HTMLInputElement): void {
  const table = tableOf(box.closest<HTMLElement>("[data-column-menu]")!);
  const key = box.dataset["column"];
  if (!table || !key) return;
  const { widths, hidden, shown } = remembered(table);
  const without = (keys: string[]) => keys.filter((other) => other !== key);
  if (!box.checked) return remember(table, { widths, hidden: [...without(hidden), key], shown: without(shown) });
  remember(table, { widths, hidden: without(hidden), shown });
  if (!isShown(table, key)) remember(table, { widths, hidden: without(hidden), shown: [...shown, key] });
}

function remember(table: HTMLTableElement, what: Remembered): void {
  write(localStorage, keyOf(table), what);
  apply(table);
  tick(table);
}

function remembered(table: HTMLTableElement): Remembered {
  const { widths = {}, hidden = [], shown = [] } = read<Partial<Remembered>>(localStorage, keyOf(table)) ?? {};
  return { widths, hidden, shown };
}

function keyOf(table: HTMLTableElement): string {
  return `columns.${table.dataset["columns"]}`;
}

function boxes(table: HTMLTableElement): HTMLInputElement[] {
  const menus = [...document.querySelectorAll<HTMLElement>("[data-column-menu]")].filter((menu) => tableOf(menu) === table);
  return menus.flatMap((menu) => [...menu.querySelectorAll<HTMLInputElement>("[data-column]")]);
}

// A menu names its table's section; without a name it belongs to the page's
// first table.
function tableOf(menu: HTMLElement): HTMLTableElement | null {
  const section = menu.dataset["columnMenu"];
  return document.querySelector(section ? `.table[data-columns="${CSS.escape(section)}"]` : ".table[data-columns]");
}

function gripOf(event: Event): HTMLElement | null {
  return (event.target as Element).closest<HTMLElement>(".table[data-columns] .grip");
}

function headOf(table: HTMLTableElement, key: string): HTMLElement | null {
  return table.querySelector<HTMLElement>(`th[data-col="${CSS.escape(key)}"]`);
}

function widthOf(head: HTMLElement): number {
  return Math.round(head.getBoundingClientRect().width);
}
