import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { fromHints, fromUserAgent } from "./browser.ts";
import { loadChunk } from "./chunks.ts";
import { copyFrom, textOf } from "./copy.ts";
import { dialogs, openDialog } from "./dialogs.ts";
import { explain, messageOf, report } from "./failure.ts";
import { filters, isLongEnough } from "./filters.ts";
import { isDirty } from "./guard.ts";
import { Loadbar } from "./loadbar.ts";
import { menus } from "./menus.ts";
import { $, click, fire, json, open, serve, settle } from "./page.test-setup.ts";
import { request } from "./request.ts";
import { toast, toasts } from "./toast.ts";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  open();
});

const texts = { server: "Failed to communicate with the server : {status}", timeout: "Connection timed out", later: "Please try again later", offline: "No connection" };

test("the error catalogue", () => {
  for (const [failure, sentence] of [
    [{ status: 500, message: "details" }, "Failed to communicate with the server : 500"],
    [{ status: 0, timeout: true }, "Connection timed out"],
    [{ status: 0 }, "Please try again later"],
    [{ status: 409, message: "Somebody else changed it" }, "Somebody else changed it"],
    [{ status: 502 }, "Please try again later"],
  ] as const) {
    assert.equal(explain(failure, texts), sentence);
  }
  Object.assign(globalThis, { navigator: { onLine: false } });
  for (const [failure, sentence] of [
    [{ status: 0 }, "No connection"],
    [{ status: 0, timeout: true }, "Connection timed out"],
    [{ status: 502 }, "Please try again later"],
  ] as const) {
    assert.equal(explain(failure, texts), sentence);
  }
});

test("the server's message is found in JSON, in a header and in a page", () => {
  const of = (type: string, more = {}) => new Headers({ "Content-Type": type, ...more });
  assert.equal(messageOf('{"message":"taken"}', of("application/json")), "taken");
  assert.equal(messageOf('{"message":7}', of("application/json")), undefined);
  assert.equal(messageOf("{", of("application/json")), undefined);
  assert.equal(messageOf("", of("text/html", { "X-Message": encodeURIComponent("한글\n둘째") })), "한글\n둘째");
  assert.equal(messageOf("", of("text/html", { "X-Message": "100 %" })), "100 %");
  assert.equal(messageOf('<html><head><meta name="message" content="gone"></head></html>', of("text/html; charset=utf-8")), "gone");
  assert.equal(messageOf("plain", of("text/plain")), undefined);
});

test("a failure is shown in paragraphs, and 410 signs out and leads home", async () => {
  open('<dialog id="error-dialog" data-server="{status}" data-timeout="t" data-later="l"><div class="body"></div><button data-close>OK</button></dialog>');
  dialogs();
  sessionStorage.setItem("auth.local", "{}");
  report({ status: 410, message: "one\ntwo <b>" });
  assert.deepEqual([...document.querySelectorAll(".body p")].map((p) => p.textContent), ["one", "two <b>"]);
  const led = mock.method(location, "assign", () => undefined);
  const asked = serve({ "POST /logout": () => new Response(null, { status: 204 }) });
  click("[data-close]");
  await settle();
  assert.deepEqual(asked.map(({ method, url }) => `${method} ${url}`), ["POST /logout"]);
  assert.equal(sessionStorage.getItem("auth.local"), null);
  assert.deepEqual(led.mock.calls[0]?.arguments, ["/"]);
});

test("a script's failed request is shown and thrown, an expected status is returned", async () => {
  open('<dialog id="error-dialog" data-later="later"><div class="body"></div></dialog>');
  serve({ "GET /a": () => json(409, { message: "taken" }) });
  assert.equal((await request("/a", { expected: [409] })).status, 409);
  assert.equal($<HTMLDialogElement>("dialog").open, false);
  await assert.rejects(request("/a"), /409/);
  assert.equal($(".body").textContent, "taken");
  await assert.rejects(request("/unreachable"));
  assert.equal($(".body").textContent, "later");
});

test("the loading bar waits 200 ms and runs for at most 5000 ms", () => {
  open('<main aria-label="content"></main>');
  const loadbar = new Loadbar();
  const shown = () => document.querySelector<HTMLElement>(".loadbar")?.hidden === false;
  loadbar.begin()();
  mock.timers.tick(300);
  assert.equal(shown(), false, "a quick answer shows no bar");
  const end = loadbar.begin();
  mock.timers.tick(199);
  assert.equal(shown(), false);
  mock.timers.tick(1);
  assert.equal(shown(), true);
  assert.equal($("main").getAttribute("aria-busy"), "true");
  mock.timers.tick(5000);
  assert.equal(shown(), false);
  end();
  end();
  assert.equal($("main").hasAttribute("aria-busy"), false);
  const [one, other] = [loadbar.begin(), loadbar.begin()];
  mock.timers.tick(200);
  one();
  assert.equal(shown(), true, "one of two is still waited for");
  other();
  assert.equal(shown(), false);
});

test("a menu with a delay opens 100 ms after the click", () => {
  open('<button popovertarget="me" data-delay="100">menu</button><div id="me" popover></div>');
  const menu = $("#me");
  const state = { open: false };
  Object.assign(menu, {
    matches: () => state.open,
    showPopover: () => (state.open = true),
    hidePopover: () => (state.open = false),
  });
  menus();
  click("button");
  mock.timers.tick(99);
  assert.equal(state.open, false);
  mock.timers.tick(1);
  assert.equal(state.open, true);
  click("button");
  mock.timers.tick(100);
  assert.equal(state.open, false);
});

test("the menu of a table's rows is filled for the row that opens it", () => {
  const button = (row: number, state: string) => `<button popovertarget="m" data-row="${row}" data-state="${state}"></button>`;
  open(`${button(4, "on")}${button(7, "default")}<div id="m" popover><a href="/en/policies/communication/1/delete?back=%2Fp%2F2" data-states="on off"></a>
    <form action="/en/policies/communication/1/enabling" data-states="on off"><button data-states="on"></button><button data-states="off"></button></form>
    <a class="query" href="/ja/manage/links/common?edit=1&amp;page=1"></a></div>`);
  const state = { open: false };
  Object.assign($("#m"), { matches: () => state.open, showPopover: () => (state.open = true), hidePopover: () => (state.open = false) });
  menus();
  const hidden = () => [...document.querySelectorAll<HTMLElement>("[data-states]")].map((e) => e.hidden);
  click("[data-row='4']");
  assert.deepEqual(
    [$("#m a").getAttribute("href"), $("#m form").getAttribute("action"), $("#m .query").getAttribute("href"), hidden(), state.open],
    ["/en/policies/communication/4/delete?back=%2Fp%2F2", "/en/policies/communication/4/enabling", "/ja/manage/links/common?edit=4&page=1", [false, false, false, true], false], // the browser opens it
  );
  state.open = true;
  click("[data-row='7']");
  assert.deepEqual([$("#m a").getAttribute("href"), hidden(), state.open], ["/en/policies/communication/7/delete?back=%2Fp%2F2", [true, true, true, true], true]);
});

test("a menu that opens takes the focus, and the arrows and letters move it", async () => {
  open('<div class="menu" popover id="m"><button hidden></button><a href="/a">a</a><button disabled></button><button id="b"></button><a href="/c" id="c">c</a></div>');
  for (const item of document.querySelectorAll<HTMLElement>("#m *")) item.checkVisibility = () => !item.hidden;
  menus();
  $("#m").dispatchEvent(Object.assign(new Event("toggle"), { newState: "open" }));
  const press = (key: string) => document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const at = () => document.activeElement?.id || document.activeElement?.textContent;
  const seen = [at()];
  for (const key of ["ArrowDown", "End", "ArrowDown", "ArrowUp", "Home"]) press(key), seen.push(at());
  assert.deepEqual(seen, ["a", "b", "c", "a", "c", "a"]);
  assert.equal(press("Tab"), true, "other keys have their usual effect");
  press("c");
  await until(() => at() === "c");
});

test("a chunk that fails reloads the page once in 60 s", async () => {
  let [reloads, now] = [0, 1_000_000];
  const fail = () => loadChunk(() => Promise.reject(new Error("gone")), () => now, () => reloads++);
  const silent = mock.method(console, "error", () => undefined);
  assert.equal(await fail(), null);
  now += 59_999;
  await fail();
  assert.equal(reloads, 1);
  now += 1;
  await fail();
  assert.equal(reloads, 2);
  assert.equal(await loadChunk(async () => 7), 7);
  now += 60_000;
  mock.getter(navigator, "onLine", () => false);
  await fail();
  assert.equal(reloads, 2, "without a connection");
  silent.mock.restore();
});

test("filters submit themselves after a change, and after typing two characters or none", () => {
  open('<form data-auto><input type="search" name="q"><select name="state"><option value=""></option><option value="on">on</option></select></form>', "https://console.test/p?q=ab");
  filters();
  let sent = 0;
  $("form").addEventListener("submit", () => sent++);
  $<HTMLFormElement>("form").requestSubmit = () => sent++;
  const type = (text: string) => {
    $<HTMLInputElement>("input").value = text;
    fire("input", "input");
    mock.timers.tick(300);
  };
  type("a");
  assert.equal(sent, 0, "one letter");
  type("ab");
  assert.equal(sent, 0, "what the address says already");
  type("abc");
  assert.equal(sent, 1);
  type("");
  assert.equal(sent, 2);
  $<HTMLInputElement>("input").value = "x";
  fire("input", "input");
  mock.timers.tick(299);
  $<HTMLSelectElement>("select").value = "on";
  fire("select", "change");
  assert.equal(sent, 3);
  assert.deepEqual(["", " ", "김", "김철", "𠮷野"].map(isLongEnough), [true, true, false, true, true]);
});

test("kana are searched when the word is chosen, and Hangul while it is composed", () => {
  open('<form data-auto><input type="search" name="q"></form>', "https://console.test/p");
  filters();
  const sent: string[] = [];
  $<HTMLFormElement>("form").requestSubmit = () => void sent.push($<HTMLInputElement>("input").value);
  const type = (text: string, more: { isComposing?: boolean } = { isComposing: true }) => {
    $<HTMLInputElement>("input").value = text;
    $("input").dispatchEvent(Object.assign(new Event("input", { bubbles: true }), more));
    mock.timers.tick(300);
  };
  for (const text of ["や", "やｍ", "やま", "やまだ"]) type(text);
  type("やまだ", {}); // as resumeFilters does after a swap
  assert.deepEqual(sent, []);
  type("山田");
  fire("input", "compositionend");
  mock.timers.tick(300);
  type("さとう");
  fire("input", "compositionend");
  mock.timers.tick(300);
  assert.deepEqual(sent, ["山田", "山田", "さとう"]);
  sent.length = 0;
  type("김ㅁ");
  type("やま", { isComposing: false });
  assert.deepEqual(sent, ["김ㅁ", "やま"]);
});

test("a date is sent after a pause of typing or when the focus leaves it, and not with a year before its min", () => {
  open('<form data-auto><input type="date" name="date" value="2026-11-28" min="1900-01-01"><input type="month" name="month"></form>', "https://console.test/p");
  filters();
  const sent: string[] = [];
  const send = () => $("form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })) && sent.push($<HTMLInputElement>("input").value);
  $<HTMLFormElement>("form").requestSubmit = () => void send();
  $<HTMLFormElement>("form").checkValidity = () => [...document.querySelectorAll("input")].every(({ value, min }) => value === "" || value >= min); // the small DOM compares no dates
  const type = (value: string, selector = "[name=date]") => {
    $<HTMLInputElement>(selector).value = value;
    fire(selector, "change");
  };
  fire("[name=date]", "focusout");
  assert.deepEqual(sent, [], "nothing was typed");
  for (const year of ["0002", "0020", "0202"]) {
    type(`${year}-11-28`);
    mock.timers.tick(5000);
    fire("[name=date]", "focusout");
  }
  assert.deepEqual(sent, []);
  type("2025-01-28");
  mock.timers.tick(599);
  type("2025-12-28");
  mock.timers.tick(599);
  assert.deepEqual(sent, []);
  mock.timers.tick(1);
  assert.deepEqual(sent, ["2025-12-28"]);
  type("2025-12-29");
  fire("[name=date]", "focusout");
  mock.timers.tick(5000);
  assert.deepEqual(sent, ["2025-12-28", "2025-12-29"]);
  type("2024-11", "[name=month]");
  mock.timers.tick(600);
  assert.equal(sent.length, 3);
});

test("a guarded form is dirty once a field differs from the page", () => {
  open(`<form data-guard><input name="a" value="1"><input type="checkbox" name="b" checked><textarea name="c">x</textarea>
    <select name="d"><option>1</option><option>2</option></select><input type="hidden" name="e" value="h"></form>`);
  const form = $<HTMLFormElement>("form");
  assert.equal(isDirty(form), false);
  const undo = (change: () => void, back: () => void) => (change(), assert.equal(isDirty(form), true), back(), assert.equal(isDirty(form), false));
  undo(() => ($<HTMLInputElement>("[name=a]").value = "2"), () => ($<HTMLInputElement>("[name=a]").value = "1"));
  undo(() => ($<HTMLInputElement>("[name=b]").checked = false), () => ($<HTMLInputElement>("[name=b]").checked = true));
  undo(() => ($<HTMLTextAreaElement>("[name=c]").value = "y"), () => ($<HTMLTextAreaElement>("[name=c]").value = "x"));
  undo(() => ($<HTMLSelectElement>("[name=d]").value = "2"), () => ($<HTMLSelectElement>("[name=d]").value = "1"));
  form.dataset["guard"] = "dirty";
  assert.equal(isDirty(form), true, "the server refused it and shows what was typed");
});

test("dialogs close by their controls", () => {
  open('<dialog id="leave"><button data-close>close</button></dialog>');
  dialogs();
  openDialog("leave");
  assert.equal($<HTMLDialogElement>("dialog").open, true);
  click("[data-close]");
  assert.equal($<HTMLDialogElement>("dialog").open, false);
});

test("a toast appears and disappears", () => {
  open('<div class="toasts" role="status"><div class="toast">from the server</div></div>');
  toasts();
  toasts();
  toast("Copied <b>");
  assert.deepEqual([...document.querySelectorAll(".toast")].map((box) => box.textContent), ["from the server", "Copied <b>"]);
  mock.timers.tick(4999);
  assert.equal(document.querySelectorAll(".toast").length, 2);
  mock.timers.tick(1);
  assert.equal(document.querySelectorAll(".toast").length, 0);
});

test("a toast that a page takes over from the one before has its own time", () => {
  open('<div class="toasts" role="status"><div class="toast">first <button>undo</button></div></div>');
  toasts();
  mock.timers.tick(8_000);
  $(".toast").removeAttribute("data-expires"); // as morphing does
  toasts();
  mock.timers.tick(9_999);
  assert.equal(document.querySelectorAll(".toast").length, 1);
  mock.timers.tick(1);
  assert.equal(document.querySelectorAll(".toast").length, 0);
});

test("facts are copied as lines of term and value", async () => {
  open('<dl id="facts"><dt>Company</dt><dd> Hanbit \n <code>1</code></dd><dt>Browser</dt><dd>Chrome</dd></dl><p id="p"> a  b </p><button data-copy="facts"></button>');
  assert.equal(textOf($("#facts")), "Company: Hanbit 1\nBrowser: Chrome");
  assert.equal(textOf($("#p")), "a b");
  const written = mock.method(navigator.clipboard, "writeText", async () => undefined);
  assert.equal(await copyFrom($("button")), true);
  assert.deepEqual(written.mock.calls[0]?.arguments, ["Company: Hanbit 1\nBrowser: Chrome"]);
});

test("browsers are named by client hints and by user agent", () => {
  const brands = [{ brand: "Not)A;Brand", version: "8" }, { brand: "Chromium", version: "142" }, { brand: "Google Chrome", version: "142" }];
  assert.equal(fromHints({ brands, platform: "Windows", platformVersion: "15.0.0" }), "Chrome 142 · Windows 11");
  assert.equal(fromHints({ brands, platform: "Windows", platformVersion: "10.0.0" }), "Chrome 142 · Windows 10");
  assert.equal(fromHints({ brands: brands.slice(0, 2), platform: "macOS", platformVersion: "26.1.0" }), "Chromium 142 · macOS 26");
  for (const [agent, text] of [
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox 145 · Windows"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15", "Safari 26 · macOS"],
    ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0", "Edge 142 · Windows"],
    ["something else", ""],
  ] as const) {
    assert.equal(fromUserAgent(agent), text);
  }
});

// until waits for a script that is loaded on demand.
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
