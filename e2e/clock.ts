// The time of the tests: a Friday afternoon in Seoul. The consoles and the
// browsers have a clock that runs from then on, so that no test depends on the
// date or runs across midnight. In tests that compare pictures the clock stands
// still.
import type { BrowserContext } from "@playwright/test";

// START is the time when the tests begin.
export const START = "2026-11-20T15:00:00+09:00";

// The first process sets the offset, the others inherit it.
const OFFSET = Number((process.env["CLOCK_OFFSET"] ??= String(Date.parse(START) - Date.now())));

// OFFSET_OPTION is the offset in the format of --clock-offset.
export const OFFSET_OPTION = `${OFFSET}ms`;

let isStopped = false;

// stopClock stops the clock of this worker at START: of the consoles that it starts and
// of its browsers.
export function stopClock(): void {
  isStopped = true;
}

export function isClockStopped(): boolean {
  return isStopped;
}

// now returns the time of the tests, in milliseconds since 1970.
export function now(): number {
  return isStopped ? Date.parse(START) : Date.now() + OFFSET;
}

// inSeoul returns the date in Seoul a number of days ago, as YYYY-MM-DD.
export function inSeoul(daysAgo: number): string {
  return new Date(now() + 9 * 3_600_000 - daysAgo * 86_400_000).toISOString().slice(0, 10);
}

// shiftClock sets the clock of a context's pages to the time of the tests. A
// page whose clock is installed needs page.clock.install({ time: now() })
// instead.
export async function shiftClock(context: BrowserContext): Promise<BrowserContext> {
  await context.addInitScript(({ offset, stopped }) => {
    const system = Date;
    const shifted = () => stopped ?? system.now() + offset;
    globalThis.Date = new Proxy(system, {
      construct: (target, args, called) => Reflect.construct(target, args.length > 0 ? args : [shifted()], called) as Date,
      apply: () => new system(shifted()).toString(),
      get: (target, key) => (key === "now" ? shifted : (Reflect.get(target, key) as unknown)),
    });
  }, { offset: OFFSET, stopped: isStopped ? now() : undefined });
  return context;
}
