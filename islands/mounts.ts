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

// updateIsland passes the props of the next page to an island that stays mounted. It
// returns false if there is none.
export function updateIsland(place: Element, next: Element): boolean {
  const mounted = mounts.get(place);
  const props = next.getAttribute("data-props") ?? "{}";
  if (mounted && props !== place.getAttribute("data-props")) {
    place.setAttribute("data-props", props);
    mounted.render(JSON.parse(props) as object);
  }
  return mounted !== undefined;
}

// unmountGone unmounts the islands that a swap removed.
export function unmountGone(): void {
  for (const [place, mounted] of mounts) {
    if (place.isConnected) continue;
    mounted.unmount();
    mounts.delete(place);
  }
}
