// [data-close] closes the dialog around it. showModal traps the focus and restores it.

export function dialogs(): void {
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    if (target.closest("[data-close]")) target.closest("dialog")?.close();
    else if (isBeside(target, event)) (target as HTMLDialogElement).close();
  });
}

// openDialog opens the dialog with an id as a modal; null if the page has none.
export function openDialog(id: string): HTMLDialogElement | null {
  const dialog = dialogById(id);
  if (dialog && !dialog.open) dialog.showModal();
  return dialog;
}

export function dialogById(id: string): HTMLDialogElement | null {
  const found = document.getElementById(id);
  return found instanceof HTMLDialogElement ? found : null;
}

// ask opens a dialog with two answers and returns whether the given button
// closed it. Escape is the other answer.
export function ask(dialog: HTMLDialogElement, yes: string): Promise<boolean> {
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => {
    let answer = false;
    const click = (event: Event) => {
      const button = (event.target as Element).closest("button");
      if (!button) return;
      answer = button.matches(yes);
      dialog.close();
    };
    dialog.addEventListener("click", click);
    dialog.addEventListener("close", () => (dialog.removeEventListener("click", click), resolve(answer)), { once: true });
  });
}

// A click on the page beside a drawer closes it, too.
function isBeside(target: Element, event: MouseEvent): boolean {
  if (!target.matches("dialog.dialog-drawer[open]")) return false;
  const box = target.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right;
}
