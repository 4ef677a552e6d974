// The form of a notice: form[data-notice]. A toolbar puts Markdown around the
// selection, the server renders the preview and says whom the notice reaches,
// and the title counts its characters. Loaded only for pages with the form.
import { request } from "./request.ts";
import { watchUploads } from "./upload.ts";

const PAUSE = 300;

// watchNotices begins to listen; it is called once.
export function watchNotices(): void {
  document.addEventListener("input", (event) => {
    const target = event.target as Element;
    if (!formOf(target)) return;
    countCharacters(target);
    if (target.id === "body") later("preview", () => showPreview(target as HTMLTextAreaElement));
  });
  document.addEventListener("change", (event) => {
    const form = formOf(event.target as Element);
    if (!form || !(event.target as Element).matches("[name=audience], [name=targets], [name=when], [name=date], [name=time]")) return;
    nameButton(form);
    later("summary", () => showSummary(form));
  });
  document.addEventListener("click", (event) => {
    const tool = (event.target as Element).closest<HTMLElement>("[data-tool]");
    const area = tool?.closest("form")?.querySelector<HTMLTextAreaElement>("#body");
    if (tool && area) write(area, tool.dataset["tool"]!, tool.dataset["word"] ?? "");
  });
  document.addEventListener("keydown", (event) => {
    const field = event.target as HTMLInputElement;
    const isSent = event.key === "Enter" && !event.isComposing && field.matches("form[data-notice] input[name=title], form[data-notice] input[name=date], form[data-notice] input[name=time]");
    if (!isSent) return;
    event.preventDefault(); // only the button publishes
    if (field.name === "title") field.form!.querySelector<HTMLElement>("#body")?.focus();
  });
  watchUploads();
}

function formOf(element: Element): HTMLFormElement | null {
  return element.closest<HTMLFormElement>("form[data-notice]");
}

const timers = new Map<string, ReturnType<typeof setTimeout>>();

// later runs the last of several calls after a pause.
function later(name: string, run: () => Promise<void>): void {
  clearTimeout(timers.get(name));
  timers.set(name, setTimeout(() => void run().catch(() => undefined), PAUSE)); // request has shown the failure
}

function countCharacters(target: Element): void {
  const place = document.querySelector(`[data-count-of="${CSS.escape(target.id)}"]`);
  if (target.id && place) place.textContent = [...(target as HTMLInputElement).value].length + place.textContent!.replace(/^\d+/, "");
}

// answers are the numbers of the last requests, so that a slow answer does not
// replace a later one.
const answers = new Map<string, number>();

async function answerOf(name: string, url: string, body: URLSearchParams): Promise<string | undefined> {
  const number = (answers.get(name) ?? 0) + 1;
  answers.set(name, number);
  const response = await request(url, { method: "POST", body, quiet: true, headers: { Accept: "text/html, text/plain" } });
  const text = await response.text();
  return answers.get(name) === number ? text : undefined;
}

// showPreview shows the body as the server renders it, which is safe HTML.
async function showPreview(area: HTMLTextAreaElement): Promise<void> {
  const html = await answerOf("preview", area.form!.dataset["preview"]!, new URLSearchParams({ body: area.value }));
  const place = document.querySelector("[data-preview-text]");
  if (html !== undefined && place) place.innerHTML = html;
}

async function showSummary(form: HTMLFormElement): Promise<void> {
  const sent = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && ["audience", "targets", "when", "date", "time"].includes(name)) sent.append(name, value);
  }
  const text = await answerOf("summary", form.dataset["summary"]!, sent);
  const place = document.querySelector("[data-summary-text] > b");
  if (text !== undefined && place) place.textContent = text;
}

function nameButton(form: HTMLFormElement): void {
  const button = document.querySelector<HTMLElement>("[data-save]");
  const when = form.querySelector<HTMLInputElement>("[name=when]:checked")?.value;
  if (button && when) button.textContent = button.dataset[when] ?? button.textContent;
}

// write puts the marks of a tool into the text, so that undo takes them back. word
// stands for an empty selection.
export function write(area: HTMLTextAreaElement, tool: string, word: string): void {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const { from, to, text, selection } = tool === "bold" ? bold(value, start, end, word) : marked(tool, value, start, end, word);
  area.focus();
  area.setSelectionRange(from, to);
  if (!document.execCommand?.("insertText", false, text)) {
    area.setRangeText(text, from, to, "end");
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  if (selection) area.setSelectionRange(...selection);
}

// A replacement of a part of the text, and what is selected after it: nothing unless
// selection is set.
type Replacement = { from: number; to: number; text: string; selection?: [from: number, to: number] };

const BOLD = "**";

// bold puts the selection between marks, or takes away those around or within it. The
// words stay selected, so that the tool reverts itself.
function bold(value: string, start: number, end: number, word: string): Replacement {
  const chosen = value.slice(start, end);
  const size = BOLD.length;
  if (start >= size && value.slice(start - size, start) === BOLD && value.slice(end, end + size) === BOLD) {
    return { from: start - size, to: end + size, text: chosen, selection: [start - size, end - size] };
  }
  if (chosen.length > 2 * size && chosen.startsWith(BOLD) && chosen.endsWith(BOLD)) {
    return { from: start, to: end, text: chosen.slice(size, -size), selection: [start, end - 2 * size] };
  }
  const words = chosen || word;
  return { from: start, to: end, text: BOLD + words + BOLD, selection: [start + size, start + size + words.length] };
}

// marked puts the marks of the other tools around the selection, or before its lines.
function marked(tool: string, value: string, start: number, end: number, word: string): Replacement {
  const lineStart = value.lastIndexOf("\n", start - 1) + 1;
  const chosen = value.slice(start, end) || word;
  const lines = (value.slice(lineStart, end) || word).split("\n");
  const before = (mark: string): Replacement => ({ from: lineStart, to: end, text: lines.map((line) => mark + line).join("\n") });
  switch (tool) {
    case "link":
      return { from: start, to: end, text: `[${chosen}](https://)` };
    case "heading":
      return before("# ");
    case "list":
      return before("- ");
    case "quote":
      return before("> ");
    default:
      return { from: start, to: end, text: `\n| ${chosen} | ${chosen} |\n| --- | --- |\n|  |  |\n` };
  }
}
