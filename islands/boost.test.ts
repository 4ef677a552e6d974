import assert from "node:assert/strict";
import { before, beforeEach, mock, test } from "node:test";
import { $, type Asked, open, serve } from "./page.test-setup.ts";

// The script is loaded once, so all tests share one page, in the order of a visit.
let asked: Asked[] = [];
let arrivals = 0;

const next = () => new Response("<!doctype html><html><body><main>Next</main></body></html>", { headers: { "Content-Type": "text/html" } });

before(async () => {
  open('<main><p>text</p><a id="next" href="/next">next</a><form action="/save"><button name="of" value="1">save</button></form><form id="one" method="post" action="/one"></form><form id="two" method="post" action="/two"></form></main>');
  document.body.dataset["session"] = "{}";
  const { boost } = await import("./boost.ts");
  const { Loadbar } = await import("./loadbar.ts");
  boost(new Loadbar(), { mayNavigate: () => true, arrived: () => arrivals++, updateIsland: () => false });
});

beforeEach(() => {
  asked = serve({ "GET /next": next, "GET /save": next, "POST /one": next, "POST /two": next });
});

test("a click with a modifier, and links that htmx leaves to the browser, do not wait", () => {
  for (const attributes of ['href="#main"', 'href="/next" target="_blank"', 'href="/next" download', 'href="/next" data-hx-boost="false"', 'href="https://elsewhere.example/"']) {
    $("p").innerHTML = `<a ${attributes}>link</a>`;
    assert.equal(isHeld("p a"), false, attributes);
  }
  assert.equal(isHeld("#next", { ctrlKey: true }), false);
});

test("a page that htmx left is loaded when the person goes back to it", () => {
  const reloaded = mock.method(location, "reload", () => undefined);
  const goBack = (state: object | null) => window.dispatchEvent(Object.assign(new Event("popstate"), { state }));
  goBack(null);
  assert.equal(reloaded.mock.callCount(), 0);
  goBack({ htmx: true });
  assert.equal(reloaded.mock.callCount(), 1);
});

test("links and forms that are used first are done without loading the page: all changes, and the latest link", async () => {
  const submit = (selector: string) => $(selector).dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  submit("#one");
  assert.equal(isHeld("#next"), true);
  submit("#two");
  assert.equal(isHeld("#next"), true);
  assert.equal(isHeld("#next"), true);
  await until(() => arrivals > 2);
  assert.deepEqual(asked.map(({ url }) => url), ["/one", "/two", "/next"]);
  assert.equal($("main").textContent, "Next");
});

test("without navigation and a connection a form stays, and says so each time", async () => {
  open('<dialog id="error-dialog" data-offline="no connection"><div class="body"></div></dialog><form method="post" action="/one"><input name="n"></form>');
  document.body.dataset["session"] = "{}";
  const { boost } = await import("./boost.ts");
  const { Loadbar } = await import("./loadbar.ts");
  mock.method(console, "error", () => undefined);
  boost(new Loadbar(), undefined as never); // navigation cannot start
  const isHeldForm = () => !$("form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  const connection = mock.getter(navigator, "onLine", () => false);
  const dialog = $<HTMLDialogElement>("#error-dialog");
  for (let time = 0; time < 2; time++) {
    assert.equal(isHeldForm(), true);
    await until(() => dialog.open);
    assert.equal($(".body").textContent, "no connection");
    dialog.close();
  }
  connection.mock.restore();
  assert.equal(isHeldForm(), false, "the browser sends it");
});

// isHeld returns whether a click is kept from all other listeners and from the browser.
function isHeld(selector: string, init: MouseEventInit = {}): boolean {
  let reached = false;
  const listen = (event: Event) => ((reached = true), event.preventDefault());
  document.addEventListener("click", listen, { once: true });
  $(selector).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...init }));
  document.removeEventListener("click", listen);
  return !reached;
}

async function until(is: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !is(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
}
