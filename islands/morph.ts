// Rules for morphing beyond the names of elements: which elements are the same,
// and which state only the browser has.

// isSameKind returns whether one element may be morphed into another. A link
// keeps its boosted behaviour, a form its listeners and a field its value, so
// none of them may turn into a different one.
export function isSameKind(old: Element, next: Element): boolean {
  const same = (...names: string[]) => names.every((name) => old.getAttribute(name) === next.getAttribute(name));
  if (!same("data-island")) return false;
  switch (old.tagName) {
    case "A":
      return same("target", "download", "data-hx-boost") && (old as HTMLAnchorElement).origin === (next as HTMLAnchorElement).origin;
    case "FORM":
      return same("action", "method", "data-hx-boost", "target");
    case "INPUT":
    case "SELECT":
    case "TEXTAREA":
    case "BUTTON":
      return same("type", "name");
    case "DIALOG":
    case "MAIN":
      return same("id");
    default:
      return true;
  }
}

let keepsTyping = true; // whether the field that has the focus keeps its value in the present swap

// keepLiveState runs before an element is morphed; if it returns false, the
// element is unchanged.
export function keepLiveState(old: Element, next: Element): boolean {
  if (old instanceof HTMLDialogElement && old.open) return false;
  if (!old.hasAttribute("data-lazy")) next.removeAttribute("data-lazy"); // what was in view still is
  if (old instanceof HTMLInputElement && next instanceof HTMLInputElement) copyControl(old, next);
  if (old instanceof HTMLOptionElement && next instanceof HTMLOptionElement) old.selected = next.defaultSelected;
  return true;
}

// resetControls resets all fields of the page that is left, except the one that
// has the focus, because the person may be typing in it. A page of the history that is
// restored has the value of its own URL there, too.
export function resetControls(isRestored: boolean): void {
  keepsTyping = !isRestored;
  const controls = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>("input, textarea, select");
  for (const control of controls) {
    if (control.closest("dialog[open], [data-island]")) continue;
    if (control instanceof HTMLInputElement) copyControl(control, control);
    else if (control instanceof HTMLTextAreaElement && !isTypedIn(control)) control.value = control.defaultValue;
    else if (control instanceof HTMLSelectElement) [...control.options].forEach((option) => (option.selected = option.defaultSelected));
  }
}

// closeOverlays closes dialogs and menus of the page that is left, except the
// dialog that asks for the password.
export function closeOverlays(): void {
  document.querySelectorAll<HTMLDialogElement>("dialog[open]:not(#session-ended)").forEach((dialog) => dialog.close());
  document.querySelectorAll<HTMLElement>("[popover]").forEach((menu) => menu.matches(":popover-open") && menu.hidePopover());
}

function copyControl(input: HTMLInputElement, page: HTMLInputElement): void {
  if (input.type === "file") input.value = "";
  else if (input.type === "checkbox" || input.type === "radio") {
    input.checked = page.defaultChecked;
    input.indeterminate = false;
  } else if (input.type !== "hidden" && !isTypedIn(input)) input.value = page.defaultValue;
}

function isTypedIn(control: Element): boolean {
  return keepsTyping && control === document.activeElement;
}
