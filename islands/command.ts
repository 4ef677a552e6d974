// The search of the whole console as a dialog, loaded when it is first opened.
// The server renders the results; the focus stays in the field, and
// aria-activedescendant names the selected result.
import css from "../static/css/command-dialog.css" with { type: "text" };
import { adoptStyles } from "./adopt.ts";
import { explain, messageOf, report, texts } from "./failure.ts";
import { kana } from "./kana.ts";

export type Hooks = { visit: (url: string) => void };

const WAIT = 30_000;

// The time without typing after which the count is announced, so that fast typing
// announces one count.
const ANNOUNCE_AFTER = 600;

export function openCommand(link: HTMLAnchorElement, { visit }: Hooks): void {
  adoptStyles(css);
  const label = link.querySelector("span")?.textContent ?? "";
  const dialog = document.createElement("dialog");
  dialog.className = "dialog command";
  dialog.setAttribute("aria-label", label);
  dialog.innerHTML = `<div class="command-field"><svg class="icon" aria-hidden="true"><use href="#i-search"></use></svg>
    <input role="combobox" aria-expanded="false" aria-controls="command-results" aria-autocomplete="list" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go">
    <button type="button" class="command-close" tabindex="-1" data-close><kbd>Esc</kbd></button></div>
    <div class="command-body"></div><p class="vh" role="status"></p>`;
  document.body.append(dialog);
  const command = new Command(dialog, link.href, visit);
  command.field.setAttribute("aria-label", label);
  dialog.addEventListener("close", () => (command.end(), dialog.remove()), { once: true });
  dialog.showModal();
  command.search();
}

class Command {
  readonly field: HTMLInputElement;
  private readonly body: HTMLElement;
  private readonly status: HTMLElement;
  private selected: HTMLAnchorElement | undefined;
  private request: AbortController | undefined; // of the text in the field, until it is answered
  private asked: string | undefined; // the text of the last request, unless it failed
  private openWhenFound = false; // Enter was pressed before the results were there
  private timer: ReturnType<typeof setTimeout> | undefined;

  private readonly dialog: HTMLDialogElement;
  private readonly address: string;
  private readonly visit: (url: string) => void;

  constructor(dialog: HTMLDialogElement, address: string, visit: (url: string) => void) {
    this.dialog = dialog;
    this.address = address;
    this.visit = visit;
    this.field = dialog.querySelector("input")!;
    this.body = dialog.querySelector(".command-body")!;
    this.status = dialog.querySelector("[role=status]")!;
    const isUnfinished = kana();
    for (const type of ["input", "compositionend"]) this.field.addEventListener(type, (event) => isUnfinished(event) || this.search());
    dialog.addEventListener("keydown", (event) => this.press(event));
    dialog.addEventListener("click", (event) => this.click(event));
  }

  end(): void {
    this.request?.abort();
    clearTimeout(this.timer);
  }

  // search asks for the results of the field. An answer to an older text is
  // dropped, because its request is aborted.
  search(): void {
    const text = this.field.value.trim();
    if (text === this.asked) return;
    this.end();
    this.openWhenFound = false;
    this.asked = text;
    this.request = new AbortController();
    void this.ask(text, this.request);
  }

  private async ask(text: string, request: AbortController): Promise<void> {
    const url = new URL(this.address);
    if (text) url.searchParams.set("q", text);
    const timeout = setTimeout(() => request.abort("timeout"), WAIT);
    this.body.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(url.href, { credentials: "same-origin", headers: { Accept: "text/html", "HX-Request": "true" }, signal: request.signal });
      const answer = await response.text();
      if (this.request !== request) return;
      if (response.ok) this.show(answer, text);
      else this.fail(response.status, messageOf(answer, response.headers));
    } catch {
      if (this.request === request) this.fail(0, undefined, request.signal.aborted);
    } finally {
      clearTimeout(timeout);
      if (this.request === request) this.settle();
    }
  }

  private settle(): void {
    this.request = undefined;
    this.body.removeAttribute("aria-busy");
    if (this.openWhenFound && this.selected) this.open(this.selected);
    this.openWhenFound = false;
  }

  private show(answer: string, text: string): void {
    this.body.innerHTML = answer;
    const { count = "", text: placeholder = "" } = this.body.querySelector<HTMLElement>(".command-found")?.dataset ?? {};
    this.field.placeholder = placeholder;
    this.select(this.rows()[0]);
    this.field.setAttribute("aria-expanded", String(this.selected !== undefined));
    this.announce(text ? count : "");
  }

  // fail says what went wrong in place of the results. When the session has ended,
  // the page asks to sign in again.
  private fail(status: number, message?: string, timeout = false): void {
    if (status === 419) return this.dialog.close(), report({ status, ...(message !== undefined && { message }) });
    const failure = { status, timeout, ...(message !== undefined && { message }) };
    const note = document.createElement("p");
    note.className = "command-note error";
    note.setAttribute("role", "alert");
    note.textContent = explain(failure, texts(document.querySelector<HTMLDialogElement>("#error-dialog")));
    this.body.replaceChildren(note);
    this.asked = undefined;
    this.select(undefined);
    this.field.setAttribute("aria-expanded", "false");
    this.announce("");
  }

  private announce(text: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.status.textContent = text), ANNOUNCE_AFTER);
  }

  // press handles the keys. While an input method composes a syllable, all of them
  // belong to it; Safari reports the last one as 229 after the composition.
  private press(event: KeyboardEvent): void {
    if (event.isComposing || event.keyCode === 229) return;
    if (this.handle(event)) event.preventDefault();
  }

  private handle(event: KeyboardEvent): boolean {
    switch (event.key) {
      case "ArrowDown":
        return this.move(1);
      case "ArrowUp":
        return this.move(-1);
      case "ArrowRight":
        return this.atEnd() && this.moveAction(1);
      case "ArrowLeft":
        return this.selected?.dataset["action"] !== undefined && this.moveAction(-1);
      case "Tab":
        return this.moveGroup(event.shiftKey ? -1 : 1);
      case "Enter":
        return this.enter(event);
      case "Escape":
        return this.escape();
    }
    return false;
  }

  private enter(event: KeyboardEvent): boolean {
    if (this.request) this.openWhenFound = true;
    else if (this.selected && (event.ctrlKey || event.metaKey)) window.open(this.selected.href, "_blank", "noopener");
    else if (this.selected) this.open(this.selected);
    return true;
  }

  // escape clears the field; an empty one closes the dialog, which returns the
  // focus.
  private escape(): boolean {
    if (this.field.value === "") this.dialog.close();
    else (this.field.value = ""), this.search();
    return true;
  }

  private click(event: MouseEvent): void {
    const target = event.target as Element;
    const result = target.closest<HTMLAnchorElement>("a[role=option]");
    if (result && !event.ctrlKey && !event.metaKey && !event.shiftKey) event.preventDefault(), this.open(result);
    else if (target === this.dialog) this.dialog.close(); // beside it
  }

  // open leaves the dialog. The browser itself loads a page to scroll to a part of it.
  private open(result: HTMLAnchorElement): void {
    this.dialog.close();
    if (result.hash) location.assign(result.href);
    else this.visit(result.href);
  }

  private rows(): HTMLAnchorElement[] {
    return [...this.body.querySelectorAll<HTMLAnchorElement>("a[role=option]:not([data-action])")];
  }

  // row is the selected row, or that of the selected action.
  private row(): HTMLAnchorElement | undefined {
    const actions = this.selected?.closest(".command-actions");
    return actions ? (actions.previousElementSibling as HTMLAnchorElement) : this.selected;
  }

  private move(by: number): boolean {
    const rows = this.rows();
    const at = rows.indexOf(this.row()!);
    this.select(rows[(at + by + rows.length) % rows.length]);
    return true;
  }

  private moveAction(by: number): boolean {
    const row = this.row();
    const next = row?.nextElementSibling;
    if (!row || !next?.matches(".command-actions")) return false;
    const all = [row, ...next.querySelectorAll<HTMLAnchorElement>("a")];
    this.select(all[Math.min(all.indexOf(this.selected!) + by, all.length - 1)]);
    return true;
  }

  private moveGroup(by: number): boolean {
    const groups = [...this.body.querySelectorAll("[role=group]")];
    const at = groups.findIndex((group) => group.contains(this.selected ?? null));
    this.select(groups[(at + by + groups.length) % groups.length]?.querySelector<HTMLAnchorElement>("a") ?? undefined);
    return true;
  }

  private select(result: HTMLAnchorElement | undefined): void {
    this.selected?.setAttribute("aria-selected", "false");
    this.selected = result;
    for (const row of this.body.querySelectorAll("[data-current]")) row.removeAttribute("data-current");
    if (!result) return this.field.removeAttribute("aria-activedescendant");
    result.setAttribute("aria-selected", "true");
    this.row()?.setAttribute("data-current", "");
    this.field.setAttribute("aria-activedescendant", result.id);
    result.scrollIntoView({ block: "nearest" });
  }

  private atEnd(): boolean {
    return this.field.selectionStart === this.field.selectionEnd && this.field.selectionEnd === this.field.value.length;
  }
}
