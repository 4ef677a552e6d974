// A fingerprint of a picture: how bright each cell of a grid is on average. It is small
// enough to be committed as text, and a changed word, color or place of a control makes
// at least one cell brighter or darker.
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import type { PNG } from "pngjs";

const CELL = 20; // pixels, in both directions

// How much the brightness of a cell, from 0 to 255, may differ in pictures that look the
// same. It allows for processors that round colors differently.
const TOLERANCE = 2;

// A byte for each cell, row by row.
export type Fingerprint = Buffer;

export function fingerprint({ width, height, data }: PNG): Fingerprint {
  const columns = Math.ceil(width / CELL);
  const sums = new Float64Array(columns * Math.ceil(height / CELL));
  const counts = new Uint32Array(sums.length);
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(y / CELL) * columns;
    for (let x = 0; x < width; x++, at += 4) {
      const cell = row + Math.floor(x / CELL);
      // Three different weights, so that another hue is seen, too.
      sums[cell]! += 0.3 * data[at]! + 0.5 * data[at + 1]! + 0.2 * data[at + 2]!;
      counts[cell]!++;
    }
  }
  return Buffer.from(sums.map((sum, cell) => Math.round(sum / counts[cell]!)));
}

// changedCells returns the indexes of the cells that differ: all if the size does.
export function changedCells(before: Fingerprint, after: Fingerprint): number[] {
  const all = [...after.keys()];
  if (before.length !== after.length) return all;
  return all.filter((cell) => Math.abs(before[cell]! - after[cell]!) > TOLERANCE);
}

// outline draws a red line around cells, and returns where the first one is.
export function outline(picture: PNG, cells: number[]): string {
  const columns = Math.ceil(picture.width / CELL);
  for (const cell of cells) {
    const [left, top] = [(cell % columns) * CELL, Math.floor(cell / columns) * CELL];
    for (let i = 0; i < CELL; i++) {
      for (const [x, y] of [[left + i, top], [left + i, top + CELL - 1], [left, top + i], [left + CELL - 1, top + i]] as const) {
        if (x < picture.width && y < picture.height) picture.data.set([255, 0, 0, 255], (y * picture.width + x) * 4);
      }
    }
  }
  const first = cells[0]!;
  return `x ${(first % columns) * CELL}, y ${Math.floor(first / columns) * CELL}`;
}

// encode returns the fingerprints of several pictures as text: a line for each with its
// name and length, and one with all fingerprints, because similar ones compress well.
export function encode(fingerprints: Map<string, Fingerprint>): string {
  const sorted = [...fingerprints].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = sorted.map(([name, { length }]) => `${name} ${length}`);
  const cells = brotliCompressSync(Buffer.concat(sorted.map(([, cells]) => cells)));
  return `${[...lines, cells.toString("base64")].join("\n")}\n`;
}

// decode reads what encode has written.
export function decode(text: string): Map<string, Fingerprint> {
  const lines = text.trim().split("\n");
  const cells = brotliDecompressSync(Buffer.from(lines.pop()!, "base64"));
  let at = 0;
  return new Map(
    lines.map((line) => {
      const [, name, length] = /^(.+) (\d+)$/.exec(line)!;
      return [name!, cells.subarray(at, (at += Number(length)))];
    }),
  );
}
