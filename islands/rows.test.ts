import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { $, click, open } from "./page.test-setup.ts";
import { watchRows } from "./rows.ts";

const row = (id: number) => `
  <tr id="row-${id}"><td class="pick"><input type="checkbox" data-pick></td><th><a href="/p/${id}">${id}</a></th>
    <td class="plain">text</td><td><button>menu</button><input type="search"></td></tr>`;

let opened: string[];

beforeEach(() => {
  open(`<table class="table opens"><tbody id="list"><tr><th colspan="4">Monday</th></tr>${row(1)}${row(2)}${row(3)}</tbody></table>`);
  opened = [];
  for (const link of document.querySelectorAll("a")) link.addEventListener("click", (event) => (event.preventDefault(), opened.push(link.textContent)));
  watchRows();
});

// press sends a key to the element that has the focus and returns whether it was handled.
const press = (key: string, more: KeyboardEventInit = {}) =>
  !(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
const focused = () => document.activeElement?.closest("tr")?.id;
const picked = () => [...document.querySelectorAll<HTMLInputElement>("[data-pick]")].map((box) => box.checked);

test("arrows, Home and End move from row to row, and leave the ends to the page", () => {
  $("#row-1 a").focus();
  assert.equal(press("ArrowUp"), false);
  assert.equal(press("ArrowDown"), true);
  assert.equal(focused(), "row-2");
  press("End");
  assert.equal(focused(), "row-3");
  assert.equal(press("ArrowDown"), false);
  press("Home");
  assert.equal(focused(), "row-1");
});

test("arrows do nothing without a row, in a field, and with Control", () => {
  assert.equal(press("ArrowDown"), false);
  $("#row-1 [type=search]").focus();
  assert.equal(press("ArrowDown"), false);
  assert.equal(press("x"), false);
  $("#row-1 a").focus();
  assert.equal(press("ArrowDown", { ctrlKey: true }), false);
});

test("Space and X pick, and Shift with an arrow extends the selection", () => {
  $("#row-1 a").focus();
  assert.equal(press(" "), true);
  assert.deepEqual(picked(), [true, false, false]);
  press("ㅌ", { code: "KeyX" });
  assert.deepEqual(picked(), [false, false, false]);
  press("ArrowDown", { shiftKey: true });
  assert.deepEqual(picked(), [true, true, false]);
  press("ArrowDown", { shiftKey: true });
  assert.deepEqual(picked(), [true, true, true]);
  $("#row-2 button").focus();
  assert.equal(press(" "), false, "a button is pressed by Space");
});

test("on a checkbox the arrows move to checkboxes, and Enter opens the row", () => {
  $("#row-1 [data-pick]").focus();
  press("ArrowDown");
  assert.equal(document.activeElement, $("#row-2 [data-pick]"));
  assert.equal(press("Enter"), true);
  assert.deepEqual(opened, ["2"]);
});

test("a click on a row opens it, but not one on a control or at the end of selecting text", () => {
  click("#row-2 .plain");
  click("#row-1 button");
  assert.deepEqual(opened, ["2"]);
  document.getSelection = () => ({ toString: () => "text" }) as Selection;
  click("#row-3 .plain");
  document.getSelection = () => null;
  assert.deepEqual(opened, ["2"]);
  click("#row-3 .plain");
  assert.deepEqual(opened, ["2", "3"]);
});
