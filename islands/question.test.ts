import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { $, click, open } from "./page.test-setup.ts";
import { pick } from "./pick.ts";
import { questions, openDialogs } from "./question.ts";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

test("a question in the page becomes modal, and a button in it says no", () => {
  open('<dialog id="q" data-question open><button data-dismiss>No</button></dialog>');
  questions();
  const raised = mock.method($<HTMLDialogElement>("#q"), "showModal");
  openDialogs();
  assert.equal(raised.mock.callCount(), 1);
  click("[data-dismiss]");
  assert.equal($<HTMLDialogElement>("#q").open, false);
});

test("Escape says no, also where that is a link", () => {
  open('<dialog id="q" data-question open><a data-dismiss href="#back">No</a></dialog>');
  questions();
  let followed = 0;
  $("[data-dismiss]").addEventListener("click", (event) => (event.preventDefault(), followed++));
  const cancel = new Event("cancel", { cancelable: true });
  $("#q").dispatchEvent(cancel);
  assert.equal(cancel.defaultPrevented, true);
  assert.equal(followed, 1);
});

test("without a question the focus moves to what was refused", () => {
  open('<main><div role="alert" tabindex="-1" autofocus id="summary"></div></main>');
  openDialogs();
  assert.equal(document.activeElement?.id, "summary");
});

test("ticked boxes are counted, and the one in the head ticks all", () => {
  open(`<form id="bulk"><output data-picked="{n} selected"></output></form>
    <input type="checkbox" data-pick-all><input type="checkbox" data-pick id="a"><input type="checkbox" data-pick id="b">`);
  const [head, a, b] = [$<HTMLInputElement>("[data-pick-all]"), $<HTMLInputElement>("#a"), $<HTMLInputElement>("#b")];
  a.checked = true;
  pick(a);
  assert.equal($("[data-picked]").textContent, "1 selected");
  assert.deepEqual([head.checked, head.indeterminate], [false, true]);
  head.checked = true;
  pick(head);
  assert.deepEqual([a.checked, b.checked, head.indeterminate], [true, true, false]);
  assert.equal($("[data-picked]").textContent, "2 selected");
  a.checked = b.checked = false;
  pick($("#bulk"));
  mock.timers.tick(0);
  assert.equal($("[data-picked]").textContent, "0 selected");
  assert.equal(head.checked, false);
});
