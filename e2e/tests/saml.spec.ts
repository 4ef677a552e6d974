// Single sign-on with SAML: an employee signs in through a provider of another site and
// lands where they wanted, and an administrator tests the provider.
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beyondNarrowest, violations } from "../accessible.ts";
import { Console } from "../console.ts";
import { expect, test as base } from "../fixtures.ts";
import { ADMIN, at, EMPLOYEE, signIn } from "../people.ts";
import { SAMLProvider } from "../saml-provider.ts";
import { languages, texts } from "../texts.ts";

type Own = { console: Console; provider: SAMLProvider };

// A console with a provider of this machine.
const test = base.extend<object, { own: Own }>({
  own: [
    async ({}, use) => {
      const console = new Console();
      const provider = await new SAMLProvider().start();
      const metadata = join(tmpdir(), `officeconsole-metadata-${process.pid}.xml`);
      writeFileSync(metadata, provider.metadata());
      await console.run(["demo", "--employees", "20", "--days", "1"]);
      const created = await console.run([
        "provider", "create", "--company", "hanbit.example", "--saml-metadata", metadata, "--domain", "hanbit.example", "--webhook-allow", "127.0.0.1/32", "--name", "한빛 계정",
      ]);
      if (created.code !== 0) throw new Error(created.stderr);
      rmSync(metadata);
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

  test(`${language}: an employee signs in through a provider of another site`, async ({ page, own }) => {
    own.provider.email = EMPLOYEE;
    await page.goto(at(language, "/profile"));
    await page.getByRole("link", { name: say.ssoLink }).click();
    await page.getByLabel(say.ssoEmail).fill(EMPLOYEE);
    await page.getByRole("button", { name: say.ssoContinue }).click();
    await expect(page).toHaveURL(at(language, "/profile"));
    await expect(page.locator("main").getByText(EMPLOYEE).first()).toBeVisible();
  });

  test(`${language}: an administrator tests the provider of SAML`, async ({ page, own }) => {
    own.provider.email = ADMIN;
    await signIn(page, ADMIN);
    await page.goto(at(language, "/manage/security/providers"));
    await page.getByRole("button", { name: say.providerTest }).click();
    await expect(page.getByText(say.providerWorks)).toBeVisible();
    await expect(page.getByRole("row", { name: `email ${ADMIN}` })).toBeVisible();
    expect.soft(await violations(page)).toEqual([]);
    expect.soft(await beyondNarrowest(page)).toBe(0);
  });
}
