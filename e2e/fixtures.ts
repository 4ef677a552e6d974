// Every test fails if a script of the page throws, or if the page's content
// security policy blocks something.
import { test as base } from "@playwright/test";
import { shiftClock } from "./clock.ts";

export const test = base.extend<{ healthy: void }>({
  context: async ({ context }, use) => use(await shiftClock(context)),
  healthy: [
    async ({ context }, use) => {
      const wrong: string[] = [];
      context.on("weberror", (error) => wrong.push(String(error.error().stack)));
      context.on("console", (message) => {
        if (message.type() === "error" && message.text().includes("Content Security Policy")) wrong.push(message.text());
      });
      await use();
      if (wrong.length > 0) throw new Error(wrong.join("\n"));
    },
    { auto: true },
  ],
});

export { expect } from "@playwright/test";
