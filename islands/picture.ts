// A file input [data-picture=ID] shows the chosen picture in the element with the id
// before it is saved. It is drawn on a canvas, which needs no exception in the
// Content-Security-Policy as an address of a blob would. [name=image_md5] of the form
// gets the MD5 of the file, which the server checks. Loaded with the first choice.
import { md5Of } from "./md5.ts";

// What a canvas replaced. It belongs to the canvas, because a response may morph
// the frame meanwhile: then the saved picture is what was there.
const replaced = new WeakMap<Element, Node[]>();
const latest = new WeakMap<HTMLInputElement, AbortController>();

// showPicture shows what an input has chosen; nothing chosen shows what was there.
export async function showPicture(input: HTMLInputElement): Promise<void> {
  latest.get(input)?.abort();
  const choice = new AbortController();
  latest.set(input, choice);
  const frame = document.getElementById(input.dataset["picture"]!);
  const file = input.files?.[0];
  await Promise.all([noteSum(input, file, choice.signal), frame && replace(frame, file, choice.signal)]);
}

// replace shows a file in the frame. What the browser cannot read is left to the
// server, which says why it refuses it.
async function replace(frame: HTMLElement, file: File | undefined, signal: AbortSignal): Promise<void> {
  const picture = file && (await createImageBitmap(file).catch(() => null));
  if (!signal.aborted) {
    restore(frame);
    if (file && picture) draw(frame, picture, file.name);
  }
  picture?.close();
}

function restore(frame: Element): void {
  const canvas = frame.querySelector("canvas");
  const nodes = canvas && replaced.get(canvas);
  if (nodes) frame.replaceChildren(...nodes);
}

// draw draws a picture at twice the size of the frame at most, for dense screens.
function draw(frame: HTMLElement, picture: ImageBitmap, name: string): void {
  const scale = Math.min(1, (2 * Math.max(frame.clientWidth, frame.clientHeight)) / Math.min(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.className = frame.dataset["pictureClass"] ?? "";
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", name);
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  replaced.set(canvas, [...frame.childNodes]);
  frame.replaceChildren(canvas);
}

// noteSum writes the MD5 of a file into the form, or says that it could not be read.
async function noteSum(input: HTMLInputElement, file: File | undefined, signal: AbortSignal): Promise<void> {
  const sum = input.form?.querySelector<HTMLInputElement>("[name=image_md5]");
  const failed = input.form?.querySelector<HTMLElement>("[data-md5-failed]");
  if (!sum || !failed) return;
  sum.value = "";
  failed.hidden = true;
  if (!file) return;
  try {
    sum.value = await md5Of(file, () => undefined, signal);
  } catch {
    failed.hidden = signal.aborted;
  }
}
