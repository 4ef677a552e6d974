// [data-dialog="ID"] opens that dialog, [data-close] closes the one around it.
// showModal traps the focus and restores it.

export function dialogs(): void {
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const opener = target.closest<HTMLElement>("[data-dialog]");
    if (opener) open(opener, event);
    else if (target.closest("[data-close]")) target.closest("dialog")?.close();
    else if (isBeside(target, event)) (target as HTMLDialogElement).close();
  });
}

// A link leads to a page that has the same as its dialog, in another tab if the reader asks for one.
function open(opener: HTMLElement, event: MouseEvent): void {
  if (opener.matches("a") && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
  if (openDialog(opener.dataset["dialog"]!)) event.preventDefault();
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
