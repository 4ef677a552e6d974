import assert from "node:assert/strict";
import { test } from "node:test";
import { lazyPictures } from "./lazy-pictures.ts";
import { keepLiveState } from "./morph.ts";
import { $, open } from "./page.test-setup.ts";

const PAGE = `<span id="top" data-lazy><img></span><span id="bottom" data-lazy><img></span>`;

test("a picture is shown when it comes into view, and stays when the list is swapped", () => {
  open(PAGE);
  const observed = new Set<Element>();
  let scroll = (_entries: Partial<IntersectionObserverEntry>[]): void => {};
  Object.assign(globalThis, {
    IntersectionObserver: class {
      constructor(report: IntersectionObserverCallback) {
        scroll = (entries) => report(entries as IntersectionObserverEntry[], this as unknown as IntersectionObserver);
      }
      observe = (element: Element) => observed.add(element);
      unobserve = (element: Element) => observed.delete(element);
    },
  });
  lazyPictures();
  const [top, bottom] = [$("#top"), $("#bottom")];
  scroll([{ isIntersecting: true, target: top }, { isIntersecting: false, target: bottom }]);
  assert.equal(top.hasAttribute("data-lazy"), false);
  assert.equal(bottom.hasAttribute("data-lazy"), true);
  assert.deepEqual([...observed], [bottom]);

  for (const [old, isLazy] of [[top, false], [bottom, true]] as const) {
    const next = document.createElement("span");
    next.setAttribute("data-lazy", "");
    keepLiveState(old, next);
    assert.equal(next.hasAttribute("data-lazy"), isLazy);
  }
});
