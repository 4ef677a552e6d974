// A question is an open dialog[data-question] in its page, and has a URL of its
// own. This script makes it modal. [data-dismiss] in it says no, as Escape
// does: a link leads back, a button only closes.

export function questions(): void {
  document.addEventListener("click", (event) => {
    const no = (event.target as Element).closest<HTMLElement>("dialog[data-question] [data-dismiss]");
    if (!no?.matches("button")) return;
    event.preventDefault();
    no.closest("dialog")?.close();
  });
  document.addEventListener(
    "cancel",
    (event) => {
      const dialog = event.target as Element;
      if (!dialog.matches("dialog[data-question]")) return;
      event.preventDefault();
      dialog.querySelector<HTMLElement>("[data-dismiss]")?.click();
    },
    true,
  );
}

// openDialogs makes the questions of the page modal. Without one, the focus
// moves to the page's message, because a swap does not move it.
export function openDialogs(): void {
  for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[data-question][open]")) {
    if (dialog.matches(":modal")) continue;
    dialog.removeAttribute("open");
    dialog.showModal();
    return;
  }
  document.querySelector<HTMLElement>("main > [role=alert][autofocus]")?.focus();
}
