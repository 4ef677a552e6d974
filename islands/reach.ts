// Whom saving a policy would affect: [data-reach] in the save bar. While the form is
// edited, the server counts it, and the popover with the departments follows. Loaded
// only for the pages of policies.
import { isChanged } from "./guard.ts";
import { request } from "./request.ts";

const PAUSE = 400;

// What nobody's policy depends on.
const TEXTS = ["name", "description", "reason", "owner", "find", ""];

let timer: ReturnType<typeof setTimeout> | undefined;
let running: AbortController | undefined;

// watchReach begins to listen; it is called once.
export function watchReach(): void {
  for (const type of ["input", "change"]) {
    document.addEventListener(type, (event) => {
      const field = event.target as HTMLInputElement;
      if (slot() && field.form?.id === "policy" && !TEXTS.includes(field.name)) countSoon();
    });
  }
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    if (target.closest("[data-reach-again]")) void count();
    if (target.closest("[data-add-row], [data-remove-row], [data-clear]") && slot()) countSoon();
  });
  document.addEventListener("keydown", (event) => {
    const open = document.querySelector<HTMLElement>("#reach:popover-open");
    if (event.key !== "Escape" || !open || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    open.hidePopover();
    document.querySelector<HTMLElement>("[popovertarget=reach]")?.focus();
  });
}

// resumeReach counts a form that already holds unsaved input: the server rendered it with
// what was typed, or a field was changed before this file had arrived.
export function resumeReach(): void {
  if (slot()?.hasAttribute("data-reach-typed") || isEdited()) void count();
}

function isEdited(): boolean {
  const form = document.querySelector<HTMLFormElement>("form#policy");
  return slot() !== null && [...(form?.elements ?? [])].some((field) => isChanged(field) && !TEXTS.includes((field as HTMLInputElement).name));
}

function slot(): HTMLElement | null {
  return document.querySelector<HTMLElement>("[data-reach]");
}

// countSoon waits until nothing is typed for a moment. An answer to an earlier count is
// not wanted any more.
function countSoon(): void {
  running?.abort();
  clearTimeout(timer);
  timer = setTimeout(() => void count(), PAUSE);
}

async function count(): Promise<void> {
  const place = slot();
  const form = document.querySelector<HTMLFormElement>("form#policy");
  if (!place || !form) return;
  running?.abort();
  const own = (running = new AbortController());
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  try {
    const answer = await request(place.dataset["reach"]!, { method: "POST", body, quiet: true, expected: [409, 422], signal: own.signal, headers: { Accept: "text/html", "HX-Request": "true" } });
    const html = await answer.text();
    if (own.signal.aborted) return;
    if (answer.ok) replaceParts(html);
    show(place, answer.ok ? "counted" : "refused");
  } catch {
    if (!own.signal.aborted) show(place, "failed");
  }
}

function replaceParts(html: string): void {
  for (const part of [...new DOMParser().parseFromString(html, "text/html").body.children]) document.getElementById(part.id)?.replaceWith(part);
}

// show says how the last count ended. A count that was refused leaves the button, with
// what was counted before, out.
function show(place: HTMLElement, state: "counted" | "refused" | "failed"): void {
  place.hidden = false;
  place.querySelector<HTMLElement>("[popovertarget]")!.hidden = state !== "counted";
  place.querySelector<HTMLElement>("[data-reach-again]")!.hidden = state !== "failed";
  place.querySelector<HTMLElement>("[data-reach-refused]")!.hidden = state !== "refused";
  if (state !== "counted") document.querySelector<HTMLElement>("#reach:popover-open")?.hidePopover();
}
