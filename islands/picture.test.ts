import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { $, open } from "./page.test-setup.ts";
import { showPicture } from "./picture.ts";

let opened: (file: File) => Promise<{ width: number; height: number; close: () => void }>;
let closed = 0;

beforeEach(() => {
  open(`<form><span id="frame" data-picture-class="banner"><i>none</i></span><input type="hidden" name="image_md5">
    <input type="file" id="image" data-picture="frame"><p data-md5-failed hidden>MD5</p></form>`);
  closed = 0;
  opened = () => Promise.resolve({ width: 400, height: 200, close: () => void closed++ });
  Object.assign(globalThis, { createImageBitmap: (file: File) => opened(file) });
});

function choose(...files: File[]): Promise<void> {
  Object.defineProperty($("#image"), "files", { value: files, configurable: true });
  return showPicture($<HTMLInputElement>("#image"));
}

const sum = () => $<HTMLInputElement>("[name=image_md5]").value;

test("a chosen picture is shown with its name, and its MD5 is noted", async () => {
  await choose(new File(["abc"], "로고.png"));
  const canvas = $<HTMLCanvasElement>("#frame > canvas");
  assert.equal(canvas.getAttribute("aria-label"), "로고.png");
  assert.equal(canvas.className, "banner");
  assert.equal(sum(), "900150983cd24fb0d6963f7d28e17f72");
  assert.equal(closed, 1);
  await choose();
  assert.equal($("#frame").textContent, "none");
  assert.equal(sum(), "");
});

test("what cannot be shown leaves what was there", async () => {
  opened = () => Promise.reject(new Error("not a picture"));
  await choose(new File(["<html>"], "a.png"));
  assert.equal($("#frame").textContent, "none");
  assert.notEqual(sum(), "");
});

test("what cannot be shown replaces the picture chosen before", async () => {
  await choose(new File(["abc"], "a.png"));
  opened = () => Promise.reject(new Error("not a picture"));
  await choose(new File(["<html>"], "b.png"));
  assert.equal($("#frame").innerHTML, "<i>none</i>");
});

test("after a save the saved picture is what was there", async () => {
  await choose(new File(["abc"], "a.png"));
  $("#frame").innerHTML = "<i>saved</i>"; // as a response does
  await choose(new File(["abc"], "b.png"));
  await choose();
  assert.equal($("#frame").textContent, "saved");
});

test("of two choices the later one is shown, whichever is ready first", async () => {
  let ready = (): void => undefined;
  opened = (file) => (file.name === "slow.png" ? new Promise((resolve) => (ready = () => resolve({ width: 9, height: 9, close: () => void closed++ }))) : Promise.resolve({ width: 9, height: 9, close: () => void closed++ }));
  const slow = choose(new File(["slow"], "slow.png"));
  await choose(new File(["abc"], "quick.png"));
  ready();
  await slow;
  assert.equal($("#frame > canvas").getAttribute("aria-label"), "quick.png");
  assert.equal(sum(), "900150983cd24fb0d6963f7d28e17f72");
  assert.equal(closed, 2);
});

test("a file that cannot be read is said to be so", async () => {
  const file = new File(["abc"], "a.png");
  file.slice = () => { throw new Error("gone"); };
  await choose(file);
  assert.equal($("[data-md5-failed]").hidden, false);
  assert.equal(sum(), "");
  await choose(new File(["abc"], "b.png"));
  assert.equal($("[data-md5-failed]").hidden, true);
});
