import { type RefObject, useCallback, useLayoutEffect, useRef } from "react";

// useFocusNeighbor keeps the focus beside what was removed: of the buttons
// [data-remove] in a list the one that took the place, else the last; when none
// is left, what the fallback finds.
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
