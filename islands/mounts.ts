// The islands that are on the page. React itself comes with the first of them.
import type { Mounted } from "./mount.tsx";

const mounts = new Map<Element, Mounted>();

export function isMounted(place: Element): boolean {
  return mounts.has(place);
}

export function keep(place: Element, mounted: Mounted): void {
  mounts.set(place, mounted);
}

// update gives an island that stays the props that the next page has for it.
export function update(place: Element, next: Element): void {
  const props = next.getAttribute("data-props") ?? "{}";
  if (props === place.getAttribute("data-props")) return;
  place.setAttribute("data-props", props);
  mounts.get(place)?.render(JSON.parse(props) as object);
}

// unmountGone ends the islands that a swap took away.
export function unmountGone(): void {
  for (const [place, mounted] of mounts) {
    if (place.isConnected) continue;
    mounted.unmount();
    mounts.delete(place);
  }
}
