// The time in which the tests happen: a Friday afternoon in Seoul. The consoles
// and the browsers are given a clock that runs from there on, so that no test
// depends on the date or meets a midnight.
import type { BrowserContext } from "@playwright/test";

const START = "2026-11-20T15:00:00+09:00";

// The first process chooses the offset, the others inherit it.
const OFFSET = Number((process.env["CLOCK_OFFSET"] ??= String(Date.parse(START) - Date.now())));

// OFFSET_OPTION is the offset as the program takes it.
export const OFFSET_OPTION = `${OFFSET}ms`;

// now is the time of the tests, in milliseconds since 1970.
export function now(): number {
  return Date.now() + OFFSET;
}

// inSeoul is so many days before today in Seoul, as YYYY-MM-DD.
export function inSeoul(daysAgo: number): string {
  return new Date(now() + 9 * 3_600_000 - daysAgo * 86_400_000).toISOString().slice(0, 10);
}

// shiftClock gives the pages of a context the time of the tests. A page whose
// clock is installed has that one instead: page.clock.install({ time: now() }).
export async function shiftClock(context: BrowserContext): Promise<BrowserContext> {
  await context.addInitScript((offset) => {
    const system = Date;
    const shifted = () => system.now() + offset;
    globalThis.Date = new Proxy(system, {
      construct: (target, args, called) => Reflect.construct(target, args.length > 0 ? args : [shifted()], called) as Date,
      apply: () => new system(shifted()).toString(),
      get: (target, key) => (key === "now" ? shifted : (Reflect.get(target, key) as unknown)),
    });
  }, OFFSET);
  return context;
}
