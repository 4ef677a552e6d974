// Every island by the name that views use: <div data-island="NAME"
// data-props="JSON">. Its children are the fallback until it is mounted.
import { visit } from "./boost.ts";
import { loadChunk } from "./chunks.ts";
import type { Frame, Island, Mounted } from "./mount.tsx";
import { isMounted, register, unmountGone } from "./mounts.ts";
import { request } from "./request.ts";
import { read, write } from "./store.ts";

type Mount = (place: Element, props: object, frame: Frame) => Promise<Mounted> | Mounted;

export const islands: Record<string, () => Promise<Mount>> = {
  "department-tree": react(() => import("./department-tree.tsx")),
  "ip-ranges": react(() => import("./ip-ranges.tsx")),
  map: async () => (await import("./map.tsx")).mount,
  "people-picker": react(() => import("./people-picker.tsx")),
  "target-dialog": react(() => import("./target-dialog.tsx")),
};

function react(load: () => Promise<Island>): () => Promise<Mount> {
  return async () => {
    const [{ mount }, island] = await Promise.all([import("./mount.tsx"), load()]);
    return (place, props, frame) => mount(place, island, props, frame);
  };
}

// mountIslands mounts the islands of the page and unmounts those that are gone.
// Islands within <details> are mounted once that is opened.
export function mountIslands(): void {
  unmountGone();
  for (const place of document.querySelectorAll<HTMLElement>("[data-island]:not([data-mounting])")) {
    if (!isMounted(place) && !place.closest("details:not([open])")) void mountAt(place);
  }
}

async function mountAt(place: HTMLElement): Promise<void> {
  const load = islands[place.dataset["island"]!];
  if (!load) return;
  place.dataset["mounting"] = "";
  const mount = await loadChunk(load);
  if (mount && place.isConnected) await render(place, mount).catch((error) => console.error("an island could not be mounted", error));
  delete place.dataset["mounting"];
}

async function render(place: HTMLElement, mount: Mount): Promise<void> {
  const mounted = await mount(place, JSON.parse(place.dataset["props"] ?? "{}") as object, { request, visit, read, write });
  if (place.isConnected) register(place, mounted);
  else mounted.unmount();
}
