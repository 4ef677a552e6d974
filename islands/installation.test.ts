import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { $, fire, open, serve, settle, type Asked } from "./page.test-setup.ts";
import { watchRules } from "./installation.ts";

const EFFECT = "/manage/use/install/effect";
const PAGE = `<form data-effect="${EFFECT}">
    <input name="version" value="1"><input id="minimum" name="windows.minimum" value="6.3"><input id="url" name="windows.url" value=""><input id="allowed" type="checkbox" name="windows.allowed" value="1" checked>
    <span id="effect-windows">10</span>
  </form>
  <section id="effect">10 people</section>`;

let asked: Asked[];
let answers: Record<string, () => Response>;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  open(PAGE);
  watchRules();
  answers = {};
  asked = serve(answers);
});

async function type(selector: string, value: string): Promise<void> {
  $<HTMLInputElement>(selector).value = value;
  fire(selector, "input");
  mock.timers.tick(299);
  assert.equal(asked.some(({ body }) => body.includes(`minimum=${value}`)), false);
  mock.timers.tick(1);
  await settle();
}

test("a version is asked about after a pause, and the answer replaces its parts of the page", async () => {
  answers[`POST ${EFFECT}`] = () => new Response('<section id="effect">25 people</section><span id="effect-windows">25</span><span id="effect-linux">0</span>');
  $<HTMLInputElement>("#minimum").value = "6";
  fire("#minimum", "input");
  await type("#minimum", "6.4");
  assert.deepEqual(asked, [{ url: EFFECT, method: "POST", body: "version=1&windows.minimum=6.4&windows.url=&windows.allowed=1" }]);
  assert.equal($("#effect").textContent, "25 people");
  assert.equal($("#effect-windows").textContent, "25");
});

test("a version that cannot be read yet, and a failure, leave the page as it is", async () => {
  answers[`POST ${EFFECT}`] = () => new Response("<section id=effect>refused</section>", { status: 422 });
  await type("#minimum", "6.");
  answers[`POST ${EFFECT}`] = () => new Response("{}", { status: 500 });
  await type("#minimum", "6.5");
  assert.equal(asked.length, 2);
  assert.equal($("#effect").textContent, "10 people");
});

test("closing a system is asked about", async () => {
  answers[`POST ${EFFECT}`] = () => new Response('<span id="effect-windows">0</span>');
  $<HTMLInputElement>("#allowed").checked = false;
  fire("#allowed", "input");
  mock.timers.tick(300);
  await settle();
  assert.deepEqual(asked, [{ url: EFFECT, method: "POST", body: "version=1&windows.minimum=6.3&windows.url=" }]);
  assert.equal($("#effect-windows").textContent, "0");
});

test("a field without an effect on people asks nothing", async () => {
  await type("#url", "https://hanbit.example");
  assert.deepEqual(asked, []);
});
