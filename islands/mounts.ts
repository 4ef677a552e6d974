// The mounted islands of the page. React itself is loaded with the first of
// them.
import type { Mounted } from "./mount.tsx";

const mounts = new Map<Element, Mounted>();

export function isMounted(place: Element): boolean {
  return mounts.has(place);
}

export function register(place: Element, mounted: Mounted): void {
  mounts.set(place, mounted);
}

// update passes the props of the next page to an island that stays mounted.
export function update(place: Element, next: Element): void {
  const props = next.getAttribute("data-props") ?? "{}";
  if (props === place.getAttribute("data-props")) return;
  place.setAttribute("data-props", props);
  mounts.get(place)?.render(JSON.parse(props) as object);
}

// unmountGone unmounts the islands that a swap removed.
export function unmountGone(): void {
  for (const [place, mounted] of mounts) {
    if (place.isConnected) continue;
    mounted.unmount();
    mounts.delete(place);
  }
}
