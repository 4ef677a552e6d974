// What a form changes: the marks of its fields, and the bar that counts and
// lists them. Fields are settings, details such as the name, and the targets.

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

type Texts = { details: Count; settings: Count; targets: Count; comma: string; changed: string; none: string };
type Count = [one: string, other: string];
type Target = { type: string; id: number | string; include_children: boolean };

const CONTROLS = "input, select, textarea";
const FIELDS = "[data-setting], [data-detail]";

// markAll marks the changed fields of the page and counts them.
export function markAll(): void {
  for (const field of document.querySelectorAll<HTMLElement>(FIELDS)) {
    field.dataset["marked"] ??= String(field.classList.contains("changed"));
    mark(field);
  }
  count();
}

// markAround marks the field around a control, and counts the changes of its
// form.
export function markAround(target: Element): void {
  const field = target.closest<HTMLElement>(FIELDS);
  if (field) mark(field);
  count();
}

// A field that the server marked stays marked, because the page does not have
// its original value.
function mark(field: HTMLElement): void {
  const typed = [...field.querySelectorAll<Control>(CONTROLS)].some(differs);
  field.classList.toggle("changed", field.dataset["marked"] === "true" || typed);
}

function differs(control: Control): boolean {
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue;
  if (control instanceof HTMLSelectElement) return [...control.options].some((option) => option.selected !== option.defaultSelected) && control.selectedIndex !== firstChosen(control);
  if ("none" in control.dataset || control.type === "hidden") return false; // its fields count instead
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
  return control.value !== control.defaultValue;
}

function firstChosen(select: HTMLSelectElement): number {
  return Math.max(0, [...select.options].findIndex((option) => option.defaultSelected));
}

// count shows the changes in the bar. Without any the bar is at the foot of
// the page, not of the window.
function count(): void {
  const bar = document.querySelector<HTMLElement>("[data-changes]");
  if (!bar) return;
  const details = changed("[data-detail]");
  const settings = changed("[data-setting]");
  const [section, targets] = changedTargets();
  const text = sentence([details.length, settings.length, targets], JSON.parse(bar.dataset["texts"]!) as Texts);
  if (bar.textContent !== text) bar.textContent = text;
  list([...details, ...(targets ? [section!] : []), ...settings]);
  bar.closest(".savebar")?.toggleAttribute("data-quiet", details.length + settings.length + targets === 0);
}

function changed(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`${selector}.changed`)];
}

// changedTargets returns the section of the targets and how many of them were
// added, removed or changed. Without its field, whose island is not mounted
// yet, the server's number is valid.
function changedTargets(): [HTMLElement | null, number] {
  const section = document.querySelector<HTMLElement>("[data-targets]");
  const field = section?.querySelector<HTMLInputElement>("input[name=targets]");
  if (!section || !field) return [section, Number(section?.dataset["changed"] ?? 0)];
  const before = keysOf(section.dataset["targets"]!);
  const after = keysOf(field.value);
  const names = [...before].filter((key) => !after.has(key)).concat([...after].filter((key) => !before.has(key)));
  return [section, new Set(names.map((key) => key.replace(/:\w+$/, ""))).size];
}

function keysOf(json: string): Set<string> {
  const targets = JSON.parse(json || "[]") as Target[];
  return new Set(targets.map(({ type, id, include_children }) => `${type}:${id}:${include_children}`));
}

function sentence([details, settings, targets]: [number, number, number], texts: Texts): string {
  const counts = [counted(details, texts.details), counted(settings, texts.settings), counted(targets, texts.targets)].filter(Boolean);
  return counts.length ? texts.changed.replace("{what}", counts.join(texts.comma)) : texts.none;
}

function counted(n: number, [one, other]: Count): string {
  return n && (n === 1 ? one : other).replace("{n}", n.toLocaleString(document.documentElement.lang || undefined)) || "";
}

// list lists the changed fields as links.
function list(fields: HTMLElement[]): void {
  const button = document.querySelector<HTMLElement>("[data-changes-list]");
  const items = document.querySelector("#changes ul");
  if (!button || !items) return;
  button.hidden = fields.length === 0;
  items.replaceChildren(...fields.map((field) => {
    const link = Object.assign(document.createElement("a"), { href: `#${field.id || field.querySelector(CONTROLS)?.id}`, textContent: field.dataset["label"] ?? "" });
    const item = document.createElement("li");
    item.append(link);
    return item;
  }));
}
