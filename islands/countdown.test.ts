import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { countDown } from "./countdown.ts";
import { $, open } from "./page.test-setup.ts";

test("the remaining time is counted down to zero, and starts again with the next page", () => {
  mock.timers.enable({ apis: ["setInterval", "Date"] });
  const place = (seconds: number) => `<span data-countdown="${seconds}" data-left="{time} left"></span>`;
  open(place(61));
  countDown();
  assert.equal($("span").textContent, "1:01 left");
  mock.timers.tick(2000);
  assert.equal($("span").textContent, "0:59 left");
  mock.timers.tick(70_000);
  assert.equal($("span").textContent, "0:00 left");

  open("");
  mock.timers.tick(1000);
  open(place(300));
  countDown();
  mock.timers.tick(1000);
  assert.equal($("span").textContent, "4:59 left");
  mock.timers.reset();
});
