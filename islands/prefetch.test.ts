import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { $, type Asked, open, serve } from "./page.test-setup.ts";
import { dropPrefetched, fetchPrefetched, prefetchLinks } from "./prefetch.ts";

const page = (status = 200) => () => new Response(status === 204 ? null : "page", { status });

let asked: Asked[] = [];

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  open(`<a id="one" href="/one#part"><b>one</b></a><a id="two" href="/two">two</a><a id="here" href="/policies#main">here</a><p>text</p>
    <a class="no" href="https://elsewhere.example/one">elsewhere</a><a class="no" href="/one" download>file</a><a class="no" href="/one" target="_blank">tab</a>
    <a class="no" href="/one" data-hx-boost="false">whole</a><a class="no">none</a>`);
  prefetchLinks();
  asked = serve({ "GET /one": page(), "GET /two": page(), "GET /logs/5": page(204), "GET /logs/7-2026-11-20": page(204) });
});

afterEach(() => {
  dropPrefetched();
  mock.timers.reset();
});

test("a page is requested once when the pointer rests on its link, and answers the link", async () => {
  hover("#one");
  mock.timers.tick(79);
  assert.equal(asked.length, 0);
  hover("#one b");
  mock.timers.tick(1);
  assert.deepEqual(asked.map(({ url }) => url), ["/one"]);
  assert.equal(await answer("/one"), "page");
  assert.equal(fetchPrefetched("/one"), undefined, "it is shown once");
  assert.equal(asked.length, 1);
});

test("passing over a link requests nothing, and another link's page replaces the first", () => {
  hover("#one");
  mock.timers.tick(40);
  hover("p");
  mock.timers.tick(200);
  assert.equal(asked.length, 0);
  rest("#one");
  $("#two").dispatchEvent(new Event("focusin", { bubbles: true }));
  mock.timers.tick(80);
  assert.deepEqual(asked.map(({ url }) => url), ["/one", "/two"]);
  assert.equal(fetchPrefetched("/one"), undefined);
});

test("links that do not lead to another page of the console are not requested, nor by touch, nor to save data", () => {
  for (const link of document.querySelectorAll(".no, #here")) rest(link);
  hover("#one", "touch");
  mock.timers.tick(80);
  Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
  rest("#one");
  assert.equal(asked.length, 0);
});

test("a page is forgotten after five seconds and after a change", () => {
  rest("#one");
  mock.timers.tick(5_000);
  assert.equal(fetchPrefetched("/one"), undefined);
  hover("p");
  rest("#one");
  dropPrefetched();
  assert.equal(fetchPrefetched("/one"), undefined);
  assert.equal(asked.length, 2);
});

test("a page that the server refuses is requested when it is opened, and its kind not again", async () => {
  $("#two").setAttribute("href", "/logs/5");
  rest("#two");
  assert.equal(await answer("/logs/5"), "");
  assert.deepEqual(asked.map(({ url }) => url), ["/logs/5", "/logs/5"]);
  $("#one").setAttribute("href", "/logs/7-2026-11-20");
  rest("#one");
  assert.equal(asked.length, 2);
});

test("giving up a request gives up the page that it waits for", () => {
  let signal: AbortSignal | undefined;
  globalThis.fetch = (_, init) => ((signal = init!.signal!), new Promise<Response>(() => undefined));
  rest("#one");
  const aborter = new AbortController();
  void fetchPrefetched("/one")!("/one", { signal: aborter.signal });
  assert.equal(signal?.aborted, false);
  aborter.abort();
  assert.equal(signal?.aborted, true);
});

async function answer(url: string): Promise<string> {
  return (await fetchPrefetched(url)!(url)).text();
}

function hover(target: string | Element, pointerType = "mouse"): void {
  const element = typeof target === "string" ? $(target) : target;
  element.dispatchEvent(Object.assign(new Event("pointerover", { bubbles: true }), { pointerType }));
}

function rest(target: string | Element): void {
  hover(target);
  mock.timers.tick(80);
}
