// For tests that change the company: a console of their own, in which VIEWER is
// a second administrator. All tests of a file share it; files that use it call
// test.describe.configure({ mode: "default" }), so that there is only one.
import type { Console } from "./console.ts";
import { demoConsole } from "./demo.ts";
import { test as base } from "./fixtures.ts";
import { VIEWER } from "./people.ts";

export const test = base.extend<object, { own: Console }>({
  own: [
    async ({}, use) => {
      const own = await demoConsole();
      await own.run(["user", "grant-admin", VIEWER]);
      own.token = (await own.run(["token", "create", "--company", "hanbit.example", "--scope", "read,events"])).stdout.trim();
      await own.serve();
      await use(own);
      await own.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: ({ own }, use) => use(own.url),
});

export { expect } from "./fixtures.ts";
