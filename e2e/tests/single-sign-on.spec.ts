// Single sign-on: an employee signs in through the company's provider and lands where
// they wanted, and an administrator adds and tests a provider.
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beyondNarrowest, violations } from "../accessible.ts";
import { Console } from "../console.ts";
import { elapseSessions } from "../elapse.ts";
import { expect, test as base } from "../fixtures.ts";
import { ADMIN, at, EMPLOYEE, signIn } from "../people.ts";
import { Provider, SECRET } from "../provider.ts";
import { languages, texts } from "../texts.ts";

const PROVIDERS = "/manage/security/providers";

type Own = { console: Console; provider: Provider };

// A console with a provider of this machine.
const test = base.extend<object, { own: Own }>({
  own: [
    async ({}, use) => {
      const console = new Console();
      const provider = await new Provider().start();
      const secret = join(tmpdir(), `officeconsole-secret-${process.pid}`);
      writeFileSync(secret, SECRET, { mode: 0o600 });
      await console.run(["demo", "--employees", "20", "--days", "1"]);
      const created = await console.run(provider.create(secret));
      if (created.code !== 0) throw new Error(created.stderr);
      rmSync(secret);
      await console.serve("--webhook-allow", "127.0.0.1/32");
      await use({ console, provider });
      await console.stop();
      provider.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: ({ own }, use) => use(own.console.url),
});

test.describe.configure({ mode: "default" });

for (const language of languages) {
  const say = texts[language];

  test(`${language}: an employee signs in through the provider and signs out there`, async ({ page, own }) => {
    own.provider.email = EMPLOYEE;
    await page.goto(at(language, "/profile"));
    await page.getByRole("link", { name: say.ssoLink }).click();
    await expect(page.getByRole("heading", { level: 1, name: say.ssoTitle })).toBeVisible();
    expect.soft(await violations(page)).toEqual([]);
    await page.getByLabel(say.ssoEmail).fill("somebody@elsewhere.example");
    await page.getByRole("button", { name: say.ssoContinue }).click();
    await expect(page.getByRole("alert")).toContainText(say.signInFailed);
    expect.soft(await violations(page)).toEqual([]);
    await page.getByLabel(say.ssoEmail).fill(EMPLOYEE);
    await page.getByRole("button", { name: say.ssoContinue }).click();
    await expect(page).toHaveURL(at(language, "/profile"));
    await expect(page.locator("main").getByText(EMPLOYEE).first()).toBeVisible();

    const before = own.provider.signedOut;
    await page.getByRole("button", { name: "박민재" }).click();
    await page.getByRole("button", { name: say.signOut, exact: true }).click();
    await expect(page).toHaveURL(at(language, "/login"));
    expect(own.provider.signedOut).toBe(before + 1);
  });

  test(`${language}: an ended session goes on with single sign-on in another tab`, async ({ page, context, own }) => {
    own.provider.email = EMPLOYEE;
    await signIn(page, EMPLOYEE);
    await elapseSessions(own.console, 1); // pages tell sessions apart by the second
    await page.goto(at(language, "/profile"));
    const field = page.getByLabel(say.confirmation);
    await field.fill("typed");
    await context.clearCookies();
    await page.getByRole("link", { name: say.product }).click();
    const dialog = page.getByRole("dialog", { name: say.ended });
    const opened = context.waitForEvent("page");
    await dialog.getByRole("button", { name: say.ssoLink }).click();
    await expect((await opened).locator("h1")).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(field).toHaveValue("typed");
  });

  test(`${language}: somebody unknown is told what to do`, async ({ page, own }) => {
    own.provider.email = "nobody@hanbit.example";
    await page.goto(at(language, "/sso"));
    await page.getByLabel(say.ssoEmail).fill("nobody@hanbit.example");
    await page.getByRole("button", { name: say.ssoContinue }).click();
    await expect(page.getByRole("alert")).toContainText(say.ssoUnknown);
    expect.soft(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: say.ssoAgain }).click();
    await expect(page).toHaveURL(at(language, "/sso"));
  });

  test(`${language}: an administrator tests the provider`, async ({ page, own }) => {
    own.provider.email = ADMIN;
    await signIn(page, ADMIN);
    await page.goto(at(language, PROVIDERS));
    await page.getByRole("button", { name: say.providerTest }).click();
    await expect(page.getByText(say.providerWorks)).toBeVisible();
    await expect(page.getByRole("row", { name: `email ${ADMIN}` })).toBeVisible();
    expect.soft(await violations(page)).toEqual([]);
    expect.soft(await beyondNarrowest(page)).toBe(0);
  });
}
