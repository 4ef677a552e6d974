import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { watchIndex } from "./form-index.ts";
import { $, fire, open } from "./page.test-setup.ts";

const PAGE = `<main>
  <section><h2 id="session">Session</h2>
    <div data-setting="mode" data-label="Work type" id="setting-mode"><label>Work type</label><input type="radio" id="mode" name="mode">Fixed<input type="radio" name="mode">Flexible</div>
    <div data-setting="time" data-label="Session time" id="setting-time"><label>Session time</label><input id="time"><p>How long a session lasts without activity</p></div>
  </section>
  <section><h2 id="clocking">Clocking</h2>
    <div data-setting="grace" data-label="Late grace" id="setting-grace" hidden data-when='{"mode":["fixed"]}'><p class="unscripted">Applies only with Work type – Fixed</p><input></div>
  </section>
  <nav data-index>
    <input type="search" data-index-search><p data-index-status data-one="{n} setting" data-other="{n} settings" data-none="No setting found"></p>
    <ul data-index-hits hidden></ul><ul data-index-sections><li><a href="#session">Session</a></li><li><a href="#clocking">Clocking</a></li></ul>
  </nav></main>`;

beforeEach(() => {
  open(PAGE);
  watchIndex();
});

function type(text: string): void {
  $<HTMLInputElement>("[data-index-search]").value = text;
  fire("[data-index-search]", "input");
}

function press(selector: string, key: string): void {
  $(selector).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

const hits = () => [...document.querySelectorAll("[data-index-hits] a")].map((link) => [link.firstChild?.textContent, link.querySelector("small")?.textContent, link.getAttribute("href")]);
const status = () => $("[data-index-status]").textContent;

test("settings are found by label, help and options, those with the word in their label first", () => {
  type("ＳＥＳＳＩＯＮ time");
  assert.deepEqual(hits(), [["Session time", "Session", "#setting-time"]]);
  assert.equal(status(), "1 setting");
  type("activity");
  assert.deepEqual(hits().map(([label]) => label), ["Session time"]);
  type("type");
  assert.deepEqual(hits().map(([label]) => label), ["Work type", "Late grace"]);
  assert.equal(status(), "2 settings");
  assert.ok($("[data-index-sections]").hidden);
});

test("a setting without an effect leads to the setting that gives it one", () => {
  type("grace");
  assert.deepEqual(hits(), [["Late grace", "Applies only with Work type – Fixed", "#setting-mode"]]);
});

test("what is not found is said, and Escape shows the sections again", () => {
  type("zzz");
  assert.equal(status(), "No setting found");
  press("[data-index-search]", "Escape");
  assert.equal(status(), "");
  assert.ok($("[data-index-hits]").hidden);
  assert.ok(!$("[data-index-sections]").hidden);
});

test("arrows move between the field and the hits", () => {
  type("type");
  press("[data-index-search]", "ArrowDown");
  assert.equal(document.activeElement?.firstChild?.textContent, "Work type");
  press("[data-index-hits] a", "ArrowUp");
  assert.equal(document.activeElement, $("[data-index-search]"));
});
