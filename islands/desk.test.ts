import assert from "node:assert/strict";
import { test } from "node:test";
import { watchDesk } from "./desk.ts";
import { $, open } from "./page.test-setup.ts";

const row = (key: string) => `<tr data-key="${key}" data-item="${key}"><td><input type="checkbox" data-pick></td><th><a href="#${key}">${key}</a></th></tr>`;

// held sends a key as a keyboard does that repeats it.
function held(key: string): void {
  document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key, repeat: true, bubbles: true, cancelable: true }));
}

test("a key that is held down moves, and decides nothing", () => {
  open(`<div data-desk data-letters><table>${row("one")}${row("two")}${row("three")}</table></div><div id="bulk"><button value="approved"></button><button value="rejected"></button></div>`);
  watchDesk();
  const done: string[] = [];
  document.addEventListener("click", (event) => done.push((event.target as HTMLElement).outerHTML));
  $("a").focus();
  held("j");
  held("ArrowDown");
  assert.equal(document.activeElement!.textContent, "three");
  held("k");
  assert.equal(document.activeElement!.textContent, "two");
  for (const key of ["a", "r", "x", "z"]) held(key);
  for (const box of document.querySelectorAll<HTMLInputElement>("[data-pick]")) box.checked = true;
  held("a");
  assert.deepEqual(done, []);
});
