// A form[data-auto] submits itself: on a change, and 300 ms after typing in a
// search field that is empty or contains at least 2 characters.

const DELAY = 300;
const SHORTEST = 2;

export function filters(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("input", (event) => {
    const field = event.target as HTMLInputElement;
    const form = autoForm(field);
    if (!form || field.type !== "search") return;
    clearTimeout(timer);
    timer = setTimeout(() => isLongEnough(field.value) && send(form), DELAY);
  });
  document.addEventListener("change", (event) => {
    const field = event.target as HTMLInputElement;
    const form = autoForm(field);
    if (!form || (field.type === "search" && !isLongEnough(field.value))) return;
    clearTimeout(timer);
    send(form);
  });
  document.addEventListener("submit", (event) => autoForm(event.target as Element) && clearTimeout(timer), true);
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
