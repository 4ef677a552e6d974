import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { $, click, open, settle } from "./page.test-setup.ts";
import { beginWait } from "./waiting.ts";

let stopped = 0;
const isOpen = () => $<HTMLDialogElement>("#waiting").open;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  stopped = 0;
  open('<dialog id="waiting" data-stopped="look whether it was saved"><button id="wait">wait</button><button data-stop>stop</button></dialog><div class="toasts"></div>');
});

test("a response within 10 s asks nothing", () => {
  const end = beginWait(() => stopped++);
  mock.timers.tick(9999);
  end();
  mock.timers.tick(10_000);
  assert.equal(isOpen(), false);
});

test("after 10 s the person may wait on, until the response closes the question", async () => {
  const end = beginWait(() => stopped++);
  mock.timers.tick(10_000);
  assert.equal(isOpen(), true);
  click("#wait");
  await settle();
  assert.deepEqual([isOpen(), stopped], [false, 0]);
  end();

  const other = beginWait(() => stopped++);
  mock.timers.tick(10_000);
  other();
  await settle();
  assert.deepEqual([isOpen(), stopped], [false, 0]);
});

test("stopping ends the request and says that it may have been saved", async () => {
  beginWait(() => stopped++);
  mock.timers.tick(10_000);
  click("[data-stop]");
  await settle();
  assert.deepEqual([isOpen(), stopped, $(".toast").textContent], [false, 1, "look whether it was saved"]);
});
