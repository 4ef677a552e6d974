// The database stops and starts while somebody uses the console.
import { demoConsole } from "../demo.ts";
import { expect, test } from "../fixtures.ts";
import { ADMIN, at, signIn } from "../people.ts";
import { languages, texts } from "../texts.ts";

const LIST = "/policies/communication/management";
const say = texts.ko;

test("users see an error dialog while the database is unavailable, then continue", async ({ page }) => {
  test.setTimeout(90_000);
  const console = await (await demoConsole()).serve();
  try {
    await signIn(page, ADMIN, console.url);
    await page.goto(console.url + LIST);
    const rows = page.getByRole("rowheader");
    const names = await rows.allInnerTexts();
    expect(names.length).toBeGreaterThan(1);
    await expect(page.getByRole("treeitem").first()).toBeVisible(); // otherwise the tree's own request would be the first to fail

    await console.stopDatabase();
    const byName = page.locator("th").getByRole("link", { name: say.policyColumn, exact: true });
    await byName.click();
    const dialog = page.getByRole("dialog", { name: say.failed });
    await expect(dialog).toContainText(say.unavailable);
    await dialog.getByRole("button", { name: say.ok }).click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(console.url + LIST);
    expect(await rows.allInnerTexts()).toEqual(names);

    for (const language of languages) {
      const answer = await page.request.get(console.url + at(language, LIST));
      expect(answer.status()).toBe(503);
      expect(answer.headers()["retry-after"]).toBe("5");
      expect(await answer.text()).toContain(texts[language].unavailable);
    }

    const call = await page.request.get(`${console.url}/api/v1/profile`);
    expect(call.status()).toBe(503);
    expect(await call.json()).toMatchObject({ code: "server.unavailable", message: say.unavailable });

    await console.startDatabase();
    await byName.click();
    await expect(page).toHaveURL(/sort=name/);
    await expect.poll(() => rows.allInnerTexts()).not.toEqual(names);
    await expect(rows).toHaveCount(names.length);
  } finally {
    await console.stop();
  }
});
