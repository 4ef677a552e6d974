// The messages for failed requests: the error catalogue.
import { dialogById } from "./dialogs.ts";
import { allowLeaving } from "./guard.ts";
import { clearSession, home } from "./session-state.ts";

// A status of 0 means no response; timeout means that waiting for it timed out; done means
// that what a form asked for was done, and only the page after it failed.
export type Failure = { status: number; message?: string; timeout?: boolean; done?: boolean };

type Texts = { server: string; timeout: string; later: string; offline: string };

// An event on the document before a failure is shown. A listener that shows
// something better prevents it.
export const FAILED = "console:failed";

export function report(failure: Failure): void {
  if (!document.dispatchEvent(new CustomEvent(FAILED, { detail: failure, cancelable: true }))) return;
  show(failure);
}

// explain returns the message for a failure.
export function explain({ status, message, timeout }: Failure, texts: Texts): string {
  if (timeout) return texts.timeout;
  if (status === 0 && !navigator.onLine) return texts.offline;
  if (status === 500) return texts.server.replace("{status}", String(status));
  return message?.trim() || texts.later;
}

// messageOf returns the message in the server's response: that of the JSON
// body, the X-Message header (percent-encoded), or the page's <meta
// name="message">.
export function messageOf(body: string, headers: Headers): string | undefined {
  const header = headers.get("X-Message");
  if (header) return decode(header);
  const type = headers.get("Content-Type") ?? "";
  if (type.includes("json")) return messageInJSON(body);
  if (!type.includes("html")) return undefined;
  const page = new DOMParser().parseFromString(body, "text/html");
  return page.querySelector<HTMLMetaElement>('meta[name="message"]')?.content;
}

function show(failure: Failure): void {
  const dialog = dialogById("error-dialog");
  const text = explain(failure, texts(dialog));
  if (!dialog) return alert(text);
  const paragraphs = text.split("\n").map((line) => Object.assign(document.createElement("p"), { textContent: line }));
  dialog.querySelector(".body")?.replaceChildren(...paragraphs);
  if (!dialog.open) dialog.showModal();
  if (failure.status === 419 || failure.status === 410) dialog.addEventListener("close", () => void leave(), { once: true });
}

// leave ends the session, which goes on at the server if something between answered
// for it.
async function leave(): Promise<void> {
  await fetch(`${home()}logout`, { method: "POST", credentials: "same-origin", headers: { Accept: "application/json" } }).catch(() => undefined);
  clearSession();
  allowLeaving();
  location.assign(home());
}

// texts returns the messages that the error dialog of the page has.
export function texts(dialog: HTMLDialogElement | null): Texts {
  const { server = "{status}", timeout = "", later = "", offline = "" } = dialog?.dataset ?? {};
  return { server, timeout, later, offline };
}

function messageInJSON(body: string): string | undefined {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    return typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}

function decode(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
