// For tests that compare pictures: a console with the demo company that no other test
// uses, and whose clock stands still. Its sessions are the same in every worker, because
// pages show them.
import { type APIRequestContext, request } from "@playwright/test";
import { stopClock } from "./clock.ts";
import type { Console } from "./console.ts";
import { demoConsole } from "./demo.ts";
import { test as base } from "./fixtures.ts";
import { ADMIN, EMPLOYEE, PASSWORD, type Sessions, useSessions, VIEWER } from "./people.ts";

const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36";

// picturedConsole starts the console.
export async function picturedConsole(): Promise<Console> {
  const console = await demoConsole();
  console.isClockStopped = true;
  await console.serve("--operating-company", "hanbit.example");
  const sessions: Sessions = {};
  for (const email of [ADMIN, EMPLOYEE, VIEWER]) {
    const browser = await request.newContext({ baseURL: console.url, userAgent: USER_AGENT });
    await browser.post("/login", { form: { email, password: PASSWORD }, maxRedirects: 0 });
    sessions[email] = (await browser.storageState()).cookies;
    if (email === EMPLOYEE) await readNotice(browser);
    await browser.dispose();
  }
  process.env["PICTURED_CONSOLE"] = JSON.stringify({ url: console.url, sessions }); // workers inherit it
  return console;
}

// readNotice reads the first notice, so that there is one that has been read.
async function readNotice(browser: APIRequestContext): Promise<void> {
  const list = await (await browser.get("/notice")).text();
  await browser.get(/href="(\/notice\/\d+)"/.exec(list)![1]!);
}

export const test = base.extend<object, { pictured: { url: string; sessions: Sessions } }>({
  pictured: [
    async ({}, use) => {
      const pictured = JSON.parse(process.env["PICTURED_CONSOLE"]!) as { url: string; sessions: Sessions };
      stopClock();
      useSessions(pictured.sessions);
      await use(pictured);
    },
    { scope: "worker", auto: true },
  ],
  baseURL: ({ pictured }, use) => use(pictured.url),
});

export { expect } from "./fixtures.ts";
