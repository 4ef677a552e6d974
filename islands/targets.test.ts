import assert from "node:assert/strict";
import { test } from "node:test";
import { itemsOf } from "./departments.ts";
import { hasIgnored, isTooShort, searchURL } from "./target-search.ts";
import { chosenOf, isMoving, keyOf, marks, pathOf, posted, type Target, without } from "./targets.ts";

const departments = [
  { id: 1, name: "한빛테크", parent_id: "#" },
  { id: 2, name: "영업본부", parent_id: 1 },
  { id: 3, name: "국내영업팀", parent_id: 2 },
  { id: 4, name: "1파트", parent_id: 3 },
  { id: 5, name: "연구소", parent_id: 1 },
];
const items = itemsOf(departments);
const department = (id: number, include_children = true): Target => ({ type: "department", id, name: String(id), include_children });
const states = (chosen: Target[], taken: [string, string][] = []) => {
  const markOf = marks(items, chosenOf(chosen), new Map(taken.map(([key, name]) => [key, { id: 9, name }])));
  return departments.map(({ id }) => markOf(String(id)).state);
};

test("a department is chosen, covered, a part or nothing", () => {
  assert.deepEqual(states([]), ["none", "none", "none", "none", "none"]);
  assert.deepEqual(states([department(2)]), ["part", "chosen", "covered", "covered", "none"]);
  assert.deepEqual(states([department(2, false)]), ["part", "chosen", "none", "none", "none"]);
  assert.deepEqual(states([department(1), department(3, false)]), ["chosen", "covered", "chosen", "covered", "covered"]);
  assert.deepEqual(states([{ ...department(2), type: "user" }]), ["none", "none", "none", "none", "none"]);
});

test("departments taken by another policy are not covered, nor those below them", () => {
  assert.deepEqual(states([department(1)], [["department:2", "감사"]]), ["chosen", "none", "none", "none", "covered"]);
  assert.deepEqual(states([department(1), department(2)], [["department:2", "감사"]]), ["chosen", "chosen", "covered", "covered", "covered"]);
  assert.equal(marks(items, chosenOf([department(1)]), new Map())("4").by?.id, 1);
});

test("a department that another policy only plans to take is covered until then", () => {
  const markOf = marks(items, chosenOf([department(1)]), new Map([["department:2", { id: 9, name: "감사", from: "Dec 7", has_plan: true }]]));
  assert.deepEqual(departments.map(({ id }) => markOf(String(id)).state), ["chosen", "covered", "covered", "covered", "covered"]);
});

test("a target of a policy with a planned change does not move", () => {
  const chosen = chosenOf([{ ...department(2), taken: { id: 9, name: "감사", has_plan: true } }]);
  assert.equal(isMoving(chosen), false);
});

test("the values that the form submits", () => {
  const chosen = chosenOf([department(2, false), { type: "user", id: 7, name: "김철수", path: "연구소", include_children: true, taken: { id: 9, name: "감사" } }]);
  assert.equal(posted(chosen), '[{"type":"department","id":2,"include_children":false},{"type":"user","id":7,"include_children":true}]');
  assert.equal(isMoving(chosen), true);
  assert.equal(isMoving(without(chosen, (target) => keyOf(target) === "user:7")), false);
  assert.equal(pathOf(items, new Map(departments.map((d) => [String(d.id), d])), "4"), "한빛테크 / 영업본부 / 국내영업팀");
});

test("search texts", () => {
  for (const [term, short, ignored] of [["김", true, false], ["(", true, false], ["김철수 김", false, false], ["林 修", false, false], [" 김철 ", false, false], ["aa, bb,cc", false, false], ["aa bb cc dd", false, true], ["😀", true, false]] as const) {
    assert.equal(isTooShort(term), short, term);
    assert.equal(hasIgnored(term), ignored, term);
  }
  assert.equal(searchURL("/api/users", " 김 철수 ", null, "https://console.test/x"), "/api/users?q=%EA%B9%80+%EC%B2%A0%EC%88%98&limit=50");
  assert.equal(searchURL("/api/users?department_id=3", "ab", "c=", "https://console.test/x"), "/api/users?department_id=3&q=ab&limit=50&cursor=c%3D");
});
