import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { $, fire, open } from "./page.test-setup.ts";
import type { Frame, Mounted } from "./mount.tsx";
import { read, write } from "./store.ts";

const departments = Array.from({ length: 10_000 }, (_, i) => ({
  id: i + 1,
  name: i === 0 ? "한빛테크" : `${i % 2 ? "연구소" : "영업본부"} ${i}`,
  parent_id: i === 0 ? "#" : Math.ceil(i / 10),
  user_count: i,
}));

const texts = { label: "부서", filter: "부서 검색", none: "없습니다", found: "{n}개" };
const props = { url: "/api/departments", href: "/policies?department_id=", texts };

let visited: string[] = [];
let mounted: Mounted;
let asked: string[] = [];

const frame: Frame = {
  request: async (url) => (asked.push(url), Response.json({ data: departments })),
  visit: (url) => visited.push(url),
  read,
  write,
};

beforeEach(async () => {
  open('<div id="place"><ul><li><a href="/policies">without scripts</a></li></ul></div>', "https://console.test/policies?q=ab");
  Object.assign(globalThis, {
    IS_REACT_ACT_ENVIRONMENT: true,
    requestAnimationFrame: (draw: () => void) => setTimeout(draw, 0),
    cancelAnimationFrame: clearTimeout,
    MessageChannel: FakeChannel,
    ResizeObserver: class { observe = () => undefined; disconnect = () => undefined; },
  });
  [visited, asked] = [[], []];
  await show({ ...props, current: 4500 });
});

afterEach(async () => (await import("react")).act(() => mounted.unmount()));

test("only visible rows are rendered, including the current department", () => {
  assert.deepEqual(asked, ["/api/departments"]);
  const rows = document.querySelectorAll('[role="treeitem"]');
  assert.ok(rows.length > 3 && rows.length < 60, `${rows.length} rows`);
  assert.equal(row("한빛테크").getAttribute("aria-expanded"), "true");
  assert.equal($('[aria-current="true"] .truncate').textContent, "연구소 4499");
});

test("rows count the people below them", () => {
  assert.equal(row("한빛테크").querySelector("small")!.textContent, "0");
  assert.equal($('[aria-current="true"] small').textContent, "4,499");
});

test("rows have their level and position, and leaves are not expandable", () => {
  assert.equal($('[role="tree"]').getAttribute("aria-label"), "부서");
  const first = row("연구소 1");
  assert.deepEqual(["level", "posinset", "setsize"].map((name) => first.getAttribute(`aria-${name}`)), ["2", "1", "10"]);
  const leaf = $('[aria-current="true"]');
  assert.equal(leaf.hasAttribute("aria-expanded"), false);
  assert.equal(leaf.getAttribute("draggable"), null);
});

test("choosing a row visits its list and keeps the search", async () => {
  await act(() => row("연구소 1").click());
  assert.deepEqual(visited, ["/policies?department_id=2&q=ab"]);
});

test("the toggle expands a department without navigating, which the tab stores", async () => {
  assert.equal(row("연구소 1").getAttribute("aria-expanded"), "false");
  await act(() => row("연구소 1").querySelector<HTMLElement>("[data-toggle]")!.click());
  assert.deepEqual(visited, []);
  assert.equal(row("연구소 1").getAttribute("aria-expanded"), "true");
  assert.equal(read<Record<string, boolean>>(sessionStorage, "departments.open")?.["2"], true);
});

test("Enter chooses the department that has the focus", async () => {
  await act(() => $('[role="tree"]').dispatchEvent(new Event("focusin", { bubbles: true })));
  await act(() => $('[role="tree"]').dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true })));
  assert.deepEqual(visited, ["/policies?department_id=4500&q=ab"]);
});

test("typed letters move to the next department that begins with them", async () => {
  const tree = $('[role="tree"]');
  const press = (key: string) => act(() => tree.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));
  const focused = () => $("[role=treeitem][tabindex='0'], [role=treeitem]:focus").querySelector(".truncate")!.textContent;
  await act(() => tree.dispatchEvent(new Event("focusin", { bubbles: true })));
  await press("Home");
  await press("ㅇ");
  await press("ㅕ");
  await press("ㅇ");
  assert.equal(focused(), "영업본부 2");
  assert.deepEqual(visited, []);
});

test("the filter needs two characters, counts its results and says if there are none", async () => {
  await type("9");
  assert.equal($('[role="status"]').textContent, "");
  await type("부 1234");
  assert.equal($('[role="status"]').textContent, "1개");
  assert.ok(row("영업본부 1234"));
  await type("없는 부서");
  assert.equal($('[role="status"]').textContent, "0개");
  assert.equal($(".sub").textContent, "없습니다");
});

test("the next page moves the selection and keeps the tree mounted", async () => {
  const tree = $('[role="tree"]');
  await act(() => mounted.render({ ...props, current: 2 }));
  assert.equal($('[role="tree"]'), tree);
  assert.ok($('[aria-current="true"]').textContent?.startsWith("연구소 1"));
});

// FakeChannel replaces MessageChannel, with which React schedules its work; a
// real channel would prevent the test from ending.
class FakeChannel {
  port1 = { onmessage: () => undefined };
  port2 = { postMessage: () => setImmediate(() => this.port1.onmessage()) };
}

async function show(given: object): Promise<void> {
  const { mount } = await import("./mount.tsx");
  const island = (await import("./department-tree.tsx")) as never;
  await act(async () => void (mounted = await mount($("#place"), island, given, frame)));
}

async function act(change: () => unknown): Promise<void> {
  const react = await import("react");
  await react.act(async () => void (await change()));
}

function row(name: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>('[role="treeitem"]')].find((row) => row.querySelector(".truncate")?.textContent === name);
  if (!found) throw new Error(`no row is ${name}`);
  return found;
}

async function type(text: string): Promise<void> {
  const input = $<HTMLInputElement>("input");
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(input, text);
  await act(() => fire("input", "input"));
}
