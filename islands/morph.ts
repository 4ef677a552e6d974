// What a morph must know beyond the names of elements: which elements are the
// same thing, and the state that only the browser holds.
import { isMounted, update } from "./mounts.ts";

// isSameKind says whether one element may become the other. A link keeps its
// boosted behaviour, a form its listeners, a field what was typed into it: so
// none of them may turn into a different one.
export function isSameKind(old: Element, next: Element): boolean {
  const same = (...names: string[]) => names.every((name) => old.getAttribute(name) === next.getAttribute(name));
  if (!same("data-island")) return false;
  switch (old.tagName) {
    case "A":
      return same("target", "download", "hx-boost") && (old as HTMLAnchorElement).origin === (next as HTMLAnchorElement).origin;
    case "FORM":
      return same("action", "method", "hx-boost", "target");
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

// keepLiveState runs before an element is morphed; false leaves it as it is.
export function keepLiveState(old: Element, next: Element): boolean {
  if (old instanceof HTMLDialogElement && old.open) return false;
  if (isMounted(old)) {
    update(old, next);
    return false;
  }
  if (old instanceof HTMLInputElement && next instanceof HTMLInputElement) follow(old, next);
  if (old instanceof HTMLOptionElement && next instanceof HTMLOptionElement) old.selected = next.defaultSelected;
  return true;
}

// resetControls forgets what was typed or ticked in the page that is left, except
// in the field that has the focus: somebody may be typing in it.
export function resetControls(): void {
  const controls = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>("input, textarea, select");
  for (const control of controls) {
    if (control.closest("dialog[open], [data-island]")) continue;
    if (control instanceof HTMLInputElement) follow(control, control);
    else if (control instanceof HTMLTextAreaElement && control !== document.activeElement) control.value = control.defaultValue;
    else if (control instanceof HTMLSelectElement) [...control.options].forEach((option) => (option.selected = option.defaultSelected));
  }
}

// closeWhatFloats closes dialogs and menus of the page that is left; only the
// question for the password outlives it.
export function closeWhatFloats(): void {
  document.querySelectorAll<HTMLDialogElement>("dialog[open]:not(#session-ended)").forEach((dialog) => dialog.close());
  document.querySelectorAll<HTMLElement>("[popover]").forEach((menu) => menu.matches(":popover-open") && menu.hidePopover());
}

function follow(input: HTMLInputElement, page: HTMLInputElement): void {
  if (input.type === "file") input.value = "";
  else if (input.type === "checkbox" || input.type === "radio") {
    input.checked = page.defaultChecked;
    input.indeterminate = false;
  } else if (input.type !== "hidden" && input !== document.activeElement) input.value = page.defaultValue;
}
