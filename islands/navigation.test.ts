import assert from "node:assert/strict";
import { before, beforeEach, mock, test } from "node:test";
import { $, type Asked, click, json, open, serve } from "./page.test-setup.ts";

// htmx attaches itself to the page into which it is loaded, so all tests share
// one page.
let asked: Asked[] = [];
let arrivals: boolean[] = [];
let noted: boolean[] = [];
let mayNavigate = true;

const html = (body: string, status = 200, head = "") => () =>
  new Response(`<!doctype html><html lang="ja"><head><title>Next</title>${head}</head><body hx-boost:inherited="true">${body}</body></html>`, {
    status,
    headers: { "Content-Type": "text/html; charset=utf-8" },
  });

const dialogs = `<dialog id="error-dialog" data-server="failed : {status}" data-timeout="timeout" data-later="later" data-offline="no connection"><div class="body"></div></dialog>
  <dialog id="leave"><button>stay</button><button data-leave>leave</button></dialog>`;

before(async () => {
  open();
  document.body.setAttribute("hx-boost:inherited", "true");
  const { navigation } = await import("./navigation.ts");
  const { Loadbar } = await import("./loadbar.ts");
  const { updateIsland } = await import("./mounts.ts");
  navigation(new Loadbar(), { mayNavigate: () => mayNavigate, arrived: (whole, isNoted) => (arrivals.push(whole), noted.push(isNoted)), updateIsland });
});

beforeEach(() => {
  mayNavigate = true;
  arrivals = [];
  noted = [];
  delete document.documentElement.dataset["leaving"];
});

test("following a link morphs the page, and resets its fields", async () => {
  await show('<main id="main"><a href="/next">next</a><input name="q" value="a"><input type="checkbox" name="c"></main>');
  $<HTMLInputElement>("[name=q]").value = "typed";
  $<HTMLInputElement>("[name=c]").checked = true;
  const field = $("[name=q]");
  await go("a", { "GET /next": html('<main id="main"><a href="/next">next</a><input name="q" value="a"><input type="checkbox" name="c"></main>') });
  assert.equal(document.title, "Next");
  assert.equal(document.documentElement.lang, "ja");
  assert.equal($("[name=q]"), field, "the field is the same element");
  assert.equal($<HTMLInputElement>("[name=q]").value, "a");
  assert.equal($<HTMLInputElement>("[name=c]").checked, false);
  assert.deepEqual(arrivals, [true]);
});

test("the language is set only when it changes", async () => {
  const page = '<main id="main"><a href="/next">next</a></main>';
  const follow = async (): Promise<number> => {
    await show(page);
    const set = mock.method(document.documentElement, "setAttribute");
    await go("a", { "GET /next": html(page) });
    return set.mock.calls.filter(({ arguments: [name] }) => name === "lang").length;
  };
  document.documentElement.lang = "ko";
  assert.equal(await follow(), 1);
  assert.equal(document.documentElement.lang, "ja");
  assert.equal(await follow(), 0);
  mock.restoreAll();
});

test("what a filter found is said once, and nothing on another page or over a toast", async () => {
  const links = [..."abc"].map((q) => `<a id="${q}" href="/policies?q=${q}">${q}</a>`).join("") + '<a id="next" href="/next">next</a>';
  const page = (found: string, toast = "") => `<main id="main">${links}${found}</main><div class="toasts" id="toasts" role="status">${toast}</div>`;
  const rows = (count: string) => `<nav class="pager"><span>${count}</span><span class="row">next</span></nav>`;
  const follow = async (selector: string, next: string) => {
    await go(selector, { "GET /policies": html(next), "GET /next": html(next) });
    return [...document.querySelectorAll(".toasts .vh")].map((line) => line.textContent);
  };
  await show(page(rows("9")));
  await follow("#next", page(rows("8")));
  assert.deepEqual(await follow("#a", page(rows("7"))), [], "another page says its name");
  assert.deepEqual(await follow("#b", page(rows("2"))), ["2"]);
  assert.deepEqual(await follow("#a", page(rows("2"))), ["2"]);
  assert.deepEqual(await follow("#a", page(rows("2"))), [], "nothing else was asked for");
  assert.deepEqual(await follow("#b", page('<div class="empty"><h2>None</h2></div>')), ["None"]);
  assert.deepEqual(await follow("#c", page(rows("5"), '<div class="toast">Saved</div>')), []);
});

test("a page that was requested ahead is shown without another request, and a form drops it", async () => {
  await show('<main id="main"><a href="/next">next</a><form method="post" action="/save"></form></main>');
  const next = html('<main id="main"><a href="/next">next</a><form method="post" action="/save"></form>next</main>' + dialogs);
  mock.timers.enable({ apis: ["setTimeout"] });
  const rest = () => {
    history.replaceState({}, "", "/policies");
    asked = serve({ "GET /next": next, "POST /save": () => json(422, { message: "refused" }) });
    for (const target of ["main", "a"]) $(target).dispatchEvent(new Event("focusin", { bubbles: true }));
    mock.timers.tick(80);
  };
  rest();
  $("a").click();
  await pause();
  assert.deepEqual([asked.map(({ url }) => url), noted], [["/next"], [false]]);
  assert.match($("main").textContent!, /next$/);
  rest();
  $("form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  await pause();
  $<HTMLDialogElement>("#error-dialog").close();
  $("a").click();
  await pause();
  mock.timers.reset();
  assert.deepEqual(asked.map(({ method, url }) => `${method} ${url}`), ["GET /next", "POST /save", "GET /next"]);
  assert.deepEqual(noted, [false, true]);
});

test("a link is not morphed into another kind of link, nor a field into another field", async () => {
  await show('<main id="main"><a id="" href="/next">next</a><p><input name="one"></p><p><a href="/a">a</a></p></main>');
  const [field, link] = [$("[name=one]"), $("p a")];
  await go("a", { "GET /next": html('<main id="main"><a href="/next">next</a><p><input name="two"></p><p><a href="/a" target="_blank">a</a></p></main>') });
  assert.notEqual($("[name=two]"), field);
  assert.notEqual($("p a"), link);
});

test("a failed request leaves the page and is shown", async () => {
  await show('<main id="main"><a href="/next">next</a></main>');
  await go("a", { "GET /next": html("broken", 500) });
  assert.equal($("#error-dialog .body").textContent, "failed : 500");
  assert.equal($("main a").textContent, "next");
  assert.deepEqual(arrivals, []);
  $<HTMLDialogElement>("#error-dialog").close();
  mock.method(console, "error", () => undefined); // htmx reports it there as well
  await go("a", {});
  assert.equal($("#error-dialog .body").textContent, "later");
  await go("a", { "GET /next": () => json(409, { message: "taken" }) });
  assert.equal($("#error-dialog .body").textContent, "taken");
});

test("without a connection a form says so, and what was typed stays", async () => {
  await show('<main id="main"><form method="post" action="/save"><input name="n"></form></main>');
  $<HTMLInputElement>("[name=n]").value = "typed";
  mock.method(console, "error", () => undefined); // htmx reports it there as well
  mock.getter(navigator, "onLine", () => false);
  await send("form", {});
  assert.equal($("#error-dialog .body").textContent, "no connection");
  assert.equal($<HTMLInputElement>("[name=n]").value, "typed");
  assert.equal($("form").hasAttribute("aria-busy"), false);
});

test("a page that is not found is shown as a page", async () => {
  await show('<main id="main"><a href="/missing">next</a></main>');
  await go("a", { "GET /missing": html("<h1>404</h1>", 404) });
  assert.equal($("h1").textContent, "404");
});

test("a refused form is the page that the server renders, a refusal without a page is a dialog", async () => {
  await show('<main id="main"><form method="post" action="/save"><input name="n"></form></main>');
  $<HTMLInputElement>("[name=n]").value = "x";
  const save = (answer: () => Response) => send("form", { "POST /save": answer });
  await save(html('<main id="main"><form method="post" action="/save"><input name="n" value="x"><p class="error">no</p></form></main>' + dialogs, 422));
  assert.equal($(".error").textContent, "no");
  assert.equal(asked[0]?.body, "n=x");
  await save(() => json(422, { message: "refused" }));
  assert.equal($("#error-dialog .body").textContent, "refused");
});

test("a change says for whom the page sends it", async () => {
  await show('<main id="main"><form method="post" action="/save"></form></main>');
  document.body.dataset["session"] = JSON.stringify({ user_id: 7, company_id: 1 });
  serve({ "POST /save": () => json(422, { message: "refused" }) });
  const sent = mock.method(window, "fetch");
  submit("form");
  await pause();
  assert.equal(new Headers(sent.mock.calls[0]!.arguments[1]!.headers as HeadersInit).get("Console-Person"), "1/7");
  delete document.body.dataset["session"];
});

test("a form requests with its fields, without the empty ones and the old query", async () => {
  await show('<main id="main"><form action="/list?old=1"><input name="q" value="ab"><input name="state" value=""></form></main>');
  await send("form", { "GET /list": html('<main id="main"></main>') });
  assert.equal(asked[0]?.url, "/list?q=ab");
});

test("leaving a guarded form with changes asks first", async () => {
  await show('<main id="main"><a href="/next">next</a><form data-guard><input name="n"></form></main>');
  $<HTMLInputElement>("[name=n]").value = "typed";
  await go("a", { "GET /next": html('<main id="main">gone</main>') });
  assert.equal($<HTMLDialogElement>("#leave").open, true);
  assert.equal(asked.length, 0);
  $("#leave button").click();
  assert.equal($<HTMLInputElement>("[name=n]").value, "typed");
  await go("a", { "GET /next": html('<main id="main">gone</main>') });
  $("#leave [data-leave]").click();
  await pause();
  assert.equal($("main").textContent, "gone");
});

test("a link within a guarded form asks, too, and the form's own submission does not", async () => {
  await show('<main id="main"><form method="post" action="/save" data-guard><input name="n"><a href="/next">cancel</a></form><form method="post" action="/other" data-guard id="other"></form></main>');
  $<HTMLInputElement>("[name=n]").value = "typed";
  await go("a", { "GET /next": html("gone") });
  assert.equal($<HTMLDialogElement>("#leave").open, true);
  $("#leave button").click();
  await send("#other", { "POST /other": html("gone") });
  assert.equal($<HTMLDialogElement>("#leave").open, true, "another form would lose it");
  $("#leave button").click();
  await send("form", { "POST /save": html('<main id="main">saved</main>') });
  assert.equal($("main").textContent, "saved");
});

test("a link that keeps what was typed does not ask", async () => {
  await show('<main id="main"><a href="/form?n=typed" data-unguarded>back</a><form data-guard="dirty"></form></main>');
  await go("a", { "GET /form": html('<main id="main">form</main>') });
  assert.equal($("main").textContent, "form");
});

test("a page that is returned to gives the focus to the link that led away, also on a row that was rendered anew", async () => {
  const list = (rows: string) => `<main id="main"><table><tbody>${rows}</tbody></table></main>`;
  const row = (id: number, text: string) => `<tr><td><a href="/records/${id}">${text}</a></td></tr>`;
  await show('<main id="main"><a href="/list?date=1">list</a></main>');
  await go("a", { "GET /list": html(list(row(1, "one") + row(2, "two"))) });
  $("[href='/records/2']").focus();
  const record = '<main id="main"><h1>two</h1><a href="/list?date=1" data-dismiss>close</a></main>';
  await go("[href='/records/2']", { "GET /records/2": html(record) });
  assert.equal(document.activeElement, $("main"));
  await go("[data-dismiss]", { "GET /list": html(list(row(3, "three") + row(2, "two, edited"))) });
  assert.equal(document.activeElement?.textContent, "two, edited");
  await go("[href='/records/2']", { "GET /records/2": html(record) });
  await go("[data-dismiss]", { "GET /list": html(list(row(3, "three"))) });
  assert.equal(document.activeElement, $("main"), "its row is gone");
});

test("closing a dialog that differs only in its query returns the focus to the link that opened it", async () => {
  const list = '<main id="main"><a href="/list?edit=1">one</a><a href="/list?edit=2">two</a></main>';
  await show('<main id="main"><a href="/list">list</a></main>');
  await go("a", { "GET /list": html(list) });
  $("[href='/list?edit=2']").focus();
  const dialog = '<main id="main"><a href="/list?edit=1">one</a><a href="/list?edit=2">two</a><dialog id="edit"><a href="/list" data-dismiss>close</a></dialog></main>';
  await go("[href='/list?edit=2']", { "GET /list": html(dialog) });
  $("[data-dismiss]").focus();
  await go("[data-dismiss]", { "GET /list": html(list) });
  assert.equal(document.activeElement?.textContent, "two");
});

test("a question that closes gives the focus back, and one that was opened again has its own", async () => {
  const list = '<main id="main"><a href="/list?new=1">new</a></main>';
  const question = '<main id="main"><a href="/list?new=1">new</a><dialog id="new" data-question open><p tabindex="-1">refused</p></dialog></main>';
  await show('<main id="main"><a href="/list">list</a></main>');
  await go("a", { "GET /list": html(list) });
  await go("[href='/list?new=1']", { "GET /list": html(question) });
  const dialog = $<HTMLDialogElement>("#new");
  for (const isOpen of [true, false]) {
    $("#new p").focus();
    dialog.open = isOpen;
    dialog.dispatchEvent(new Event("close"));
    assert.equal(document.activeElement, isOpen ? $("#new p") : $("[href='/list?new=1']"));
  }
});

test("undoing from a message moves the focus to the message about it", async () => {
  const toasts = (toast: string) => `<main id="main">list</main><div class="toasts" role="status">${toast}</div>`;
  await show('<main id="main"><a href="/list">list</a></main>');
  await go("a", { "GET /list": html(toasts('<div class="toast"><span>Deleted</span><form method="post" action="/list"><button>Undo</button></form></div>')) });
  $(".toast button").focus();
  await send(".toast form", { "POST /list": html(toasts('<div class="toast"><p>Restored</p></div>')) });
  assert.equal(document.activeElement?.textContent, "Restored");
});

const two = '<form id="one" method="post" action="/one"></form><form id="two" method="post" action="/two"></form><a href="/next">next</a>';

test("a change is not lost by the next one or by a link: they wait for it", async () => {
  await show(`<main id="main">${two}</main>`);
  const [first, second] = [deferred(), deferred()];
  asked = serve({ "POST /one": () => first.response, "POST /two": () => second.response, "GET /next": html('<main id="main">next</main>') });
  submit("#one");
  submit("#two");
  submit("#two"); // twice by mistake
  $("a").click();
  await pause();
  assert.deepEqual(asked.map(({ url }) => url), ["/one"]);
  first.answer(html(`<main id="main">${two}<p>one</p></main>`)());
  await pause();
  assert.deepEqual(asked.map(({ url }) => url), ["/one", "/two"]);
  assert.equal($("p").textContent, "one");
  second.answer(html('<main id="main">two</main>')());
  await pause();
  assert.deepEqual(asked.map(({ url }) => url), ["/one", "/two", "/next"]);
  assert.equal($("main").textContent, "next");
});

test("what waits for a change that is refused is not done, and its message stays", async () => {
  await show(`<main id="main">${two}</main>`);
  const first = deferred();
  asked = serve({ "POST /one": () => first.response, "POST /two": html("two"), "GET /next": html("next") });
  submit("#one");
  submit("#two");
  $("a").click();
  first.answer(html(`<main id="main">${two}<p>refused</p></main>`, 422)());
  await pause();
  assert.deepEqual(asked.map(({ url }) => url), ["/one"]);
  assert.equal($("p").textContent, "refused");
  submit("#two");
  await pause();
  assert.deepEqual(asked.map(({ url }) => url), ["/one", "/two"], "later uses are done");
});

test("a form of several things is sent for each of them once", async () => {
  await show('<main id="main"><form id="one" method="post" action="/one" data-hx-sync="queue all" data-several><input name="item"></form></main>');
  const page = html('<main id="main"><form id="one" method="post" action="/one" data-hx-sync="queue all" data-several><input name="item"></form></main>');
  asked = serve({ "POST /one": page });
  for (const item of ["a", "b", "b", "c"]) {
    $<HTMLInputElement>("[name=item]").value = item;
    submit("#one");
  }
  await pause();
  assert.deepEqual(asked.map(({ body }) => body), ["item=a", "item=b", "item=c"]);
});

test("a form without a response asks after ten seconds, and stopping leaves it as it is", async () => {
  await show('<main id="main"><form method="post" action="/save"><input name="n" value="a"></form></main><dialog id="waiting" data-stopped="stopped"><button data-stop>stop</button></dialog><div class="toasts"></div>');
  mock.timers.enable({ apis: ["setTimeout"] });
  const hang = () => new Promise<Response>(() => undefined) as unknown as Response;
  await send("form", { "POST /save": hang });
  mock.timers.tick(9_999);
  assert.equal($<HTMLDialogElement>("#waiting").open, false);
  mock.timers.tick(1);
  assert.equal($<HTMLDialogElement>("#waiting").open, true);
  click("[data-stop]");
  await pause();
  mock.timers.reset();
  assert.equal($<HTMLInputElement>("[name=n]").value, "a");
  assert.equal($(".toast").textContent, "stopped");
  assert.equal($<HTMLDialogElement>("#error-dialog").open, false);
});

test("the session may stop navigation, and the browser then loads the page whole", async () => {
  await show('<main id="main"><a href="/next">next</a></main>');
  mayNavigate = false;
  const led = mock.method(location, "assign", () => undefined);
  await go("a", {});
  assert.deepEqual([asked.length, led.mock.calls[0]?.arguments], [0, ["/next"]]);
});

test("a page of another release and a response that is no page are loaded whole", async () => {
  await show('<script type="text/plain" src="/static/main-OLD1.js"></script><main id="main"><a href="/next">next</a></main>');
  const led = mock.method(location, "assign", () => undefined);
  await go("a", { "GET /next": html("new", 200, '<script type="module" src="/static/main-NEW2.js"></script>') });
  await go("a", { "GET /next": () => new Response("a,b", { headers: { "Content-Type": "text/csv" } }) });
  assert.equal(led.mock.callCount(), 2);
  assert.equal($("main a").textContent, "next");
});

async function show(body: string): Promise<void> {
  const { default: htmx } = await import("htmx.org");
  mock.restoreAll();
  document.body.innerHTML = body + dialogs;
  (htmx as unknown as { process(root: Element, force?: boolean): void }).process(document.body, true);
}

async function go(link: string, answers: Record<string, () => Response>): Promise<void> {
  asked = serve(answers);
  $(link).click();
  await pause();
}

async function send(form: string, answers: Record<string, () => Response>): Promise<void> {
  asked = serve(answers);
  submit(form);
  await pause();
}

function submit(form: string): void {
  $(form).dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
}

// deferred is a response that comes when the test gives it.
function deferred(): { response: Response; answer: (response: Response) => void } {
  let answer!: (response: Response) => void;
  const response = new Promise<Response>((resolve) => (answer = resolve)) as unknown as Response;
  return { response, answer };
}

// pause waits for the few turns that htmx needs for an immediate response.
async function pause(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}
