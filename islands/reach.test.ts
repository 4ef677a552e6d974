import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { resumeReach, watchReach } from "./reach.ts";
import { $, fire, open, serve, settle, type Asked } from "./page.test-setup.ts";

const REACH = "/policies/communication/1/reach";
const PAGE = `<form id="policy"><input name="name" value="a"><input name="session_time_sec" value="60"></form>
  <select name="when" form="policy"><option value="now" selected></option></select>
  <span data-reach="${REACH}" hidden>
    <button type="button" popovertarget="reach"><span id="reach-text"></span></button>
    <button type="button" data-reach-again hidden></button><span data-reach-refused hidden></span>
  </span>
  <section id="reach"><div id="reach-body"></div></section>`;

let asked: Asked[];
let answers: Record<string, () => Response>;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  open(PAGE);
  watchReach();
  answers = {};
  asked = serve(answers);
});

async function type(selector: string, value: string): Promise<void> {
  $<HTMLInputElement>(selector).value = value;
  fire(selector, "input");
  mock.timers.tick(400);
  await settle();
}

// shown are the parts of the slot that can be seen.
function shown(): string[] {
  const parts = { count: "[popovertarget]", again: "[data-reach-again]", refused: "[data-reach-refused]" };
  return Object.entries(parts).flatMap(([name, selector]) => ($(selector).hidden || $("[data-reach]").hidden ? [] : [name]));
}

test("a change is counted after a pause, once", async () => {
  answers[`POST ${REACH}`] = () => new Response('<span id="reach-text">3</span><div id="reach-body">map</div>');
  for (const value of ["3", "30"]) {
    $<HTMLInputElement>("[name=session_time_sec]").value = value;
    fire("[name=session_time_sec]", "input");
    mock.timers.tick(399);
  }
  assert.deepEqual(asked, []);
  assert.deepEqual(shown(), []);
  mock.timers.tick(1);
  await settle();
  assert.deepEqual(asked, [{ url: REACH, method: "POST", body: "name=a&session_time_sec=30&when=now" }]);
  assert.equal($("#reach-text").textContent + $("#reach-body").textContent, "3map");
  assert.deepEqual(shown(), ["count"]);
});

test("texts affect nobody", async () => {
  await type("[name=name]", "b");
  assert.deepEqual(asked, []);
});

test("what is refused, and a count that fails, say so; a failed one is repeated", async () => {
  answers[`POST ${REACH}`] = () => new Response("{}", { status: 422 });
  await type("[name=session_time_sec]", "1");
  assert.deepEqual(shown(), ["refused"]);
  answers[`POST ${REACH}`] = () => new Response("{}", { status: 500 });
  await type("[name=session_time_sec]", "20");
  assert.deepEqual(shown(), ["again"]);
  answers[`POST ${REACH}`] = () => new Response('<span id="reach-text">4</span>');
  $("[data-reach-again]").click();
  await settle();
  assert.deepEqual(shown(), ["count"]);
  assert.equal($("#reach-text").textContent, "4");
});

test("a form with unsaved input is counted at once", async () => {
  answers[`POST ${REACH}`] = () => new Response('<span id="reach-text">5</span>');
  resumeReach();
  await settle();
  assert.deepEqual(asked, []);
  $("[data-reach]").setAttribute("data-reach-typed", "");
  resumeReach();
  await settle();
  assert.equal($("#reach-text").textContent, "5");
});

test("what was changed before the count began to listen is counted at once", async () => {
  answers[`POST ${REACH}`] = () => new Response('<span id="reach-text">6</span>');
  $<HTMLInputElement>("[name=name]").value = "b";
  resumeReach();
  await settle();
  assert.deepEqual(asked, []);
  $<HTMLInputElement>("[name=session_time_sec]").value = "30";
  resumeReach();
  await settle();
  assert.equal($("#reach-text").textContent, "6");
});
