import { type RefObject, useCallback, useLayoutEffect, useRef } from "react";

// useFocusNeighbor moves the focus when an item is removed: to the button
// [data-remove] that took its place in the list, else to the last one; if the
// list is empty, to the element that the fallback returns.
export function useFocusNeighbor<List extends HTMLElement>(fallback: () => HTMLElement | null | undefined): [RefObject<List | null>, (index: number) => void] {
  const list = useRef<List | null>(null);
  const removed = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (removed.current === null) return;
    const buttons = list.current?.querySelectorAll<HTMLElement>("[data-remove]") ?? [];
    (buttons[Math.min(removed.current, buttons.length - 1)] ?? fallback())?.focus();
    removed.current = null;
  });
  return [list, useCallback((index: number) => void (removed.current = index), [])];
}
