import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { FAILED } from "./failure.ts";
import { $, json, open, serve } from "./page.test-setup.ts";
import { openSupport } from "./support.ts";

const DRAWER = '<dialog id="support"><dl><dd data-browser></dd></dl><button data-close>close</button></dialog>';

beforeEach(() => open('<a href="/support" data-support>support</a>'));

const link = () => $<HTMLAnchorElement>("[data-support]");

test("the drawer is requested once and opened each time", async () => {
  const asked = serve({ "GET /support": () => new Response(DRAWER) });
  await Promise.all([openSupport(link()), openSupport(link())]);
  assert.equal($<HTMLDialogElement>("#support").open, true);
  assert.notEqual($("[data-browser]").textContent, "");
  $<HTMLDialogElement>("#support").close();
  await openSupport(link());
  assert.equal($<HTMLDialogElement>("#support").open, true);
  assert.deepEqual(asked.map(({ url }) => url), ["/support"]);
});

test("a drawer that cannot be loaded is requested again", async () => {
  const said: string[] = [];
  const listen = (event: Event) => (event.preventDefault(), said.push((event as CustomEvent).detail.message));
  document.addEventListener(FAILED, listen, { once: true });
  serve({ "GET /support": () => json(503, { message: "busy" }) });
  await assert.rejects(openSupport(link()));
  assert.deepEqual(said, ["busy"]);
  assert.equal(document.querySelector("#support"), null);
  serve({ "GET /support": () => new Response(DRAWER) });
  await openSupport(link());
  assert.equal($<HTMLDialogElement>("#support").open, true);
});
