// Every island by the name that a view gives it: <div data-island="NAME"
// data-props="JSON">. Its children are the fallback until it is mounted.
import { loadChunk } from "./chunks.ts";
import type { Island } from "./mount.tsx";
import { isMounted, keep, unmountGone } from "./mounts.ts";
import { visit } from "./navigation.ts";
import { request } from "./request.ts";
import { read, write } from "./store.ts";

export const islands: Record<string, () => Promise<Island>> = {
  "department-tree": () => import("./department-tree.tsx"),
  "ip-ranges": () => import("./ip-ranges.tsx"),
  "target-dialog": () => import("./target-dialog.tsx"),
};

// mountIslands mounts what the page has now and unmounts what it had.
export function mountIslands(): void {
  unmountGone();
  for (const place of document.querySelectorAll<HTMLElement>("[data-island]:not([data-mounting])")) {
    if (!isMounted(place)) void mountAt(place);
  }
}

async function mountAt(place: HTMLElement): Promise<void> {
  const load = islands[place.dataset["island"]!];
  if (!load) return;
  place.dataset["mounting"] = "";
  const chunks = await loadChunk(() => Promise.all([import("./mount.tsx"), load()]));
  if (chunks && place.isConnected) await render(place, ...chunks).catch((error) => console.error("an island could not be mounted", error));
  delete place.dataset["mounting"];
}

async function render(place: HTMLElement, { mount }: typeof import("./mount.tsx"), island: Island): Promise<void> {
  const mounted = await mount(place, island, JSON.parse(place.dataset["props"] ?? "{}") as object, { request, visit, read, write });
  if (place.isConnected) keep(place, mounted);
  else mounted.unmount();
}
