import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { isDirty } from "./guard.ts";
import { act, find, mountIsland, openForm, press, sent, type, until } from "./island.test-setup.ts";
import type { Mounted } from "./mount.tsx";
import { $ } from "./page.test-setup.ts";

const departments = Array.from({ length: 10_000 }, (_, i) => ({ id: i + 1, name: i === 0 ? "한빛테크" : `${i % 2 ? "연구소" : "영업본부"} ${i}`, parent_id: i === 0 ? "#" : Math.ceil(i / 10) }));
const people = Array.from({ length: 120 }, (_, i) => ({ id: i + 1, name: `김철수 ${i + 1}`, bot: i === 3, position: "대리", department: { id: 3, name: "영업본부 2" } }));
const taken = [{ type: "department", id: 3, policy: { id: 9, name: "감사 정책" } }, { type: "user", id: 2, policy: { id: 8, name: "지원 정책" } }];

const texts = Object.fromEntries(
  ("label empty choose title text close departments people loading failed retry filter filter_none children search search_hint search_short search_ignored searching search_none search_more " +
    "chosen chosen_empty include clear skip cancel").split(" ").map((key) => [key, key]),
);
Object.assign(texts, {
  more: "{n} further", remove: "remove {name}", removed: "removed {name}, {n} left", filter_found: "{n} departments", covered: "in {name}", search_found: "{n} people", search_further: "{n} and more",
  chosen_count: "{n} chosen", include_of: "below {name}", taken: "follows {policy}", moved: "leaves {policy}", taken_from: "from {date} {policy}", fixed: "stays in {policy}", fixed_count: "{n} stay", fixed_one: "{n} stays", leave_out: "leave out", moves: "{n} leave", moves_one: "{n} leaves", limit: "at most {max}", apply: "apply {n}",
});
const props = {
  name: "targets", kind: "communication", departmentsURL: "/api/departments", usersURL: "/api/users", takenURL: "/api/taken", texts,
  targets: [{ type: "department", id: 2, name: "연구소 1", include_children: true }, { type: "user", id: 5, name: "김철수 5", include_children: true }],
};

let mounted: Mounted;
let asked: string[];
let answers: Record<string, (url: URL) => Response>;

const show = async (given: object = {}) => {
  openForm();
  mounted = await mountIsland(await import("./target-dialog.tsx"), { ...props, ...given }, async (path) => {
    const url = new URL(path, location.href);
    asked.push(url.pathname + decodeURIComponent(url.search));
    return answers[url.pathname]!(url);
  });
};
const click = (text: string) => act(() => find("button", text).click());
const begin = async () => {
  await click("choose");
  await until(() => document.querySelector('[role="treeitem"]'));
};
const row = (name: string) => find('[role="treeitem"]', name);
const tick = (name: string) => act(() => row(name).click());
const values = () => (JSON.parse(sent()["targets"]!) as { type: string; id: number }[]).map(({ type, id }) => `${type} ${id}`);
const form = () => $<HTMLFormElement>("form");
const search = async (term: string) => {
  await act(() => find("[role=tab]", "people").click());
  await type(find<HTMLInputElement>("input[type=search]", "search"), term);
};

beforeEach(async () => {
  asked = [];
  answers = {
    "/api/departments": () => Response.json({ data: departments.slice(0, 120) }),
    "/api/taken": () => Response.json({ data: taken }),
    "/api/users": (url) => {
      const at = Number(url.searchParams.get("cursor") ?? 0);
      return Response.json({ data: people.slice(at, at + 50), meta: { next_cursor: at + 50 < people.length ? String(at + 50) : null } });
    },
  };
  await show();
});
afterEach(() => act(() => mounted.unmount()));

test("chips show what is chosen, and removing one keeps the focus beside it", async () => {
  assert.equal(sent()["targets"], '[{"type":"department","id":2,"include_children":true},{"type":"user","id":5,"include_children":true}]');
  assert.equal(sent()["move"], "");
  assert.equal(isDirty(form()), false);
  const told: string[] = [];
  for (const name of ["input", "change"]) form().addEventListener(name, (event) => told.push(`${event.type} ${(event.target as HTMLInputElement).name}`));
  await click("remove 연구소 1");
  assert.deepEqual(told, ["input targets", "change targets"]);
  assert.equal(isDirty(form()), true);
  assert.equal(document.activeElement, find("button", "remove 김철수 5"));
  assert.ok(find("[role=status]", "removed 연구소 1, 1 left"));
  await click("remove 김철수 5");
  assert.equal(document.activeElement, find("button", "choose"));
  assert.equal(sent()["targets"], "[]");
  assert.deepEqual(asked, []);
});

test("the dialog opens at its filter, with few rows of many departments, and cancelling changes nothing", async () => {
  answers["/api/departments"] = () => Response.json({ data: departments });
  await begin();
  assert.deepEqual(asked.sort(), ["/api/departments", "/api/taken"]);
  assert.equal($('[role="dialog"]').getAttribute("aria-labelledby"), $("[role=dialog] h2").id);
  assert.equal(document.activeElement, find("input", "filter"));
  const rows = document.querySelectorAll('[role="treeitem"]').length;
  assert.ok(rows > 3 && rows < 60, `${rows} rows`);
  await tick("영업본부 4");
  assert.ok(find("[role=status]", "3 chosen"));
  await click("cancel");
  assert.equal(document.querySelector('[role="dialog"]'), null);
  await until(() => document.activeElement === find("button", "choose"));
  assert.deepEqual(values(), ["department 2", "user 5"]);
  assert.equal(isDirty(form()), false);
});

test("Escape empties a search before it closes", async () => {
  await begin();
  await type(find("input", "filter"), "연구소");
  await press(find("input", "filter"), "Escape");
  assert.equal(find<HTMLInputElement>("input", "filter").value, "");
  assert.ok($('[role="dialog"]'));
  await press(find("input", "filter"), "Escape");
  assert.equal(document.querySelector('[role="dialog"]'), null);
});

test("departments are ticked by a click or by Space, and applied", async () => {
  await begin();
  assert.equal(row("한빛테크").getAttribute("aria-checked"), "mixed");
  assert.equal(row("연구소 1").getAttribute("aria-checked"), "true");
  await tick("영업본부 4");
  assert.equal(row("영업본부 4").getAttribute("aria-checked"), "true");
  const tree = $('[role="tree"]');
  await act(() => tree.dispatchEvent(new Event("focusin", { bubbles: true })));
  for (const key of ["Home", "ArrowDown", " "]) await press(tree, key);
  assert.equal(row("연구소 1").getAttribute("aria-checked"), "false");
  await click("apply 2");
  assert.deepEqual(values(), ["user 5", "department 5"]);
  assert.equal(isDirty(form()), true);
});

test("departments below a chosen one are ticked and cannot be unticked", async () => {
  await begin();
  await act(() => row("연구소 1").querySelector<HTMLElement>("[data-toggle]")!.click());
  assert.equal(row("연구소 11").getAttribute("aria-checked"), "true");
  assert.equal(row("연구소 11").getAttribute("aria-disabled"), "true");
  assert.match(row("연구소 11").textContent!, /in 연구소 1/);
  await tick("연구소 11");
  assert.ok(find("[role=status]", "2 chosen"));
  await act(() => find<HTMLInputElement>("input", "below 연구소 1").click());
  assert.equal(row("연구소 11").getAttribute("aria-checked"), "false");
  await click("apply 2");
  assert.match(sent()["targets"]!, /"id":2,"include_children":false/);
});

test("a taken target is marked, and choosing it moves it", async () => {
  await begin();
  assert.match(row("영업본부 2").textContent!, /follows 감사 정책/);
  await tick("영업본부 2");
  assert.ok(find(".target-list li", "leaves 감사 정책"));
  assert.ok(find(".note", "1 leave"));
  await click("apply 3");
  assert.equal(sent()["move"], "1");
  assert.ok(find(".chip", "leaves 감사 정책"));
  await begin();
  await click("skip");
  await click("apply 2");
  assert.equal(sent()["move"], "");
});

test("a target of a policy with a planned change cannot move", async () => {
  const planned = { id: 9, name: "감사 정책", from: "Dec 7", has_plan: true };
  answers["/api/taken"] = () => Response.json({ data: [...taken, { type: "department", id: 5, policy: planned }, { type: "department", id: 7, policy: { id: 8, name: "지원 정책", has_plan: true } }] });
  await begin();
  assert.match(row("영업본부 4").textContent!, /from Dec 7 감사 정책/);
  assert.match(row("영업본부 6").textContent!, /follows 지원 정책/);
  for (const name of ["영업본부 2", "영업본부 4", "영업본부 6"]) await tick(name);
  assert.ok(find(".target-list li", "from Dec 7 감사 정책"));
  assert.ok(find(".target-list li", "stays in 지원 정책"));
  assert.ok(find(".note", "1 leaves"));
  assert.ok(find(".note", "2 stay"));
  await click("skip");
  assert.ok(find("[role=status]", "4 chosen"));
  await click("apply 4");
  assert.equal(sent()["move"], "");
  assert.ok(find(".chip", "from Dec 7 감사 정책"));
  await begin();
  await click("leave out");
  await click("apply 2");
  assert.deepEqual(values(), ["department 2", "user 5"]);
});

test("removing from the list keeps the focus in it, and clearing empties it", async () => {
  await begin();
  await act(() => find("[role=dialog] button", "remove 연구소 1").click());
  assert.equal(document.activeElement, find("[role=dialog] button", "remove 김철수 5"));
  await click("clear");
  assert.ok(find("p", "chosen_empty"));
  assert.equal(document.activeElement, find("input", "filter"));
});

test("people are searched from two characters on, once typing pauses, page by page", async () => {
  await begin();
  await search("김");
  assert.ok(find("[role=status]", "search_short"));
  await search("김철");
  await search("김철수");
  await until(() => document.querySelector(".target-hit"));
  assert.deepEqual(asked.filter((url) => url.includes("users")), ["/api/users?q=김철수&limit=50"]);
  assert.ok(find("[role=status]", "49 and more"));
  assert.throws(() => find(".target-hit", "김철수 4대리"));
  await click("search_more");
  await until(() => document.querySelectorAll(".target-hit").length === 99);
  assert.equal(asked.at(-1), "/api/users?q=김철수&limit=50&cursor=50");
});

test("words beyond the third are said to be left out", async () => {
  await begin();
  await search("aa bb cc dd");
  await until(() => [...document.querySelectorAll("[role=status]")].some(({ textContent }) => textContent?.includes("search_ignored")));
});

test("people are reached with the arrow keys and ticked", async () => {
  await begin();
  await search("김철수");
  await until(() => document.querySelector(".target-hit"));
  const field = find<HTMLInputElement>("input[type=search]", "search");
  await press(field, "ArrowDown");
  await press(document.activeElement!, "ArrowDown");
  const second = document.activeElement as HTMLInputElement;
  assert.equal(second.closest("label")!.querySelector(".name > span")!.textContent, "김철수 2");
  assert.equal(second.tabIndex, 0);
  await act(() => second.click());
  assert.ok(find(".target-list li", "leaves 지원 정책"));
  await press(second, "ArrowUp");
  await press(document.activeElement!, "ArrowUp");
  assert.equal(document.activeElement, field);
  await click("apply 3");
  assert.deepEqual(values(), ["department 2", "user 5", "user 2"]);
});

test("the arrow keys change the tab", async () => {
  await begin();
  await press(find("[role=tab]", "departments"), "ArrowRight");
  assert.equal(find("[role=tab]", "people").getAttribute("aria-selected"), "true");
  assert.equal(document.activeElement, find("[role=tab]", "people"));
});

test("data that could not be loaded is requested again", async () => {
  answers["/api/departments"] = () => { throw new Error("offline"); };
  await click("choose");
  await until(() => document.querySelector("[role=dialog] [role=alert] button"));
  answers["/api/departments"] = () => Response.json({ data: departments });
  await click("retry");
  await until(() => document.querySelector('[role="treeitem"]'));
});

test("no more than the limit is chosen", async () => {
  await act(() => mounted.unmount());
  await show({ max: 3 });
  await begin();
  await tick("영업본부 4");
  await tick("영업본부 6");
  assert.ok(find("[role=alert]", "at most 3"));
  await click("apply 3");
  assert.deepEqual(values(), ["department 2", "user 5", "department 5"]);
});

test("a picker of people has no tabs and no departments, and one without takenURL moves nothing", async () => {
  await act(() => mounted.unmount());
  await show({ types: ["user"], takenURL: undefined, targets: [] });
  await click("choose");
  assert.equal(document.activeElement, find("input", "search"));
  assert.equal(document.querySelector("[role=tab]"), null);
  assert.deepEqual(asked, []);
  assert.equal("move" in sent(), false);
});

test("a picker of ids sends them as a list of a form of settings, in the order of choosing and up to the limit", async () => {
  await act(() => mounted.unmount());
  await show({ name: "exempt", types: ["user"], takenURL: undefined, ids: true, max: 2, targets: [{ type: "user", id: 70, name: "이영희", include_children: true }] });
  assert.deepEqual(sent(), { exempt: "70" });
  await click("choose");
  await type(find<HTMLInputElement>("input[type=search]", "search"), "김철수");
  await until(() => document.querySelector(".target-hit"));
  await act(() => find(".target-hit", "김철수 9").querySelector("input")!.click());
  await act(() => find(".target-hit", "김철수 8").querySelector("input")!.click());
  assert.ok(find("[role=alert]", "at most 2"));
  await click("apply 2");
  assert.deepEqual(sent(), { exempt: "70, 9" });
  assert.equal(isDirty(form()), true);
  await click("remove 이영희");
  assert.deepEqual(sent(), { exempt: "9" });
  await click("remove 김철수 9");
  assert.deepEqual(sent(), { exempt: "" });
});

test("a choice that may not be changed shows chips only and sends nothing", async () => {
  await act(() => mounted.unmount());
  await show({ disabled: true });
  assert.equal(document.querySelector("button"), null);
  assert.deepEqual(sent(), {});
  assert.ok(find(".chip", "연구소 1"));
});

test("the next page's targets replace those chosen here", async () => {
  await click("remove 연구소 1");
  await act(() => mounted.render({ ...props, targets: [] }));
  assert.equal(sent()["targets"], "[]");
  assert.equal(isDirty(form()), false);
});

test("a swap that removes the dialog unmounts it", async () => {
  await begin();
  $("dialog").closest("body > div:not(#place)")!.remove();
  await act(() => mounted.unmount());
  assert.equal(document.querySelector("dialog"), null);
  assert.equal(document.body.style.pointerEvents, "");
});
