import assert from "node:assert/strict";
import { test } from "node:test";
import { isLetter, typeAhead } from "./type-ahead.ts";

const names = ["한빛테크", "경영지원본부", "연구소", "영업본부", "Data team", "広報部", "연구 2팀", "값 관리"];
let clock = 0;

// find returns the names that letters lead to, one after another.
function find(letters: string, current = 0, pause = 100): (string | undefined)[] {
  clock += 10_000;
  return [...letters].map((letter) => names[(current = Math.max(typeAhead(letter, names, current, (clock += pause)), -1))]);
}

test("letters find the next name that begins with them", () => {
  assert.deepEqual(find("da"), ["Data team", "Data team"]);
  assert.deepEqual(find("D"), ["Data team"]);
  assert.deepEqual(find("広"), ["広報部"]);
  assert.equal(find("zz").at(-1), undefined);
});

test("Korean is found by composed letters, by single letters and by initial consonants", () => {
  assert.deepEqual(find("연"), ["연구소"]);
  assert.equal(find("영업").at(-1), "영업본부");
  assert.equal(find("ㅇㅕㅇ").at(-1), "영업본부");
  assert.equal(find("ㄱㅕ").at(-1), "경영지원본부");
  assert.equal(find("ㅇㄱ").at(-1), "연구소");
  assert.equal(find("ㄱㅏㅂㅅ").at(-1), "값 관리");
});

test("the same letter again goes on to the next name, and around", () => {
  assert.deepEqual(find("ㅇㅇㅇㅇ"), ["연구소", "영업본부", "연구 2팀", "연구소"]);
});

test("after a pause typing begins anew, behind the current name", () => {
  assert.deepEqual(find("연영", 0, 700), ["연구소", "영업본부"]);
  assert.deepEqual(find("연", 2), ["연구 2팀"]);
});

test("keys that move, choose or are shortcuts are no letters", () => {
  const key = (key: string, held = {}) => isLetter({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });
  assert.deepEqual(["a", "연", "ㅇ", "1"].map((letter) => key(letter)), [true, true, true, true]);
  assert.deepEqual([key("Shift"), key(" "), key("Enter"), key("k", { ctrlKey: true }), key("k", { metaKey: true })], [false, false, false, false, false]);
});
