// The focus across navigations: a page that is returned to gives it back to the
// control that led away from it, so that closing a dialog with an address of its
// own does not lose the place in a list or in a form.

const openers = new Map<string, string>(); // selectors, by the path of their page, and by its path and query
let hadFocus = false;

// watchQuestions gives the focus back when a question closes. The browser itself gives it to
// what had it when the question became modal, which may be a button of the question, because
// a swap puts the focus there. A question that a swap has opened again has its own focus.
export function watchQuestions(): void {
  document.addEventListener("close", (event) => {
    const dialog = event.target as Element;
    const focus = document.activeElement;
    if (dialog.matches("dialog[data-question]:not([open])") && (focus === document.body || dialog.contains(focus))) focusOpener();
  }, true);
}

// rememberOpener is called with the control that leads away from a page.
export function rememberOpener(source: Element, page: URL): void {
  const menu = source.closest<HTMLElement>("[popover]");
  const selector = selectorOf((menu && invokerOf(menu)) || source);
  if (selector) for (const name of namesOf(page)) openers.set(name, selector);
}

// rememberFocus is called before a swap.
export function rememberFocus(): void {
  hadFocus = document.activeElement !== null && document.activeElement !== document.body;
}

// restoreFocus is called after a page was swapped. On another page the focus
// moves to the control that led away from it, or else to the content, as if the
// page was loaded. On the same page it moves only if its element is gone.
export function restoreFocus(moved: boolean): void {
  const isLost = hadFocus && (document.activeElement === document.body || document.activeElement === null);
  if (!(moved || isLost) || document.querySelector("main [autofocus]")) return;
  if (focusOpener()) return;
  const message = moved ? null : document.querySelector<HTMLElement>(".toasts > .toast:last-child");
  const place = message ?? document.querySelector<HTMLElement>("main");
  if (!place) return;
  place.tabIndex = -1;
  if (place !== message) place.ariaLabel = document.querySelector("main h1")?.textContent ?? null; // screen readers say where the focus is
  place.focus({ preventScroll: true });
}

// focusOpener moves the focus to the control that led away from the page, and returns
// whether there is one.
export function focusOpener(): boolean {
  return namesOf(location).some((name) => {
    const selector = openers.get(name);
    const found = selector ? [...document.querySelectorAll<HTMLElement>(selector)] : [];
    const opener = found.find((control) => control.checkVisibility?.() ?? true);
    opener?.focus();
    return opener !== undefined && document.activeElement === opener;
  });
}

// namesOf returns what a page is remembered by. A dialog may differ from the page below it
// only in its query, so the query comes first; a page that is returned to with another
// query is still known by its path.
function namesOf({ pathname, search }: URL | Location): string[] {
  return [`${pathname}?${search}`, pathname];
}

// invokerOf returns the button that opened a menu, whose links are hidden by the time their
// page is left. A menu that rows share says which of them opened it, see menus.ts.
function invokerOf(menu: HTMLElement): HTMLElement | null {
  const { row } = menu.dataset;
  return document.querySelector(`[popovertarget="${CSS.escape(menu.id)}"]${row === undefined ? "" : `[data-row="${CSS.escape(row)}"]`}`);
}

// selectorOf finds the control again on a page that was rendered anew; "" if it cannot.
function selectorOf(control: Element): string {
  if (control.id) return `#${CSS.escape(control.id)}`;
  const equals = (name: string) => (control.hasAttribute(name) ? `[${name}="${CSS.escape(control.getAttribute(name)!)}"]` : "");
  const [link, menu] = [equals("href"), equals("data-row")];
  if (link) return `main a${link}`;
  if (menu) return `${equals("popovertarget")}${menu}`;
  if (!(control instanceof HTMLButtonElement) || !control.form || control.closest("dialog, .toasts")) return "";
  const button = `button${equals("form")}${equals("name")}${control.ariaPressed === null ? equals("value") : ""}`; // a switch has the other value next time
  return control.hasAttribute("form") ? button : `form[action="${CSS.escape(control.form.getAttribute("action") ?? "")}"] ${button}`;
}
