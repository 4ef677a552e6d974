// For each section, tables store the widths of their columns and which are
// hidden: .table[data-columns="SECTION"], <col data-col="KEY">, cells with the
// same data-col, .grip separators in the heads, and a [data-column-menu]
// popover of checkboxes data-column="KEY".
//
// Loaded only for pages with such a table. It imports nothing, because code
// shared with the main script would become a separate file that every page
// requests.

type Store = typeof import("./store.ts");
type Remembered = { widths: Record<string, number>; hidden: string[] };

const NARROWEST = 48;
const WIDEST = 800;
const STEP = 16;
const AUTO = 120; // minimum width of a column without a width of its own

let store: Store;

// columns handles the events of such tables, on this page and on later ones.
export function columns(given: Store): void {
  store = given;
  document.addEventListener("pointerdown", (event) => {
    const grip = gripOf(event);
    if (grip) drag(grip, event);
  });
  document.addEventListener("keydown", (event) => {
    const grip = gripOf(event);
    const step = grip && stepOf(event);
    if (!grip || !step) return;
    event.preventDefault();
    resize(grip, widthOf(grip) + step);
  });
  document.addEventListener("dblclick", (event) => {
    const grip = gripOf(event);
    if (grip) resize(grip, null);
  });
  document.addEventListener("change", (event) => {
    const box = event.target as HTMLInputElement;
    if (box.matches("[data-column-menu] [data-column]")) toggle(box);
  });
}

// applyColumns applies the stored widths and visibility to the tables of the
// page.
export function applyColumns(): void {
  document.querySelectorAll<HTMLTableElement>(".table[data-columns]").forEach(apply);
}

function apply(table: HTMLTableElement): void {
  const { widths, hidden } = remembered(table);
  for (const cell of table.querySelectorAll<HTMLElement>("[data-col]")) {
    const key = cell.dataset["col"]!;
    cell.hidden = hidden.includes(key);
    if (cell.tagName === "COL") cell.style.width = widths[key] ? `${widths[key]}px` : "";
  }
  table.style.minWidth = ""; // it would affect the measured widths
  if (Object.keys(widths).length > 0) table.style.minWidth = `${leastWidth(table)}px`;
  table.querySelectorAll<HTMLElement>(".grip").forEach(describe);
  for (const box of boxes(table)) box.checked = !hidden.includes(box.dataset["column"]!);
}

// A table wider than its container scrolls there.
function leastWidth(table: HTMLTableElement): number {
  const shown = [...table.querySelectorAll<HTMLElement>("col")].filter((col) => !col.hidden);
  return shown.reduce((sum, col) => sum + (parseFloat(getComputedStyle(col).width) || AUTO), 0);
}

function describe(grip: HTMLElement): void {
  grip.setAttribute("aria-valuemin", String(NARROWEST));
  grip.setAttribute("aria-valuemax", String(WIDEST));
  grip.setAttribute("aria-valuenow", String(widthOf(grip)));
}

function drag(grip: HTMLElement, down: PointerEvent): void {
  if (down.button !== 0) return;
  down.preventDefault();
  const width = widthOf(grip);
  const move = (event: PointerEvent) => resize(grip, width + event.clientX - down.clientX);
  const up = () => {
    delete grip.dataset["dragging"];
    grip.removeEventListener("pointermove", move);
  };
  grip.dataset["dragging"] = "";
  grip.setPointerCapture(down.pointerId);
  grip.addEventListener("pointermove", move);
  grip.addEventListener("lostpointercapture", up, { once: true });
}

// resize sets a column's width; null removes it.
function resize(grip: HTMLElement, width: number | null): void {
  const table = grip.closest<HTMLTableElement>(".table[data-columns]");
  const key = headOf(grip)?.dataset["col"];
  if (!table || !key) return;
  const { widths, hidden } = remembered(table);
  if (width === null) delete widths[key];
  else widths[key] = Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
  remember(table, { widths, hidden });
}

function toggle(box: HTMLInputElement): void {
  const table = tableOf(box.closest<HTMLElement>("[data-column-menu]")!);
  const key = box.dataset["column"];
  if (!table || !key) return;
  const { widths, hidden } = remembered(table);
  const others = hidden.filter((column) => column !== key);
  remember(table, { widths, hidden: box.checked ? others : [...others, key] });
}

function remember(table: HTMLTableElement, what: Remembered): void {
  store.write(localStorage, keyOf(table), what);
  apply(table);
}

function remembered(table: HTMLTableElement): Remembered {
  const { widths = {}, hidden = [] } = store.read<Partial<Remembered>>(localStorage, keyOf(table)) ?? {};
  return { widths, hidden };
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

function headOf(grip: HTMLElement): HTMLElement | null {
  return grip.closest<HTMLElement>("th");
}

function widthOf(grip: HTMLElement): number {
  return Math.round(headOf(grip)?.getBoundingClientRect().width ?? 0);
}

function stepOf({ key, shiftKey }: KeyboardEvent): number {
  const step = shiftKey ? STEP * 4 : STEP;
  return key === "ArrowRight" ? step : key === "ArrowLeft" ? -step : 0;
}
