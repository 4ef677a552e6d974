// A page for tests: a small DOM replaces the browser's globals.
import { Window } from "happy-dom";

const NAMES = [
  "window", "document", "location", "history", "navigator", "sessionStorage", "localStorage", "Node", "Element", "HTMLElement",
  "HTMLAnchorElement", "HTMLButtonElement", "HTMLDialogElement", "HTMLFormElement", "HTMLInputElement", "HTMLOptionElement", "HTMLSelectElement",
  "HTMLTextAreaElement", "HTMLTemplateElement", "Document", "DOMParser", "CustomEvent", "Event", "MouseEvent", "KeyboardEvent",
  "FormData", "Image", "CSS", "CSSStyleSheet", "getComputedStyle", "alert",
];

export const ADDRESS = "https://console.test/policies";

// open creates a page with a body; the listeners of the previous page are gone
// with its window.
export function open(body = "", address = ADDRESS): void {
  const window = new Window({ url: address });
  const names = window as unknown as Record<string, unknown>;
  for (const name of NAMES) {
    Object.defineProperty(globalThis, name, { value: name === "window" ? window : names[name], configurable: true, writable: true });
  }
  // The small DOM has no XPath. htmx uses it to find hx-on attributes, which no
  // page has.
  Object.assign(globalThis, { XPathEvaluator: class { createExpression = () => ({ evaluate: () => ({ iterateNext: () => null }) }) } });
  document.body.innerHTML = body;
}

export function $<T extends HTMLElement = HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
}

export function click(selector: string): void {
  $(selector).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}

export function fire(selector: string, type: string): void {
  $(selector).dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
}

// settle waits for promises that are already resolved.
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

export type Asked = { url: string; method: string; body: string };

// serve replaces the server's responses by those given for "METHOD path", and
// returns the list of requests.
export function serve(answers: Record<string, () => Response>): Asked[] {
  const asked: Asked[] = [];
  const fetch = async (input: string | URL, init: RequestInit = {}) => {
    const url = new URL(input, location.href);
    const method = init.method ?? "GET";
    asked.push({ url: url.pathname + url.search, method, body: String(init.body ?? "") });
    const answer = answers[`${method} ${url.pathname}`];
    if (!answer) throw new TypeError("Failed to fetch");
    const aborted = new Promise<Response>((_, reject) => init.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))));
    return Promise.race([answer(), aborted]);
  };
  Object.assign(globalThis, { fetch });
  Object.assign(window, { fetch });
  return asked;
}

export function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}
