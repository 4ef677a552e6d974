// The desk by the keyboard: [data-desk] has rows tr[data-key] with a link that opens the
// evidence of the row beside them. J and K or the arrows move, with Shift they pick, X
// picks, A approves and R asks to reject the picked rows or else the current one, Z undoes
// the last decision, Escape closes the evidence. Single letters do nothing in a field or
// under a dialog. Every key does what a link or a button of the page does.
import { ready } from "./boost.ts";

const DELAY = 150; // milliseconds from a move to reading its evidence, so that a held key reads only the last

const TIME_DELAY = 600; // milliseconds from a digit of a time to reading what it changes

let timer: ReturnType<typeof setTimeout> | undefined;
let undoForm: HTMLFormElement | undefined; // of the last decision, also when its toast has gone
let focusTime = false; // the field of the time takes the focus after the next swap
let focusKeys: string[] | undefined; // of the rows of which the first that is there takes the focus after the next swap
let sentKey: string | undefined; // the row whose decision was sent last
let undoNext = false; // the decision that is being sent is undone when it was made
let left = { path: "", picked: [] as string[] }; // the list before the swap, and its picked rows

// watchDesk listens for keys, now and on later pages.
export function watchDesk(): void {
  document.addEventListener("keydown", (event) => {
    const act = document.querySelector("[data-desk]") && !isElsewhere(event) && actOf(event);
    if (!act) return;
    event.preventDefault();
    if (!event.repeat || isMove(event)) act();
  });
  document.addEventListener("change", (event) => {
    if ((event.target as Element).matches("#desk-time, #desk-previous, #desk-next")) foreseeLater();
  });
  document.addEventListener("click", (event) => {
    if ((event.target as Element).closest("[data-peek-close]")) link(selected())?.focus(); // it may be another one than the row that was opened first
  });
  document.addEventListener("submit", () => clearTimeout(timer), true);
  document.addEventListener("htmx:before:swap", () => (left = { path: location.pathname, picked: picked().map((row) => row.dataset["key"]!) }), true); // before the boxes are reset
}

// resumeDesk continues on a page that was swapped in.
export function resumeDesk(): void {
  const toast = document.querySelector<HTMLFormElement>(".toasts form");
  if (toast) undoForm = toast.cloneNode(true) as HTMLFormElement;
  if (document.querySelector("dialog[data-question]")) return; // the decision is not sent yet
  pickAgain();
  const time = document.querySelector<HTMLElement>("#desk-time");
  if (focusTime && time) time.focus();
  else if (focusKeys && document.activeElement?.matches("body, main, .toast, #bulk button")) link(focusKeys.map(rowOf).find(Boolean) ?? selected() ?? rows()[0])?.focus();
  focusTime = false;
  focusCovering();
  if (sentKey !== undefined && rowOf(sentKey)) return; // this is the answer to a decision before it
  focusKeys = sentKey = undefined;
  if (undoNext && toast) undo();
  undoNext = false;
}

// pickAgain picks the rows that were picked before the swap, if it shows the same list: the
// server does not know them.
function pickAgain(): void {
  for (const key of left.path === location.pathname ? left.picked : []) if (box(rowOf(key))?.checked === false) pick(rowOf(key));
  left.picked = [];
}

// focusCovering moves the focus from the list to the evidence that lies over it in a narrow
// window: Tab would go on through rows that nobody sees. The row of a later move has it
// until its own evidence is there.
function focusCovering(): void {
  const peek = document.querySelector<HTMLElement>("#peek");
  const row = document.activeElement?.closest("tr[data-key]");
  const isFree = row ? row === selected() : document.activeElement?.matches("body, main");
  if (peek && isFree && getComputedStyle(peek).position === "fixed") peek.focus();
}

// isElsewhere returns whether a key is meant for something else than the desk.
function isElsewhere({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const field = (target as Element).closest("input:not([type=checkbox]), select, textarea, [contenteditable]");
  return ctrlKey || metaKey || altKey || field !== null || document.querySelector("dialog[open], [role=dialog], :popover-open") !== null;
}

// letterOf returns the letter of a key, or else its name. A Korean keyboard reports another
// letter, but the same place of the key.
function letterOf({ key, code }: KeyboardEvent): string {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
}

// isMove returns whether a key only moves. The others do nothing while they are held down:
// A would approve one record after the other.
function isMove(event: KeyboardEvent): boolean {
  return ["j", "k", "ArrowDown", "ArrowUp"].includes(letterOf(event));
}

// actOf returns what a key does.
function actOf(event: KeyboardEvent): (() => void) | undefined {
  const { shiftKey, target } = event;
  const letter = letterOf(event);
  if (/^[a-z]$/.test(letter) && !document.querySelector("[data-desk][data-letters]")) return undefined; // switched off on the profile
  const isFree = target === document.body || (target as Element).closest("[data-desk]") !== null;
  switch (letter) {
    case "j":
      return () => move(1, false);
    case "k":
      return () => move(-1, false);
    case "ArrowDown":
      return isFree ? () => move(1, shiftKey) : undefined;
    case "ArrowUp":
      return isFree ? () => move(-1, shiftKey) : undefined;
    case "x":
      return () => pick(current());
    case "a":
      return approve;
    case "r":
      return reject;
    case "z":
      return undo;
    case "Enter":
      return target === document.body ? () => link(current())?.click() : undefined;
    case "Escape":
      return document.querySelector("#peek") ? close : undefined;
  }
  return undefined;
}

function rows(): HTMLTableRowElement[] {
  return [...document.querySelectorAll<HTMLTableRowElement>("[data-desk] tr[data-key]")];
}

function rowOf(key: string): HTMLTableRowElement | undefined {
  return rows().find((row) => row.dataset["key"] === key);
}

function selected(): HTMLTableRowElement | undefined {
  return rows().find((row) => row.hasAttribute("data-selected"));
}

// current is the row that has the focus, or else the one whose evidence is shown.
function current(): HTMLTableRowElement | undefined {
  return document.activeElement?.closest<HTMLTableRowElement>("tr[data-key]") ?? selected();
}

function link(row: HTMLTableRowElement | undefined): HTMLAnchorElement | null {
  return row?.querySelector<HTMLAnchorElement>("th a") ?? null;
}

function box(row: HTMLTableRowElement | undefined): HTMLInputElement | null {
  return row?.querySelector<HTMLInputElement>("[data-pick]") ?? null;
}

function picked(): HTMLTableRowElement[] {
  return rows().filter((row) => box(row)?.checked);
}

// neighbor is the row after a row, or before it if it is the last.
function neighbor(row: HTMLTableRowElement): HTMLTableRowElement | undefined {
  const all = rows();
  const at = all.indexOf(row);
  return all[at + 1] ?? all[at - 1];
}

function move(step: number, picks: boolean): void {
  const all = rows();
  const from = current();
  const to = from ? all[all.indexOf(from) + step] : all[step > 0 ? 0 : all.length - 1];
  if (!to) return;
  if (picks) for (const row of [from, to]) if (row && !box(row)?.checked) pick(row);
  link(to)?.focus();
  to.scrollIntoView?.({ block: "nearest" });
  clearTimeout(timer);
  if (document.querySelector("#peek")) timer = setTimeout(() => link(to)?.click(), DELAY);
}

function pick(row: HTMLTableRowElement | undefined): void {
  box(row)?.click();
}

function approve(): void {
  clearTimeout(timer);
  const chosen = picked();
  if (chosen.length > 1) return bulk("approved");
  const row = chosen[0] ?? current();
  if (!row || row.hasAttribute("data-fixed")) return;
  const isShown = row.hasAttribute("data-selected");
  const panel = isShown ? document.querySelector<HTMLFormElement>("#desk-decision") : null;
  const time = isShown ? document.querySelector<HTMLInputElement>("#desk-time") : null;
  if (time?.value === "") return time.focus();
  if (row.hasAttribute("data-needs-time") && !time) {
    focusTime = true;
    return link(row)?.click();
  }
  const next = neighbor(row)?.dataset["key"] ?? "";
  focusKeys = [next];
  sentKey = row.dataset["key"];
  if (panel) return panel.querySelector<HTMLButtonElement>("button[name=decision]")?.click();
  void send(row.dataset["item"]!, document.querySelector("#peek") ? next : "");
}

// send approves an item, in a form that all items share: it is sent before the next item.
async function send(item: string, next: string): Promise<void> {
  await ready();
  const form = document.querySelector<HTMLFormElement>("#desk-one");
  if (!form) return;
  set(form, "item", item);
  set(form, "next", next);
  form.requestSubmit();
}

function set(form: HTMLFormElement, name: string, value: string): void {
  form.querySelector<HTMLInputElement>(`[name=${name}]`)!.value = value;
}

function reject(): void {
  clearTimeout(timer);
  if (picked().length === 0) {
    const row = current();
    if (!row || row.hasAttribute("data-fixed")) return;
    pick(row);
  }
  bulk("rejected");
}

// bulk asks whether to decide the picked rows. Whoever says no is at the last of them again.
function bulk(decision: string): void {
  const last = picked().at(-1);
  const next = (last && neighbor(last)?.dataset["key"]) ?? "";
  focusKeys = [last?.dataset["key"] ?? "", next];
  if (document.querySelector("#peek")) set(document.querySelector<HTMLFormElement>("#bulk")!, "next", next);
  document.querySelector<HTMLButtonElement>(`#bulk button[value=${decision}]`)?.click();
}

function undo(): void {
  clearTimeout(timer);
  undoNext = document.querySelector("form[aria-busy=true]") !== null;
  if (undoNext) return;
  focusKeys = [current()?.dataset["key"] ?? ""];
  const toast = document.querySelector<HTMLFormElement>(".toasts form");
  if (toast) toast.requestSubmit();
  else if (undoForm) {
    undoForm.hidden = true;
    document.body.append(undoForm);
    undoForm.submit();
  }
  undoForm = undefined;
}

function close(): void {
  focusKeys = [selected()?.dataset["key"] ?? ""];
  document.querySelector<HTMLAnchorElement>("[data-peek-close]")?.click();
}

// foreseeLater waits until the time is typed: it changes with every digit. By then another
// row may be shown.
function foreseeLater(): void {
  const key = selected()?.dataset["key"];
  clearTimeout(timer);
  timer = setTimeout(() => selected()?.dataset["key"] === key && foresee(), TIME_DELAY);
}

// foresee asks what the day becomes with a time and a day that were entered.
function foresee(): void {
  const shown = link(selected());
  const time = document.querySelector<HTMLInputElement>("#desk-time")?.value;
  if (!shown || !time) return;
  const address = new URL(shown.href);
  address.searchParams.set("time", time);
  for (const box of document.querySelectorAll<HTMLInputElement>("#desk-previous, #desk-next")) {
    if (box.checked) address.searchParams.set(box.name, box.value);
    else address.searchParams.delete(box.name);
  }
  shown.href = address.href;
  shown.click();
}
