// A form[data-guard] with unsaved changes asks before the page is left. If the
// server refused the form, it renders it as <form data-guard="dirty">: its
// values were never saved.
import { ask, dialogById } from "./dialogs.ts";

const LEAVING = "leaving";

export function guard(): void {
  window.addEventListener("beforeunload", (event) => {
    if (dirtyForm() && !isLeavingAllowed()) event.preventDefault();
  });
  window.addEventListener("submit", (event) => {
    if (!event.defaultPrevented && (event.target as Element).matches("form[data-guard]")) allowLeaving();
  });
}

// allowLeaving allows the next navigation without asking.
export function allowLeaving(): void {
  document.documentElement.dataset[LEAVING] = "";
}

// endLeaving ends the effect of allowLeaving.
export function endLeaving(): void {
  delete document.documentElement.dataset[LEAVING];
}

export function isLeavingAllowed(): boolean {
  return LEAVING in document.documentElement.dataset;
}

// mayLeave asks the person if a guarded form has changes.
export async function mayLeave(): Promise<boolean> {
  const dialog = dialogById("leave");
  return dialog ? ask(dialog, "[data-leave]") : true;
}

// dirtyForm returns the first guarded form with changes, other than the one that
// is submitted.
export function dirtyForm(submitted?: Element): HTMLFormElement | undefined {
  return [...document.querySelectorAll<HTMLFormElement>("form[data-guard]")].find((form) => form !== submitted && isDirty(form));
}

export function isDirty(form: HTMLFormElement): boolean {
  return form.dataset["guard"] === "dirty" || [...form.elements].some(isChanged);
}

// isChanged says whether a field differs from what the page was sent with.
export function isChanged(control: Element): boolean {
  if (control instanceof HTMLInputElement) return isInputChanged(control);
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue;
  if (control instanceof HTMLSelectElement) return isSelectChanged(control);
  return false;
}

function isInputChanged(input: HTMLInputElement): boolean {
  if (input.type === "checkbox" || input.type === "radio") return input.checked !== input.defaultChecked;
  if (input.type === "file") return (input.files?.length ?? 0) > 0;
  return input.type !== "hidden" && input.value !== input.defaultValue;
}

// A select without a selected option in the page shows its first one.
function isSelectChanged(select: HTMLSelectElement): boolean {
  const options = [...select.options];
  const untouched = !select.multiple && !options.some((option) => option.defaultSelected);
  return options.some((option, i) => option.selected !== (option.defaultSelected || (untouched && i === 0)));
}
