import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { openCommand } from "./command.ts";
import { $, open, settle } from "./page.test-setup.ts";

type Asked = { q: string | null; answer: (response: Response) => void; signal: AbortSignal };

let asked: Asked[];
let visited: string[];

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  open(`<a data-command href="/search"><span>Search</span></a>
    <dialog id="error-dialog" data-later="Try again later." data-timeout="Timed out." data-server="Failed: {status}"></dialog>`);
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  asked = [];
  visited = [];
  const fetch = (url: string, { signal }: { signal: AbortSignal }) =>
    new Promise<Response>((answer, refuse) => {
      asked.push({ q: new URL(url).searchParams.get("q"), answer, signal });
      signal.addEventListener("abort", () => refuse(new Error("aborted")));
    });
  Object.assign(globalThis, { fetch });
  openCommand($<HTMLAnchorElement>("[data-command]"), { visit: (url) => visited.push(new URL(url).pathname) });
});

const field = () => $<HTMLInputElement>(".command input");
const selected = () => field().getAttribute("aria-activedescendant");

function html(...names: string[]): Response {
  const groups = names.map(
    (name) => `<div role="group"><a role="option" id="${name}" href="/${name}"></a>
      <div class="command-actions"><a role="option" id="${name}-1" href="/${name}/1" data-action></a><a role="option" id="${name}-2" href="/${name}/2" data-action></a></div>
      <a role="option" id="${name}-all" href="/${name}/all"></a></div>`,
  );
  return new Response(`<div class="command-found" data-count="${names.length} results" data-text="Find">${groups.join("")}</div>`, { headers: { "Content-Type": "text/html" } });
}

function type(text: string, isComposing = false): void {
  field().value = text;
  field().dispatchEvent(Object.assign(new Event("input", { bubbles: true }), { isComposing }));
}

function press(key: string, more: Partial<KeyboardEvent> = {}): Event {
  const event = Object.assign(new Event("keydown", { bubbles: true, cancelable: true }), { key, isComposing: false, keyCode: 0, ...more });
  field().dispatchEvent(event);
  return event;
}

async function found(...names: string[]): Promise<void> {
  asked.at(-1)!.answer(html(...names));
  await settle();
}

test("an older answer never replaces a newer one", async () => {
  type("김");
  type("김민");
  assert.deepEqual(asked.map(({ q }) => q), [null, "김", "김민"]);
  assert.ok(asked[0]!.signal.aborted && asked[1]!.signal.aborted);
  await found("new");
  asked[1]!.answer(html("old"));
  await settle();
  assert.equal(selected(), "new");
  assert.equal(document.querySelector("#old"), null);
});

test("keys move over rows, into actions and to the next group", async () => {
  type("김민");
  await found("a", "b");
  const path = (...keys: string[]) => keys.map((key) => (press(key), selected()));
  assert.deepEqual(path("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"), ["a-1", "a-2", "a-2", "a-1", "a"]);
  assert.deepEqual(path("ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp"), ["a-1", "a-all", "b", "a-all"]);
  assert.deepEqual(path("Tab", "Tab"), ["b", "a"]);
  assert.equal(press("Tab", { shiftKey: true }).defaultPrevented, true);
  assert.equal(selected(), "b");
  assert.deepEqual(path("ArrowDown", "ArrowDown", "ArrowUp"), ["b-all", "a", "b-all"]);
  assert.equal(press("ArrowLeft").defaultPrevented, false, "the caret moves");
  assert.equal(press("/").defaultPrevented, false);
});

test("→ moves the caret until it is at the end", async () => {
  type("김민");
  await found("a");
  field().setSelectionRange(0, 0);
  assert.equal(press("ArrowRight").defaultPrevented, false);
  assert.equal(selected(), "a");
});

test("Enter opens what is selected, also when it comes before the answer", async () => {
  type("김민");
  press("Enter");
  assert.deepEqual(visited, []);
  await found("a");
  assert.deepEqual(visited, ["/a"]);
  assert.equal(document.querySelector(".command"), null);
});

test("typing on after Enter does not open anything", async () => {
  type("김민");
  press("Enter");
  type("김민수");
  await found("a");
  assert.deepEqual(visited, []);
});

test("while a syllable is composed its keys are left alone, and it is searched", async () => {
  type("김ㅁ", true);
  await found("a");
  for (const more of [{ isComposing: true }, { keyCode: 229 }]) {
    for (const key of ["Enter", "ArrowDown", "Escape", "Tab"]) assert.equal(press(key, more).defaultPrevented, false, key);
  }
  assert.deepEqual(visited, []);
  type("김민", true);
  field().dispatchEvent(new Event("compositionend", { bubbles: true }));
  assert.deepEqual(asked.map(({ q }) => q), [null, "김ㅁ", "김민"], "the same text is not asked for twice");
  await found("b");
  press("Enter");
  assert.deepEqual(visited, ["/b"]);
});

test("kana are searched when the word is chosen", () => {
  type("やまだ", true);
  field().dispatchEvent(new Event("compositionend", { bubbles: true }));
  type("山田");
  assert.deepEqual(asked.map(({ q }) => q), [null, "やまだ", "山田"]);
  type("さと", true);
  assert.equal(asked.at(-1)!.q, "山田");
});

test("Escape clears the field and then closes", async () => {
  type("김민");
  await found("a");
  assert.equal(press("Escape").defaultPrevented, true);
  assert.equal(field().value, "");
  assert.equal(asked.at(-1)!.q, null);
  press("Escape");
  assert.equal(document.querySelector(".command"), null);
  assert.ok(asked.at(-1)!.signal.aborted);
});

test("the count is announced once", async () => {
  for (const text of ["김", "김민", "김민수"]) {
    type(text);
    await found(...text);
    mock.timers.tick(300);
    assert.equal($(".command [role=status]").textContent, "");
  }
  mock.timers.tick(600);
  assert.equal($(".command [role=status]").textContent, "3 results");
});

test("errors are in the dialog, and the next letter asks again", async () => {
  type("김민");
  asked.at(-1)!.answer(new Response('{"message":"Busy."}', { status: 503, headers: { "Content-Type": "application/json" } }));
  await settle();
  assert.equal($(".command [role=alert]").textContent, "Busy.");
  assert.equal(selected(), null);
  type("김민수");
  await found("a");
  assert.equal(document.querySelector(".command [role=alert]"), null);
  type("김");
  Object.assign(globalThis, { fetch: () => Promise.reject(new TypeError("Failed to fetch")) });
  type("김민");
  await settle();
  assert.equal($(".command [role=alert]").textContent, "Try again later.");
});

test("an ended session closes the dialog and asks to sign in", async () => {
  const failures: unknown[] = [];
  document.addEventListener("console:failed", (event) => (event.preventDefault(), failures.push((event as CustomEvent).detail.status)));
  type("김민");
  asked.at(-1)!.answer(new Response('{"message":"Ended."}', { status: 419, headers: { "Content-Type": "application/json" } }));
  await settle();
  assert.deepEqual(failures, [419]);
  assert.equal(document.querySelector(".command"), null);
});
