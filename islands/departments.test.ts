import assert from "node:assert/strict";
import { test } from "node:test";
import { ancestorsOf, branchURL, itemsOf, matchesName } from "./departments.ts";

const departments = [
  { id: 1, name: "한빛테크", parent_id: "#", user_count: 1200 },
  { id: 2, name: "연구소", parent_id: 1 },
  { id: 4, name: "플랫폼팀", parent_id: 2 },
  { id: 3, name: "영업본부", parent_id: 1 },
];

test("a list becomes a tree in the order of the list", () => {
  const { roots } = itemsOf(departments);
  assert.deepEqual(roots.map(({ name, count }) => [name, count]), [["한빛테크", 1200]]);
  const [first, second] = roots[0]!.children!;
  assert.deepEqual([first!.name, first!.position, first!.size], ["연구소", 1, 2]);
  assert.deepEqual([second!.name, second!.position, second!.children], ["영업본부", 2, null]);
});

test("a subtree without its parent has its own root, and a cycle ends", () => {
  assert.deepEqual(itemsOf(departments.slice(1)).roots.map(({ id }) => id), ["2", "3"]);
  const circle = itemsOf([{ id: 1, name: "a", parent_id: 2 }, { id: 2, name: "b", parent_id: 1 }]);
  assert.deepEqual(ancestorsOf(circle, 1), ["2", "1"]);
});

test("ancestors, nearest first", () => {
  const items = itemsOf(departments);
  assert.deepEqual(ancestorsOf(items, 4), ["2", "1"]);
  assert.deepEqual(ancestorsOf(items, null), []);
  assert.deepEqual(ancestorsOf(items, 99), []);
});

test("10,000 departments become a tree quickly", () => {
  const many = Array.from({ length: 10_000 }, (_, i) => ({ id: i + 1, name: `d${i}`, parent_id: i === 0 ? "#" : Math.ceil(i / 10) }));
  assert.equal(ancestorsOf(itemsOf(many), 10_000).at(-1), "1");
});

test("choosing a department keeps the filters and drops the cursor", () => {
  const here = "https://console.test/ja/policies?q=a+b&department_id=3&after=9_9&state=on";
  assert.equal(branchURL("/ja/policies?department_id=", "7", here), "/ja/policies?department_id=7&q=a+b&state=on");
  assert.equal(branchURL("/ja/policies?q=x&department_id=", "7", here), "/ja/policies?q=x&department_id=7&state=on");
  assert.equal(branchURL("/logs?department_id=", "7", here), "/logs?department_id=7");
});

test("names are found by a part or by initial consonants", () => {
  for (const [name, term, found] of [
    ["플랫폼팀", "폼팀", true],
    ["플랫폼팀", "ㅍㄹㅍ", true],
    ["영업1팀", "ㅇㅇ", true],
    ["영업본부", "ㅍㄹ", false],
    ["Design Lab", "des", true],
    ["デザイン室", "イン", true],
    ["ㄱㄴ동", "ㄱㄴ", true],
  ] as const) {
    assert.equal(matchesName(name, term), found, `${term} in ${name}`);
  }
});
