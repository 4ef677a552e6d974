// A form[data-auto] submits itself: on a change, and 300 ms after typing in a
// search field that is empty or contains at least 2 characters.
//
// Japanese is typed as kana that a word is then chosen for: it is searched when the word is
// there, see kana.ts. Korean is searched while a syllable is composed.
//
// A date changes with every digit: 2025 is typed as the years 2, 20, 202 and 2025. So it
// is sent after a pause, when the focus leaves it or by Enter, and not with a year before its
// min or after its max. By Enter the browser says so.

import { kana } from "./kana.ts";

const DELAY = 300;
const DATE_DELAY = 600;
const SHORTEST = 2;

export function filters(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isUnfinished = kana();
  for (const type of ["input", "compositionend"]) {
    document.addEventListener(type, (event) => {
      const field = event.target as HTMLInputElement;
      const form = autoForm(field);
      if (!form || field.type !== "search") return;
      clearTimeout(timer);
      if (isUnfinished(event)) return;
      timer = setTimeout(() => isLongEnough(field.value) && send(form), DELAY);
    });
  }
  document.addEventListener("change", (event) => {
    const field = event.target as HTMLInputElement;
    const form = autoForm(field);
    if (!form || (field.type === "search" && !isLongEnough(field.value))) return;
    clearTimeout(timer);
    if (isDate(field)) timer = setTimeout(() => sendDate(form), DATE_DELAY);
    else send(form);
  });
  document.addEventListener("focusout", (event) => {
    const field = event.target as Element;
    const form = isDate(field) && field.value !== field.defaultValue && autoForm(field);
    if (!form) return;
    clearTimeout(timer);
    sendDate(form);
  });
  document.addEventListener("submit", (event) => {
    if (autoForm(event.target as Element)) clearTimeout(timer);
  }, true);
  window.addEventListener("popstate", () => clearTimeout(timer)); // what was typed belongs to the page that is left
}

// resumeFilters is called after each swap: if the person typed on while the
// list was loading, the form is submitted again.
export function resumeFilters(): void {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement && autoForm(field)) field.dispatchEvent(new Event("input", { bubbles: true }));
}

export function isLongEnough(text: string): boolean {
  const length = [...text.trim()].length;
  return length === 0 || length >= SHORTEST;
}

// sendDate sends a form unless it is invalid: asking the browser to submit it would show
// its message while the date is typed.
function sendDate(form: HTMLFormElement): void {
  if (form.checkValidity()) send(form);
}

function isDate(field: Element): field is HTMLInputElement {
  return field.matches("input[type=date], input[type=month]");
}

// A form whose values are already in the URL is not submitted.
function send(form: HTMLFormElement): void {
  if (form.isConnected && asked(form) !== current(form)) form.requestSubmit();
}

function asked(form: HTMLFormElement): string {
  return sorted([...new FormData(form)].map(([key, value]) => [key, String(value).trim()]));
}

function current(form: HTMLFormElement): string {
  const names = new Set([...new FormData(form).keys()]);
  return sorted([...new URLSearchParams(location.search)].filter(([key]) => names.has(key)));
}

function sorted(pairs: string[][]): string {
  return JSON.stringify(pairs.filter(([, value]) => value !== "").sort());
}

function autoForm(element: Element): HTMLFormElement | null {
  return element.closest<HTMLFormElement>("form[data-auto]");
}
