import assert from "node:assert/strict";
import { test } from "node:test";
import { watchNotices, write } from "./notice.ts";
import { $, open } from "./page.test-setup.ts";

// pressed returns the text after each press of a tool, with the selection in brackets
// before and after.
function pressed(tool: string, text: string, times = 1): string[] {
  open("<textarea></textarea>");
  Object.assign(globalThis, { InputEvent: Event });
  const area = $<HTMLTextAreaElement>("textarea");
  const [before = "", chosen = "", after = ""] = text.split(/[[\]]/);
  area.value = before + chosen + after;
  area.setSelectionRange(before.length, before.length + chosen.length);
  return Array.from({ length: times }, () => {
    write(area, tool, "bold text");
    const { selectionStart: start, selectionEnd: end, value } = area;
    return `${value.slice(0, start)}[${value.slice(start, end)}]${value.slice(end)}`;
  });
}

test("bold takes its marks away again", () => {
  assert.deepEqual(pressed("bold", "[hello] world", 3), ["**[hello]** world", "[hello] world", "**[hello]** world"]);
  assert.deepEqual(pressed("bold", "say []", 2), ["say **[bold text]**", "say [bold text]"]);
  assert.deepEqual(pressed("bold", "[**hello**] world"), ["[hello] world"]);
  assert.deepEqual(pressed("bold", "*[hello]* world"), ["***[hello]*** world"]);
});

test("Enter leaves the title for the text, and sends nothing", () => {
  open(`<form data-notice><input name="title" /><textarea id="body"></textarea><input name="date" /><button></button></form>`);
  watchNotices();
  const enter = (name: string) => !$(`[name=${name}]`).dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  assert.equal(enter("date"), true);
  assert.equal(enter("title"), true);
  assert.equal(document.activeElement, $("#body"));
});
