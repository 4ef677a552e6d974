// A form of settings that reacts to input: settings without an effect are
// hidden, changes are marked and counted in the bar at the bottom, rows are
// added and removed, and checkboxes clear optional fields.
//
// Loaded only for pages with such a form. It imports nothing of the main script,
// because shared code would become a separate file that every page requests.
import { markAll, markAround } from "./changes.ts";
import { markCurrent, watchIndex } from "./form-index.ts";

// watchSettings handles the events of such forms, on this page and on later
// ones.
export function watchSettings(): void {
  watchIndex();
  for (const type of ["input", "change"]) document.addEventListener(type, (event) => changed(event.target as Element));
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    target.closest("#changes a")?.closest<HTMLElement>("[popover]")?.hidePopover();
    const button = target.closest<HTMLElement>("[data-add-row], [data-remove-row], [data-clear]");
    if (!button) return;
    if ("addRow" in button.dataset) addRow(button);
    else if ("clear" in button.dataset) clearDetails(button);
    else removeRow(button);
  });
  document.addEventListener("reset", () => setTimeout(applySettings));
}

// applySettings updates the settings of a page to the values of its fields.
export function applySettings(): void {
  showEffective();
  markAll();
  markCurrent();
}

function changed(target: Element): void {
  const setting = target.closest<HTMLElement>("[data-setting]");
  if (setting) {
    syncNone(setting, target);
    countCharacters(target);
    showEffective();
    markCurrent();
  }
  markAround(target);
}

// A setting has an effect if one of its conditions holds.
function showEffective(): void {
  for (const setting of document.querySelectorAll<HTMLElement>("[data-when]")) {
    const conditions = JSON.parse(setting.dataset["when"]!) as Record<string, string[]>;
    const form = setting.closest("form");
    setting.removeAttribute("data-off");
    setting.hidden = !Object.entries(conditions).some(([key, values]) => values.includes(valueOf(form, key)));
  }
}

function valueOf(form: HTMLFormElement | null, name: string): string {
  return form ? String(new FormData(form).get(name) ?? "") : "";
}

// A checkbox "none" clears its fields and restores them; filling a field
// unchecks it.
function syncNone(setting: Element, target: Element): void {
  const box = setting.querySelector<HTMLInputElement>("[data-none]");
  if (!box) return;
  const fields = [...setting.querySelectorAll<HTMLInputElement>("input[name]")];
  if (target !== box) return void (box.checked = fields.every((field) => field.value === ""));
  for (const field of fields) {
    if (box.checked && field.value) field.dataset["kept"] = field.value; // a click fires both input and change
    field.value = box.checked ? "" : (field.dataset["kept"] ?? field.defaultValue);
  }
  if (!box.checked) fields[0]?.focus();
}

function countCharacters(target: Element): void {
  const place = document.querySelector(`[data-count="${CSS.escape(target.id)}"]`);
  if (target.id && place) place.textContent = [...(target as HTMLInputElement).value].length + place.textContent!.replace(/^\d+/, "");
}

function rowsIn(place: Element): HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>("[data-row]")];
}

function shownIn(place: Element): HTMLElement[] {
  return rowsIn(place).filter((row) => !row.hidden);
}

// addRow appends an empty row with the next number.
function addRow(button: HTMLElement): void {
  const list = button.closest<HTMLElement>("[data-rows][data-most]")!;
  const last = rowsIn(list).at(-1);
  if (!last || shownIn(list).length >= Number(list.dataset["most"])) return;
  const row = last.cloneNode(true) as HTMLElement;
  number(row, last.id, `${list.dataset["rows"]}.${Number(last.id.split(".").at(-1)) + 1}`);
  empty(row);
  row.hidden = false;
  last.after(row);
  row.querySelector("input")?.focus();
  after(list);
}

// removeRow empties a row, which removes the item, and hides it unless it is
// the only one. The row stays in the form, so that the form has the change.
function removeRow(button: HTMLElement): void {
  const list = button.closest<HTMLElement>("[data-rows][data-most]")!;
  const row = button.closest<HTMLElement>("[data-row]")!;
  const shown = shownIn(list);
  const at = shown.indexOf(row);
  const next = shown[at + 1] ?? shown[at - 1];
  empty(row);
  row.hidden = next !== undefined;
  (next ?? row).querySelector<HTMLInputElement>("input")?.focus();
  after(list);
}

// clearDetails empties optional fields and closes them again.
function clearDetails(button: HTMLElement): void {
  const details = button.closest("details")!;
  empty(details);
  details.open = false;
  details.querySelector("summary")!.focus();
  changed(details);
}

function number(row: HTMLElement, from: string, to: string): void {
  const said = (id: string) => String(Number(id.split(".").at(-1)) + 1);
  row.id = to;
  for (const part of row.querySelectorAll<HTMLElement>("[id], [name], [aria-label]")) {
    if (part.id) part.id = part.id.replace(from, to);
    if (part.hasAttribute("name")) part.setAttribute("name", part.getAttribute("name")!.replace(from, to));
    const label = part.getAttribute("aria-label");
    if (label) part.setAttribute("aria-label", label.replace(said(from), said(to)));
  }
}

function empty(row: Element): void {
  row.querySelectorAll(".errors").forEach((error) => error.remove());
  for (const field of row.querySelectorAll<HTMLInputElement>("input")) {
    field.value = "";
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
}

function after(list: HTMLElement): void {
  const place = list.querySelector("[data-rows-count]");
  const filled = rowsIn(list).filter((row) => [...row.querySelectorAll("input")].some(({ value }) => value !== ""));
  if (place) place.textContent = String(filled.length);
  changed(list);
}
