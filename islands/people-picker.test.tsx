import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { isDirty } from "./guard.ts";
import { act, find, mountIsland, openForm, press, sent, type, until } from "./island.test-setup.ts";
import type { Mounted } from "./mount.tsx";
import { $ } from "./page.test-setup.ts";

const people = [1, 2, 3].map((id) => ({ id, name: `김철수 ${id}`, position: "대리", department: { id: 3, name: "영업본부" } }));
const texts = Object.fromEntries("label empty title people search search_hint searching search_none chosen_count clear limit remove removed".split(" ").map((key) => [key, key]));
Object.assign(texts, { remove: "remove {name}", chosen_count: "{n} chosen", limit: "at most {max}", search_found: "{n} people" });
const props = {
  name: "users", id: "people", describedBy: "people-help", invalid: false, usersURL: "/api/users", max: 2, texts,
  targets: [{ type: "user", id: 7, name: "이준호", path: "메신저팀 · 과장", include_children: true }],
};

let mounted: Mounted;

const mount = async () => {
  mounted = await mountIsland(await import("./people-picker.tsx"), props, async () => Response.json({ data: people, meta: { next_cursor: null } }));
};
const show = async () => {
  openForm();
  await mount();
};
const field = () => $<HTMLInputElement>("#people");
const search = async () => {
  await type(field(), "김철수");
  await until(() => document.querySelector(".target-hit"));
};
const boxes = () => [...document.querySelectorAll<HTMLInputElement>(".target-hit .check")];

beforeEach(show);
afterEach(() => act(() => mounted.unmount()));

test("people who are found are selected in the form, and removed again", async () => {
  assert.equal(field().getAttribute("aria-describedby"), "people-help");
  assert.ok(find(".chip", "메신저팀 · 과장"));
  await search();
  assert.equal(isDirty($<HTMLFormElement>("#form")), false);
  await act(() => boxes()[1]!.click());
  assert.equal(sent()["users"], "7, 2");
  assert.equal(isDirty($<HTMLFormElement>("#form")), true);
  await act(() => find("button", "remove 이준호").click());
  assert.equal(sent()["users"], "2");
  assert.equal(document.activeElement, find("button", "remove 김철수 2"));
  await act(() => find("button", "remove 김철수 2").click());
  assert.equal(sent()["users"], "");
  assert.equal(boxes()[1]!.checked, false);
  assert.equal(document.activeElement, field());
  assert.ok(find("p", "empty"));
});

test("no more than the limit is selected, and clearing empties the selection", async () => {
  await search();
  await act(() => boxes()[0]!.click());
  await act(() => boxes()[1]!.click());
  assert.ok(find("[role=alert]", "at most 2"));
  assert.equal(sent()["users"], "7, 1");
  await act(() => find("button", "clear").click());
  assert.equal(sent()["users"], "");
  assert.equal($("[role=alert]").textContent, "");
  assert.equal(document.activeElement, field());
});

test("Enter does not submit the form, and Escape empties the search before it closes a dialog", async () => {
  await search();
  assert.equal(await press(field(), "Enter"), true);
  assert.equal(await press(boxes()[0]!, "Enter"), true);
  assert.equal(await press(find("button", "clear"), "Enter"), false);
  assert.equal(await press(field(), "Escape"), true);
  assert.equal(field().value, "");
  assert.equal(await press(field(), "Escape"), false);
});

test("the focus that a dialog begins with moves to the search, any other stays", async () => {
  for (const [tag, moves] of [["p", true], ["div", false]] as const) {
    await act(() => mounted.unmount());
    openForm();
    $("#form").insertAdjacentHTML("afterbegin", `<${tag} id="begin" tabindex="-1" autofocus>Select people</${tag}>`);
    $("#begin").focus();
    await mount();
    assert.equal(document.activeElement, moves ? field() : $("#begin"));
  }
});
