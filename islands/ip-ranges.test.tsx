import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { isDirty } from "./guard.ts";
import { act, find, mountIsland, openForm, press, sent, type, until } from "./island.test-setup.ts";
import type { Checked } from "./ip-check.ts";
import type { Mounted } from "./mount.tsx";
import { $ } from "./page.test-setup.ts";

const texts = Object.fromEntries(
  "caption number name range addresses action empty add paste full here name_missing name_long lines lines_help lines_add".split(" ").map((key) => [key, key]),
);
Object.assign(texts, {
  count: "{n}/{max}", name_of: "name {n}", range_of: "range {n}", remove: "remove {name}", removed: "removed {name}, {n} left",
  matches: "{address} is {name}", matches_none: "{address} is nowhere", added: "added {n}", left_out: "left out {n} of {max}", bad: "bad {n}",
  repeated: "{note}: {n}", bad_line: "line {n} {text}: {problem}", bad_more: "{n} more",
});
const props = { name: "allowed_ip_ranges", ranges: [{ location_name: "본사", range: "203.0.113.0/24" }, { location_name: "VPN", range: "10.0.0.*" }], address: "203.0.113.9", checkURL: "/check", max: 200, texts };

// The server's results by text; any other text is a single address.
const said: Record<string, Partial<Checked>> = {
  "": { error: "missing", is_unfinished: true },
  "203.0": { error: "form", is_unfinished: true },
  "203.0.113.300": { error: "form" },
  "10.0.0.9-10.0.0.1": { error: "reversed" },
  "0.0.0.0/0": { error: "all" },
  "10.0.0.*": { warnings: ["private"] },
  "203.0.113.128/25": { warnings: ["overlaps 1"] },
  "203.0.113.0/24": { addresses: 256, is_own: true },
  "203.0.113.1-203.0.113.9": { addresses: 9, is_own: true },
};
const answer = (number: number, location_name: string, range: string): Checked =>
  ({ number, location_name, range, addresses: said[range]?.error ? 0 : 1, is_own: false, error: "", is_unfinished: false, warnings: [], ...said[range] });
const readLine = (line: string, i: number) => {
  const [name, range] = line.split(/\s*[,\t]\s*/);
  const read = answer(i + 1, name!, range ?? name!);
  return /^\d+\.\d+\.\d+\.\d+/.test(read.range) ? read : { ...read, error: "form" };
};

let answered: string[]; // the texts of the last request
let fails: boolean;
const request = async (_: string, init?: RequestInit): Promise<Response> => {
  if (fails) throw new Error("unreachable");
  const { ranges, lines } = JSON.parse(init!.body as string) as { ranges?: { range: string }[]; lines?: string };
  const data = lines?.split("\n").map(readLine) ?? ranges!.map(({ range }, i) => answer(i + 1, "", range));
  answered = data.map(({ range }) => range);
  return Response.json({ data });
};
const typeRange = async (n: number, text: string) => {
  await type(range(n), text);
  await until(() => answered[n - 1] === text);
  await act(() => undefined);
};

let mounted: Mounted;
const show = async (given: object = {}) => {
  openForm();
  mounted = await mountIsland(await import("./ip-ranges.tsx"), { ...props, ...given }, request);
};
const range = (n: number) => find<HTMLInputElement>("input", `range ${n}`);
const click = (text: string) => act(() => find("button", text).click());
const form = () => $<HTMLFormElement>("form");

beforeEach(() => ((fails = false), (answered = []), show()));
afterEach(() => act(() => mounted.unmount()));

test("rows are ordinary fields, numbered without gaps", async () => {
  assert.deepEqual(sent(), {
    "allowed_ip_ranges.0.location_name": "본사", "allowed_ip_ranges.0.range": "203.0.113.0/24",
    "allowed_ip_ranges.1.location_name": "VPN", "allowed_ip_ranges.1.range": "10.0.0.*",
  });
  assert.equal(isDirty(form()), false);
  await click("remove 본사");
  assert.deepEqual(sent(), { "allowed_ip_ranges.0.location_name": "VPN", "allowed_ip_ranges.0.range": "10.0.0.*" });
  assert.equal(isDirty(form()), true);
  assert.equal(find("[role=status]", "removed 본사, 1 left").textContent, "removed 본사, 1 left");
  assert.equal(document.activeElement, find("button", "remove VPN"));
  await click("remove VPN");
  assert.equal(document.activeElement, find("button", "add"));
  assert.ok(find("p", "empty"));
});

test("a change fires an event in the form", async () => {
  let told = 0;
  form().addEventListener("change", () => told++);
  await click("remove 본사");
  assert.equal(told, 1);
});

test("the reader's own address is checked while typing", async () => {
  assert.ok(find("[role=status]", "203.0.113.9 is 본사"));
  await typeRange(1, "203.0.114.0/24");
  assert.ok(find("[role=status]", "203.0.113.9 is nowhere"));
  await typeRange(2, "203.0.113.1-203.0.113.9");
  assert.ok(find("[role=status]", "203.0.113.9 is VPN"));
});

test("a range is refused beside its field, and not before it is wrong", async () => {
  await act(() => range(1).focus());
  for (const [text, refusal] of [["203.0", ""], ["203.0.113.300", "form"], ["10.0.0.9-10.0.0.1", "reversed"], ["0.0.0.0/0", "all"], ["203.0.113.1", ""]] as const) {
    await typeRange(1, text);
    assert.equal($(`#${CSS.escape(range(1).getAttribute("aria-describedby")!.split(" ")[0]!)}`).textContent, refusal, text);
    assert.equal(range(1).getAttribute("aria-invalid"), String(refusal !== ""), text);
  }
  await typeRange(1, "203.0");
  await act(() => range(1).blur());
  assert.equal(range(1).getAttribute("aria-invalid"), "true");
});

test("private ranges and overlaps are warned of", async () => {
  assert.ok(find(".ip-notes", "private"));
  await typeRange(2, "203.0.113.128/25");
  assert.ok(find(".ip-notes", "overlaps 1"));
});

test("a warning of many ranges is shown once, with their number", async () => {
  await show({ ranges: Array.from({ length: 200 }, (_, i) => ({ location_name: `VPN ${i}`, range: "10.0.0.*" })) });
  assert.ok(find(".ip-ranges > .help", "private: 200"));
  assert.equal([...document.querySelectorAll(".ip-notes")].filter(({ textContent }) => textContent).length, 0);
});

test("the server's error stays until something is typed", async () => {
  await act(() => mounted.render({ ...props, ranges: [{ location_name: "본사", range: "203.0.113.0/24", error: "taken elsewhere" }] }));
  assert.ok(find(".error", "taken elsewhere"));
  await type(range(1), "203.0.113.0/25");
  assert.equal(document.querySelector(".error"), null);
});

test("the server's error is in its own cell, to which the summary links", async () => {
  await act(() => mounted.render({ ...props, ranges: [{ location_name: "", range: "203.0.113.0/24", name_error: "no name" }, { location_name: "VPN", range: "x", error: "no range" }] }));
  const said = (id: string) => $(`#${CSS.escape(id)}`).closest("td")!.querySelector(".error")?.textContent;
  assert.deepEqual(["0.location_name", "0.range", "1.location_name", "1.range"].map((part) => said(`allowed_ip_ranges.${part}`)), ["no name", undefined, undefined, "no range"]);
  await type($<HTMLInputElement>("#allowed_ip_ranges\\.0\\.location_name"), "본사");
  assert.equal(said("allowed_ip_ranges.0.location_name"), undefined);
});

test("Enter moves to the next row, then to a new one, and never submits the form", async () => {
  await act(() => range(1).focus());
  assert.equal(await press(range(1), "Enter"), true);
  assert.equal(document.activeElement, range(2));
  await press(range(2), "Enter");
  assert.equal(document.activeElement, find("input", "name 3"));
  assert.equal(sent()["allowed_ip_ranges.2.range"], "");
});

test("a range needs a name, which may have 50 characters", async () => {
  await type(find("input", "name 1"), " ");
  await act(() => range(1).blur());
  assert.ok(find(".error", "name_missing"));
  await type(find("input", "name 1"), "가".repeat(51));
  assert.ok(find(".error", "name_long"));
  await type(find("input", "name 1"), "가".repeat(50));
  assert.equal(document.querySelector(".error"), null);
});

test("many lines are pasted: good ones become rows, bad ones stay with their reason", async () => {
  await click("paste");
  const field = $<HTMLTextAreaElement>("textarea");
  assert.equal(document.activeElement, field);
  field.value = "판교, 198.51.100.16-198.51.100.47\nnonsense\n192.0.2.7\n지사\t1.2.3";
  await click("lines_add");
  await until(() => sent()["allowed_ip_ranges.2.location_name"]);
  assert.equal(sent()["allowed_ip_ranges.2.location_name"], "판교");
  assert.equal(sent()["allowed_ip_ranges.3.location_name"], "192.0.2.7");
  assert.equal(field.value, "nonsense\n지사\t1.2.3");
  await until(() => document.body.textContent!.includes("added 2"));
  for (const said of ["added 2", "bad 2", "line 2 nonsense: form", "line 4 지사\t1.2.3: form"]) assert.ok(find("p, li", said));
});

test("whoever has gone on while pasted lines are read keeps the focus", async () => {
  await click("paste");
  $<HTMLTextAreaElement>("textarea").value = "판교, 198.51.100.16";
  const outside = document.body.appendChild(document.createElement("input"));
  const added = click("lines_add");
  outside.focus();
  await added;
  await until(() => document.body.textContent!.includes("added 1"));
  assert.equal(document.activeElement, outside);
});

test("of 10,000 lines those that fit are added, and the rest is counted", async () => {
  await click("paste");
  $<HTMLTextAreaElement>("textarea").value = Array.from({ length: 10_000 }, (_, i) => `지점 ${i}, 203.${i % 256}.${i >> 8}.1`).join("\n");
  await click("lines_add");
  await until(() => document.body.textContent!.includes("added 198"));
  assert.equal(document.querySelectorAll("tbody tr").length, 200);
  assert.ok(find("p", "added 198"));
  assert.ok(find("p", "left out 9,802 of 200"));
  assert.equal($<HTMLTextAreaElement>("textarea").value, "");
  await click("add");
  assert.equal(document.querySelectorAll("tbody tr").length, 200);
});

test("without a response, rows stay as they were typed", async () => {
  fails = true;
  await click("paste");
  $<HTMLTextAreaElement>("textarea").value = "판교, 198.51.100.16";
  await click("lines_add");
  assert.equal($<HTMLTextAreaElement>("textarea").value, "판교, 198.51.100.16");
  assert.equal(document.querySelectorAll("tbody tr").length, 2);
  await type(range(1), "203.0.113.300");
  assert.equal(range(1).getAttribute("aria-invalid"), "false");
  fails = false;
  await typeRange(1, "203.0.113.30x");
  assert.equal(range(1).value, "203.0.113.30x");
});

test("lines that were refused are shown again", async () => {
  await act(() => mounted.unmount());
  await show({ lines: "nonsense" });
  assert.equal(sent()["allowed_ip_ranges.lines"], "nonsense");
});

test("a list that may not be changed sends nothing", async () => {
  await act(() => mounted.unmount());
  await show({ disabled: true });
  assert.deepEqual(sent(), {});
  assert.equal(document.querySelectorAll("button:not(:disabled)").length, 0);
});
