import assert from "node:assert/strict";
import { test } from "node:test";
import { contains, isPrivate, isRange, isUnfinished, overlaps, parseLines, parseRange, type Range, sizeOf } from "./ip-range.ts";

const at = (text: string) => text.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);

const range = (text: string): Range => {
  const read = parseRange(text);
  if (!isRange(read)) throw new Error(`${text}: ${read}`);
  return read;
};

test("ranges", () => {
  for (const [text, start, end] of [
    ["203.0.113.9", "203.0.113.9", "203.0.113.9"],
    ["0.0.0.0", "0.0.0.0", "0.0.0.0"],
    ["255.255.255.255", "255.255.255.255", "255.255.255.255"],
    ["203.0.113.0/24", "203.0.113.0", "203.0.113.255"],
    ["203.0.113.77/24", "203.0.113.0", "203.0.113.255"],
    ["203.0.113.9/32", "203.0.113.9", "203.0.113.9"],
    ["200.1.2.3/1", "128.0.0.0", "255.255.255.255"],
    ["10.0.0.0-10.0.0.5", "10.0.0.0", "10.0.0.5"],
    ["10.0.0.5 - 10.0.0.5", "10.0.0.5", "10.0.0.5"],
    ["203.0.113.*", "203.0.113.0", "203.0.113.255"],
    ["  203.0.113.9\t", "203.0.113.9", "203.0.113.9"],
    ["２０３．０．１１３．０／２４", "203.0.113.0", "203.0.113.255"],
    ["\u3000203.0.113.1－203.0.113.2", "203.0.113.1", "203.0.113.2"],
    ["0.0.0.1-255.255.255.255", "0.0.0.1", "255.255.255.255"],
  ] as const) assert.deepEqual(parseRange(text), { start: at(start), end: at(end) }, text);
});

test("what is refused, and why", () => {
  for (const [text, problem] of [
    ["", "missing"],
    [" \u3000", "missing"],
    ["0.0.0.0/0", "all"],
    ["10.0.0.0/0", "all"],
    ["0.0.0.0-255.255.255.255", "all"],
    ["10.0.0.9-10.0.0.1", "reversed"],
    ["256.0.0.1", "form"],
    ["1.2.3", "form"],
    ["1.2.3.4.5", "form"],
    ["01.2.3.4", "form"],
    ["1.2.3.4/33", "form"],
    ["1.2.3.4/024", "form"],
    ["1.2.3.4/-1", "form"],
    ["1.2.3.4/", "form"],
    ["1.2.3.4-", "form"],
    ["-1.2.3.4", "form"],
    ["1.2.*", "form"],
    ["1.2.*.*", "form"],
    ["1.2.3.4.*", "form"],
    ["*", "form"],
    ["1.2.3.4 5", "form"],
    ["1.2.3.4-1.2.3.5-1.2.3.6", "form"],
    ["1.2.3.0/24-1.2.3.9", "form"],
    ["::1", "form"],
    ["2001:db8::/32", "form"],
    ["::ffff:1.2.3.4", "form"],
    ["localhost", "form"],
    ["1.2.3.-4", "form"],
    ["1.2.3.4e0", "form"],
  ] as const) assert.equal(parseRange(text), problem, text);
});

test("a text that may still become a range is not refused while it is typed", () => {
  for (const text of ["", "1", "1.", "192.168", "192.168.1.", "1.2.3.4/", "1.2.3.4-", "1.2.3.4 - 1", "1.2.3.4-1.2.", "1.2.3.4 "]) assert.equal(isUnfinished(text), true, text);
  for (const text of ["a", "256", "1..2", "01", "1.2.3.4.", "1.2.3.4/33", "1.2/", "1.2-", "1.2.3.4-300", "1.2.3.4-a"]) assert.equal(isUnfinished(text), false, text);
});

test("size, membership, overlap and privacy", () => {
  assert.equal(sizeOf(range("203.0.113.0/24")), 256);
  assert.equal(sizeOf(range("0.0.0.1-255.255.255.255")), 2 ** 32 - 1);
  assert.equal(contains(range("203.0.113.*"), "203.0.113.255"), true);
  assert.equal(contains(range("203.0.113.*"), "::ffff:203.0.113.9"), true);
  assert.equal(contains(range("203.0.113.*"), "203.0.114.0"), false);
  assert.equal(contains(range("203.0.113.*"), "2001:db8::1"), false);
  assert.equal(overlaps(range("10.0.0.0/24"), range("10.0.0.255-10.0.1.3")), true);
  assert.equal(overlaps(range("10.0.0.0/24"), range("10.0.1.0")), false);
  for (const text of ["10.1.2.3", "172.31.0.0/16", "192.168.0.1", "100.64.0.1", "127.0.0.1", "169.254.0.1", "9.0.0.0-11.0.0.0"]) assert.equal(isPrivate(range(text)), true, text);
  for (const text of ["203.0.113.9", "172.32.0.0", "100.128.0.0", "11.0.0.0"]) assert.equal(isPrivate(range(text)), false, text);
});

test("pasted lines", () => {
  const lines = parseLines("본사, 203.0.113.0/24\r\n\n198.51.100.7\n판교\t198.51.100.16-198.51.100.47\n192.0.2.*,VPN\n서울, 강남, 192.0.2.1\n지사, 1.2.3\n뭔가\n,192.0.2.5\n- 판교 연구동: 198.51.100.10 - 198.51.100.60\n192.0.2.*  (부산 3층)\n본사 203.0.113.0/25 203.0.113.128/25\n본사 203.0.113.300");
  assert.deepEqual(
    lines.map(({ number, name, range, problem }) => [number, name, range, problem]),
    [
      [1, "본사", "203.0.113.0/24", null],
      [3, "198.51.100.7", "198.51.100.7", null],
      [4, "판교", "198.51.100.16-198.51.100.47", null],
      [5, "VPN", "192.0.2.*", null],
      [6, "서울, 강남", "192.0.2.1", null],
      [7, "지사", "1.2.3", "form"],
      [8, "", "뭔가", "form"],
      [9, "192.0.2.5", "192.0.2.5", null],
      [10, "판교 연구동", "198.51.100.10 - 198.51.100.60", null],
      [11, "부산 3층", "192.0.2.*", null],
      [12, "", "본사 203.0.113.0/25 203.0.113.128/25", "form"],
      [13, "", "본사 203.0.113.300", "form"],
    ],
  );
  assert.equal(lines[5]!.text, "지사, 1.2.3");
});

test("10,000 pasted lines are read at once", () => {
  const lines = parseLines(Array.from({ length: 10_000 }, (_, i) => `지점 ${i}, 203.${i % 256}.0.0/16`).join("\n"));
  assert.equal(lines.length, 10_000);
  assert.ok(lines.every(({ problem }) => problem === null));
});
