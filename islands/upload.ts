// The files of a form: [data-upload] with a file input and a list [data-files].
// Each chosen file gets a row: its MD5 is computed, then it is sent, three at a
// time. A file that failed can be sent again alone; the form cannot be saved
// until every file is confirmed or removed.
import { endLeaving } from "./guard.ts";
import { md5Of } from "./md5.ts";
import { FileRow, type Texts } from "./upload-row.ts";
import { send } from "./upload-send.ts";
import { fill } from "./words.ts";

const AT_ONCE = 3;

const rows = new WeakMap<Element, FileRow>();
const waiting: FileRow[] = [];
let running = 0;

// watchUploads begins to listen; it is called once.
export function watchUploads(): void {
  document.addEventListener("change", (event) => {
    const input = event.target as HTMLInputElement;
    const place = placeOf(input);
    if (!place || input.type !== "file") return;
    add(place, [...(input.files ?? [])]);
    input.value = "";
  });
  document.addEventListener("dragover", (event) => void (placeOf(event.target as Element) && event.preventDefault()));
  document.addEventListener("drop", (event) => {
    const place = placeOf(event.target as Element);
    if (!place) return;
    event.preventDefault();
    add(place, [...(event.dataTransfer?.files ?? [])]);
  });
  document.addEventListener("click", (event) => clicked(event.target as Element));
  window.addEventListener("submit", keepUnfinished, true);
}

function placeOf(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>("[data-upload]");
}

function textsOf(place: HTMLElement): Texts {
  return JSON.parse(place.dataset["texts"]!) as Texts;
}

function add(place: HTMLElement, files: File[]): void {
  const list = place.querySelector("[data-files]")!;
  for (const file of files) {
    const row = new FileRow(file, textsOf(place), place.dataset["upload"]!);
    rows.set(row.element, row);
    const full = shown(place).length >= Number(place.dataset["most"]);
    list.append(row.element);
    if (full) row.refuse("too_many");
    else if (file.size > Number(place.dataset["largest"])) row.refuse("too_large");
    else if (file.size === 0) row.refuse("empty");
    else waiting.push(row);
  }
  refresh(place);
  work();
}

function shown(place: HTMLElement): HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>("[data-files] > li:not([hidden])")];
}

// work starts as many of the waiting files as may run.
function work(): void {
  while (running < AT_ONCE && waiting.length > 0) {
    const row = waiting.shift()!;
    running++;
    void upload(row).finally(() => (running--, work()));
  }
}

async function upload(row: FileRow): Promise<void> {
  let sum: string;
  try {
    sum = await md5Of(row.file, (share) => row.check(share), row.signal);
  } catch {
    return finish(row, () => row.fail("md5"));
  }
  try {
    const { id, name } = await send(row.url, row.file, sum, (share) => row.send(share), row.signal);
    finish(row, () => row.confirm(id, name));
  } catch (error) {
    finish(row, () => row.fail("failed", (error as Error).message));
  }
}

function finish(row: FileRow, show: () => void): void {
  if (row.signal.aborted) return;
  show();
  const place = placeOf(row.element);
  if (place) refresh(place);
}

function clicked(target: Element): void {
  const place = placeOf(target);
  const item = target.closest<HTMLElement>("[data-files] > li");
  if (!place || !item) return;
  const row = rows.get(item);
  if (target.closest("[data-retry-file]") && row) {
    row.wait();
    waiting.push(row);
    refresh(place);
    work();
  }
  if (target.closest("[data-remove-file]")) remove(place, item, row);
}

// remove takes a file from the form, and moves the focus to the next one.
function remove(place: HTMLElement, item: HTMLElement, row: FileRow | undefined): void {
  row?.abort();
  if (row && waiting.includes(row)) waiting.splice(waiting.indexOf(row), 1);
  const all = shown(place);
  const next = all[all.indexOf(item) + 1] ?? all[all.indexOf(item) - 1];
  (next?.querySelector<HTMLElement>("[data-remove-file]") ?? place.querySelector<HTMLElement>("input[type=file]"))?.focus();
  const box = item.querySelector<HTMLInputElement>("[name=attachment_id]");
  if (box) box.checked = false; // so that the form has changed
  if (row) item.remove();
  else item.hidden = true;
  refresh(place);
}

// refresh writes how many files there are, and whether the form can be saved.
function refresh(place: HTMLElement): void {
  const all = shown(place);
  const done = all.filter((item) => item.dataset["state"] === "done").length;
  place.querySelector("[data-files-count]")!.textContent = `${all.length}/${place.dataset["most"]}`;
  const status = all.length > 0 ? fill(textsOf(place).count, { n: all.length, done }) : "";
  place.querySelector("[data-files-status]")!.textContent = status;
  const unfinished = done < all.length;
  for (const button of document.querySelectorAll("[data-save]")) button.setAttribute("aria-disabled", String(unfinished));
  document.querySelector<HTMLElement>("[data-unfinished]")?.toggleAttribute("hidden", !unfinished);
}

// keepUnfinished stops a form whose files are not all confirmed, and moves the
// focus to the first of them.
function keepUnfinished(event: Event): void {
  const unfinished = (event.target as Element).querySelector<HTMLElement>("[data-files] > li:not([hidden]):not([data-state=done])");
  if (!unfinished) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  endLeaving();
  (unfinished.querySelector<HTMLElement>("[data-retry-file]") ?? unfinished.querySelector<HTMLElement>("[data-remove-file]"))?.focus();
}
