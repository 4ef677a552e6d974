import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { $, open, settle } from "./page.test-setup.ts";

const views = join(process.cwd(), "../views");

test("every island that a view names has its file and its entry, and every entry a view", async () => {
  open();
  const { islands } = await import("./registry.ts");
  const named = new Set(readdirSync(views, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".templ")).flatMap(namesIn));
  const files = readdirSync(process.cwd());
  assert.ok(named.size > 0, "no view has an island");
  assert.deepEqual(Object.keys(islands).filter((name) => !named.has(name)), [], "no view names these islands");
  for (const name of named) {
    assert.ok(files.includes(`${name}.tsx`), `views name the island ${name}, which has no islands/${name}.tsx`);
    assert.ok(name in islands, `the island ${name} is not in the registry`);
  }
});

test("islands inside closed details are mounted when they are opened", async () => {
  open('<details><div data-island="waiting"></div></details><div data-island="waiting"></div>');
  const { islands, mountIslands } = await import("./registry.ts");
  const mounted: Element[] = [];
  islands["waiting"] = async () => (place) => (mounted.push(place), { render: () => undefined, unmount: () => undefined });
  const [hidden, shown] = document.querySelectorAll("[data-island]");
  mountIslands();
  await settle();
  assert.deepEqual(mounted, [shown]);
  $<HTMLDetailsElement>("details").open = true;
  mountIslands();
  await settle();
  assert.deepEqual(mounted, [shown, hidden]);
});

function namesIn(file: string): string[] {
  const text = readFileSync(join(views, file), "utf8");
  return [...text.matchAll(/@(?:views\.)?Island\(\s*"([^"]+)"|data-island="([^"]+)"/g)].map(([, called, written]) => (called ?? written)!);
}
