import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { $, click, fire, open } from "./page.test-setup.ts";
import { applySettings, watchSettings } from "./setting.ts";

const texts = JSON.stringify({
  settings: ["{n} setting", "{n} settings"],
  targets: ["{n} target", "{n} targets"],
  both: "{settings}, {targets} changed",
  either: "{what} changed",
  none: "Nothing has changed",
});

const PAGE = `<form>
  <div data-setting="mode">
    <input type="radio" id="mode" name="mode" value="any" checked><input type="radio" id="mode.listed" name="mode" value="listed">
  </div>
  <div data-setting="list" data-when='{"mode":["listed"],"other":["listed"]}'>
    <div data-rows="list" data-most="3">
      <ul>
        <li id="list.0" data-row><input id="list.0.name" name="list.0.name" value="a" aria-label="Row 1: name"><button type="button" data-remove-row aria-label="Row 1: remove"></button></li>
        <li id="list.1" data-row><input id="list.1.name" name="list.1.name" value="" aria-label="Row 2: name"><button type="button" data-remove-row aria-label="Row 2: remove"></button></li>
      </ul>
      <button type="button" data-add-row id="add"></button><span data-rows-count>1</span>
    </div>
  </div>
  <div data-setting="limit"><input id="limit" name="limit" value="30"><input type="checkbox" id="none" data-none="limit"></div>
  <div data-setting="text"><input id="text" name="text" value="abc"><small data-count="text">3/50</small></div>
  <div data-setting="refused" class="changed"><input id="refused" name="refused" value="9"></div>
  <div data-setting="second"><details open><summary></summary><input id="from" name="from" value="17:00"><button type="button" data-clear></button></details></div>
  <b data-changes data-targets="0" data-texts='${texts}'></b>
</form>`;

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
const names = () => [...document.querySelectorAll<HTMLInputElement>('[name^="list."]')].map(({ name }) => name);

test("a setting without an effect is hidden, but stays in the form", () => {
  const list = $('[data-setting="list"]');
  assert.equal(list.hidden, true);
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

test("targets are counted beside settings", () => {
  $("[data-changes]").dataset["targets"] = "2";
  type("#text", "");
  assert.equal(bar(), "2 settings, 2 targets changed");
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
