// The comparison of pictures sees what a person sees, and the accepted pictures are those
// of the states that exist.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { PNG } from "pngjs";
import { changedCells, decode, encode, fingerprint, outline } from "../fingerprint.ts";
import { pageStates } from "../pages.ts";

type Box = { x: number; y: number; width: number; height: number; gray: number };

const BUTTON = { x: 40, y: 30, width: 50, height: 20, gray: 60 };

// drawing returns a white picture with boxes, such as a control or a stroke of a letter.
function drawing(...boxes: Box[]): PNG {
  const picture = new PNG({ width: 200, height: 90 });
  picture.data.fill(255);
  for (const { x, y, width, height, gray } of boxes) {
    for (let row = y; row < y + height; row++) {
      for (let column = x; column < x + width; column++) picture.data.fill(gray, (row * picture.width + column) * 4, (row * picture.width + column) * 4 + 3);
    }
  }
  return picture;
}

const changes: [string, ...Box[]][] = [
  ["a letter", BUTTON, { x: 60, y: 36, width: 2, height: 8, gray: 230 }],
  ["a lighter color", { ...BUTTON, gray: 66 }],
  ["two pixels to the right", { ...BUTTON, x: 42 }],
  ["nothing there", { ...BUTTON, gray: 255 }],
];

for (const [name, ...boxes] of changes) {
  test(`a changed picture is seen: ${name}`, () => {
    expect(changedCells(fingerprint(drawing(BUTTON)), fingerprint(drawing(...boxes)))).not.toEqual([]);
  });
}

test("rounding of colors is no change", () => {
  expect(changedCells(fingerprint(drawing(BUTTON)), fingerprint(drawing({ ...BUTTON, gray: 61 })))).toEqual([]);
});

test("a picture of another size has changed", () => {
  const after = fingerprint(new PNG({ width: 100, height: 90 }));
  expect(changedCells(fingerprint(drawing()), after)).toHaveLength(after.length);
});

test("accepted fingerprints are read as they were written", () => {
  const written = new Map([["ko 1280 light", fingerprint(drawing(BUTTON))], ["ja 814 dark", fingerprint(new PNG({ width: 20, height: 60 }))]]);
  expect(decode(encode(written))).toEqual(written);
});

test("changed cells are outlined", () => {
  const picture = drawing();
  const color = (x: number, y: number) => [...picture.data.subarray((y * picture.width + x) * 4).subarray(0, 3)];
  expect(outline(picture, [11])).toBe("x 20, y 20");
  expect(color(20, 20)).toEqual([255, 0, 0]);
  expect(color(21, 21)).toEqual([255, 255, 255]);
});

test("every state has accepted pictures, and no other", () => {
  const names = readdirSync(join(import.meta.dirname, "..", "pictures")).map((file) => file.replace(/\.txt$/, ""));
  expect(names.sort()).toEqual(pageStates.map(({ name }) => name).sort());
});
