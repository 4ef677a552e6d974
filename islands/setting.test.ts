import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { $, click, fire, open } from "./page.test-setup.ts";
import { applySettings, watchSettings } from "./setting.ts";

const texts = JSON.stringify({
  details: ["{n} detail", "{n} details"],
  settings: ["{n} setting", "{n} settings"],
  targets: ["{n} target", "{n} targets"],
  comma: ", ",
  changed: "{what} changed",
  none: "Nothing has changed",
});

const PAGE = `<form id="policy">
  <div data-detail data-label="Name"><input id="name" name="name" value="Sales"></div>
  <section id="policy-targets" data-label="Targets" data-changed="0" data-targets='[{"type":"department","id":5,"include_children":true}]'></section>
  <div data-setting="mode">
    <input type="radio" id="mode" name="mode" value="any" checked><input type="radio" id="mode.listed" name="mode" value="listed">
  </div>
  <div data-setting="list" data-off data-when='{"mode":["listed"],"other":["listed"]}'>
    <div data-rows="list" data-most="3">
      <ul>
        <li id="list.0" data-row><input id="list.0.name" name="list.0.name" value="a" aria-label="Row 1: name"><button type="button" data-remove-row aria-label="Row 1: remove"></button></li>
        <li id="list.1" data-row><input id="list.1.name" name="list.1.name" value="" aria-label="Row 2: name"><button type="button" data-remove-row aria-label="Row 2: remove"></button></li>
      </ul>
      <button type="button" data-add-row id="add"></button><span data-rows-count>1</span>
    </div>
  </div>
  <div data-setting="limit"><input id="limit" name="limit" value="30"><input type="checkbox" id="none" data-none="limit"></div>
  <div data-setting="text" id="setting-text" data-label="Text"><input id="text" name="text" value="abc"><small data-count="text">3/50</small></div>
  <div data-setting="refused" class="changed"><input id="refused" name="refused" value="9"></div>
  <div data-setting="second"><details open><summary></summary><input id="from" name="from" value="17:00"><button type="button" data-clear></button></details></div>
</form>
<label data-detail data-label="Enabled"><input type="checkbox" id="enabled" form="policy" checked></label>
<div class="savebar"><b data-changes data-texts='${texts}'></b><button data-changes-list hidden></button><div id="changes"><ul></ul></div></div>`;

beforeEach(() => {
  open(PAGE);
  watchSettings();
  applySettings();
});

function type(selector: string, value: string): void {
  $<HTMLInputElement>(selector).value = value;
  fire(selector, "input");
}

const isChanged = (key: string) => $(`[data-setting="${key}"]`).classList.contains("changed");
const bar = () => $("[data-changes]").textContent;
const listed = () => [...document.querySelectorAll("#changes a")].map((link) => [link.textContent, link.getAttribute("href")]);
const names = () => [...document.querySelectorAll<HTMLInputElement>('[name^="list."]')].map(({ name }) => name);

test("a setting without an effect is hidden, but stays in the form", () => {
  const list = $('[data-setting="list"]');
  assert.equal(list.hidden, true);
  assert.equal(list.hasAttribute("data-off"), false, "the stylesheet hides it until the script does");
  assert.equal(new FormData($<HTMLFormElement>("form")).get("list.0.name"), "a");
  $<HTMLInputElement>("#mode\\.listed").checked = true;
  fire("#mode\\.listed", "change");
  assert.equal(list.hidden, false);
});

test("a change is marked and counted, until it is undone", () => {
  assert.equal(bar(), "1 setting changed");
  type("#text", "abcd");
  assert.ok(isChanged("text"));
  assert.equal(bar(), "2 settings changed");
  type("#text", "abc");
  assert.ok(!isChanged("text"));
  assert.equal(bar(), "1 setting changed");
});

test("settings that the server marked stay marked", () => {
  type("#refused", "10");
  type("#refused", "9");
  assert.ok(isChanged("refused"));
});

test("targets are counted beside settings once their field exists", () => {
  const targets = (...list: [string, number, boolean][]) => JSON.stringify(list.map(([type, id, include_children]) => ({ type, id, include_children })));
  $("#policy-targets").innerHTML = '<input name="targets">';
  type("[name=targets]", targets(["department", 5, true]));
  assert.equal(bar(), "1 setting changed");
  type("[name=targets]", targets(["department", 5, false], ["user", 3, true]));
  assert.equal(bar(), "1 setting, 2 targets changed");
  assert.deepEqual(listed().at(0), ["Targets", "#policy-targets"]);
});

test("the name and the switch beside the title are changes, too", () => {
  $(".savebar").toggleAttribute("data-quiet", true);
  type("#name", "Sale");
  assert.equal(bar(), "1 detail, 1 setting changed");
  $<HTMLInputElement>("#enabled").checked = false;
  fire("#enabled", "change");
  assert.equal(bar(), "2 details, 1 setting changed");
  type("#text", "abcd");
  assert.deepEqual(listed(), [["Name", "#name"], ["Enabled", "#enabled"], ["Text", "#setting-text"], ["", "#refused"]]);
  assert.ok(!$("[data-changes-list]").hidden);
  assert.ok(!$(".savebar").hasAttribute("data-quiet"));
});

test("a bar without changes is quiet", () => {
  open(PAGE.replace('data-setting="refused" class="changed"', 'data-setting="refused"'));
  watchSettings();
  applySettings();
  assert.equal(bar(), "Nothing has changed");
  assert.ok($(".savebar").hasAttribute("data-quiet"));
  type("#name", "Sales 2");
  assert.ok(!$(".savebar").hasAttribute("data-quiet"));
  type("#name", "Sales");
  assert.ok($(".savebar").hasAttribute("data-quiet"));
  assert.ok($("[data-changes-list]").hidden);
});

test("characters are counted as people count them", () => {
  type("#text", "한글😀");
  assert.equal($("[data-count]").textContent, "3/50");
});

test("a checkbox clears its field and restores it", () => {
  click("#none");
  assert.equal($<HTMLInputElement>("#limit").value, "");
  assert.ok(isChanged("limit"));
  click("#none");
  assert.equal($<HTMLInputElement>("#limit").value, "30");
  assert.ok(!isChanged("limit"));
});

test("emptying or filling a field updates its checkbox", () => {
  type("#limit", "");
  assert.equal($<HTMLInputElement>("#none").checked, true);
  type("#limit", "5");
  assert.equal($<HTMLInputElement>("#none").checked, false);
});

test("clearing an optional part empties it, closes it and marks the change", () => {
  click("[data-clear]");
  assert.equal($<HTMLInputElement>("#from").value, "");
  assert.equal($<HTMLDetailsElement>("details").open, false);
  assert.ok($("[data-setting=second]").classList.contains("changed"));
});

test("rows are added up to the maximum, each with the next number", () => {
  click("#add");
  click("#add");
  assert.deepEqual(names(), ["list.0.name", "list.1.name", "list.2.name"]);
  const added = $<HTMLInputElement>("#list\\.2\\.name");
  assert.equal(added.value, "");
  assert.equal(added.getAttribute("aria-label"), "Row 3: name");
  assert.equal(document.activeElement, added);
});

test("a removed row is emptied and hidden, and the setting has changed", () => {
  click("#list\\.0 [data-remove-row]");
  assert.equal($("#list\\.0").hidden, true);
  assert.equal($<HTMLInputElement>("#list\\.0\\.name").value, "");
  assert.equal($("[data-rows-count]").textContent, "0");
  assert.ok(isChanged("list"));
  click("#list\\.1 [data-remove-row]");
  assert.equal($("#list\\.1").hidden, false);
});
