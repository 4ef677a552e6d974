import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { applyColumns, columns } from "./columns.ts";
import { $, fire, open } from "./page.test-setup.ts";
import * as store from "./store.ts";

const page = `
  <div data-column-menu><input type="checkbox" data-column="name" checked><input type="checkbox" data-column="when" checked></div>
  <table class="table" data-columns="communication">
    <colgroup><col data-col="name"><col data-col="when"></colgroup>
    <thead><tr><th data-col="name"><span class="grip" role="separator" tabindex="0"></span></th><th data-col="when"></th></tr></thead>
    <tbody><tr><td data-col="name"></td><td data-col="when"></td></tr></tbody></table>`;

beforeEach(() => {
  open(page);
  $("th").getBoundingClientRect = () => ({ width: 200 }) as DOMRect;
  columns(store);
  applyColumns();
});

const key = (name: string, shiftKey = false) =>
  $(".grip").dispatchEvent(new KeyboardEvent("keydown", { key: name, shiftKey, bubbles: true, cancelable: true }));

test("arrow keys change a column's width, which is stored for the section", () => {
  assert.equal($(".grip").getAttribute("aria-valuenow"), "200");
  key("ArrowRight");
  assert.equal($("col[data-col=name]").style.width, "216px");
  key("ArrowLeft", true);
  assert.equal($("col[data-col=name]").style.width, "136px");
  document.querySelector("colgroup")!.outerHTML = '<colgroup><col data-col="name"><col data-col="when"></colgroup>';
  applyColumns();
  assert.equal($("col[data-col=name]").style.width, "136px");
  fire(".grip", "dblclick");
  assert.equal($("col[data-col=name]").style.width, "");
});

test("a width has bounds, and other keys do nothing", () => {
  $("th").getBoundingClientRect = () => ({ width: 50 }) as DOMRect;
  key("ArrowLeft");
  assert.equal($("col[data-col=name]").style.width, "48px");
  assert.equal(key("a"), true);
});

test("columns are hidden and shown by the menu", () => {
  const box = $<HTMLInputElement>("[data-column=when]");
  box.checked = false;
  fire("[data-column=when]", "change");
  const hidden = () => [...document.querySelectorAll<HTMLElement>("[data-col=when]")].map((cell) => cell.hidden);
  assert.deepEqual(hidden(), [true, true, true]);
  box.checked = true;
  fire("[data-column=when]", "change");
  assert.deepEqual(hidden(), [false, false, false]);
});

test("stored settings of another section have no effect", () => {
  localStorage.setItem("columns.link", '{"widths":{"name":99},"hidden":["when"]}');
  applyColumns();
  assert.equal($("col[data-col=name]").style.width, "");
  localStorage.setItem("columns.communication", "not JSON");
  applyColumns();
  assert.equal($("td[data-col=when]").hidden, false);
});
