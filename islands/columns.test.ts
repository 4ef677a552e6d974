import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { applyColumns, columns } from "./columns.ts";
import { $, click, fire, open } from "./page.test-setup.ts";

const page = `
  <div data-column-menu>
    <input type="checkbox" data-column="name" checked><button data-narrow="name"></button><button data-widen="name"></button>
    <input type="checkbox" data-column="when" checked><button data-columns-reset></button></div>
  <table class="table" data-columns="communication">
    <colgroup><col data-col="name"><col data-col="when"></colgroup>
    <thead><tr><th data-col="name"><span class="grip"></span></th><th data-col="when"></th></tr></thead>
    <tbody><tr><td data-col="name"></td><td data-col="when"></td></tr></tbody></table>`;

beforeEach(() => {
  open(page);
  $("th").getBoundingClientRect = () => ({ width: 200 }) as DOMRect;
  columns();
  applyColumns();
});

const nameColumn = () => $("col[data-col=name]").style.width;

test("buttons of the menu change a column's width, which is stored for the section", () => {
  click("[data-widen]");
  assert.equal(nameColumn(), "216px");
  click("[data-narrow]");
  assert.equal(nameColumn(), "184px"); // the heading of this page is 200 pixels wide
  document.querySelector("colgroup")!.outerHTML = '<colgroup><col data-col="name"><col data-col="when"></colgroup>';
  applyColumns();
  assert.equal(nameColumn(), "184px");
  fire(".grip", "dblclick");
  assert.equal(nameColumn(), "");
});

test("a width has bounds, and the menu forgets all widths and hidden columns", () => {
  $("th").getBoundingClientRect = () => ({ width: 50 }) as DOMRect;
  click("[data-narrow]");
  assert.equal(nameColumn(), "48px");
  $<HTMLInputElement>("[data-column=when]").checked = false;
  fire("[data-column=when]", "change");
  click("[data-columns-reset]");
  assert.equal(nameColumn(), "");
  assert.equal($("td[data-col=when]").hidden, false);
});

test("a column that the stylesheet hides is not ticked, and is shown when it is", () => {
  document.head.innerHTML = "<style>[data-low]:not([data-shown]) { display: none; }</style>";
  for (const cell of document.querySelectorAll("[data-col=when]")) cell.setAttribute("data-low", "");
  fire("[data-column-menu]", "beforetoggle");
  const box = $<HTMLInputElement>("[data-column=when]");
  assert.equal(box.checked, false);
  box.checked = true;
  fire("[data-column=when]", "change");
  assert.deepEqual([...document.querySelectorAll("[data-col=when]")].map((cell) => cell.hasAttribute("data-shown")), [true, true, true]);
  assert.equal(box.checked, true);
  box.checked = false;
  fire("[data-column=when]", "change");
  assert.equal($("td[data-col=when]").hidden, true);
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
