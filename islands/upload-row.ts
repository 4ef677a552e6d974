// A row of the list of files: what happens to one file, in words.
import { fill } from "./words.ts";

export type Texts = Record<"waiting" | "checking" | "sending" | "done" | "retry" | "remove" | "too_large" | "empty" | "too_many" | "md5" | "failed" | "count" | "progress", string>;

export class FileRow {
  readonly element = document.createElement("li");
  private readonly state = node("span", "file-state");
  private readonly actions = node("span", "row file-act");
  private controller = new AbortController();
  readonly file: File;
  readonly url: string;
  private readonly texts: Texts;

  constructor(file: File, texts: Texts, url: string) {
    this.file = file;
    this.texts = texts;
    this.url = url;
    this.element.dataset["size"] = String(file.size);
    const name = node("span", "file-name");
    name.append(Object.assign(document.createElement("bdi"), { textContent: file.name }));
    this.element.append(icon("file"), name, node("span", "sub num", bytes(file.size)), this.state, this.actions);
    this.actions.append(this.button("remove", "x", fill(texts.remove, { name: file.name })));
    this.wait();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(): void {
    this.controller.abort();
  }

  // wait shows that the file waits for its turn, for the first time or again.
  wait(): void {
    this.controller = new AbortController();
    this.actions.querySelector("[data-retry-file]")?.remove();
    this.show("waiting", node("span", "uploading", this.texts.waiting));
  }

  check(share: number): void {
    this.advance(share, fill(this.texts.checking, { n: Math.round(100 * share) }));
  }

  send(share: number): void {
    const [sent, size] = [bytes(share * this.file.size), bytes(this.file.size)];
    this.advance(share, fill(this.texts.sending, { n: Math.round(100 * share), sent, size }));
  }

  // confirm shows that the server has the file, under the name that it gave.
  confirm(id: number, name: string): void {
    this.element.querySelector("bdi")!.textContent = name;
    const box = Object.assign(document.createElement("input"), { type: "checkbox", name: "attachment_id", value: String(id), hidden: true });
    box.checked = true; // and not by default, so that the form has changed
    const done = node("span", "ok");
    done.append(icon("check"), this.texts.done);
    this.show("done", done, box);
  }

  // refuse shows why a file cannot be sent at all.
  refuse(why: "too_large" | "empty" | "too_many"): void {
    this.showError(this.texts[why]);
  }

  // fail shows why sending failed, in the server's words if there are any.
  fail(why: "md5" | "failed", message = ""): void {
    this.showError(message || this.texts[why]);
    this.actions.prepend(this.button("retry", "undo", this.texts.retry, true));
  }

  private showError(text: string): void {
    const error = node("span", "error");
    error.setAttribute("role", "alert");
    error.append(icon("error"), node("span", "", text));
    this.show("failed", error);
  }

  private advance(share: number, text: string): void {
    let bar = this.state.querySelector("progress");
    if (!bar) {
      bar = Object.assign(document.createElement("progress"), { className: "progress", max: 1 });
      bar.setAttribute("aria-label", fill(this.texts.progress, { name: this.file.name }));
      const sending = node("span", "uploading");
      sending.append(bar, node("span", ""));
      this.show("sending", sending);
    }
    bar.value = share;
    bar.nextElementSibling!.textContent = text;
  }

  private show(state: string, ...content: Node[]): void {
    this.element.dataset["state"] = state;
    this.state.replaceChildren(...content);
  }

  private button(action: "remove" | "retry", symbol: string, label: string, visible = false): HTMLButtonElement {
    const button = document.createElement("button");
    button.type = "button";
    button.className = visible ? "btn btn-small" : "btn btn-quiet btn-small btn-icon";
    button.dataset[`${action}File`] = "";
    button.append(icon(symbol));
    if (visible) button.append(label);
    else button.setAttribute("aria-label", label);
    return button;
  }
}

function node(tag: string, className: string, text = ""): HTMLElement {
  return Object.assign(document.createElement(tag), { className, textContent: text });
}

// icon is a symbol of the page.
function icon(name: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

// bytes writes a size as the server does.
function bytes(size: number): string {
  for (const [unit, least] of [["MB", 1 << 20], ["KB", 1 << 10]] as const) {
    if (size >= least) return `${(size / least).toFixed(1).replace(/\.0$/, "")}${unit}`;
  }
  return `${Math.round(size)}B`;
}
