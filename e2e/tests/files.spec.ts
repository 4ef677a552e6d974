// The log of saved files: from the top link to a file, its sender and the policy
// that allowed it; names that deceive; and the file of the list.
import { violations } from "../accessible.ts";
import { expect, test } from "../fixtures.ts";
import { ADMIN, at, signIn } from "../people.ts";
import { languages, texts } from "../texts.ts";

const FILES = "/logs/communication/file";

for (const language of languages) {
  const say = texts[language];

  test(`${language}: a saved file is traced to its sender and the policy that allowed it`, async ({ page }) => {
    await signIn(page, ADMIN);
    await page.goto(at(language, "/policies/communication/management"));
    await page.getByRole("link", { name: say.logsLink, exact: true }).click();
    await expect(page).toHaveURL(at(language, FILES));
    await expect(page.getByRole("heading", { level: 1, name: say.files })).toBeVisible();

    await page.getByRole("searchbox", { name: say.filesSearch }).fill("zzzz-none");
    await page.getByRole("searchbox", { name: say.filesSearch }).press("Enter");
    await expect(page.getByRole("heading", { name: say.filesNone })).toBeVisible();

    await page.goto(at(language, `${FILES}?platform=mobile_web`));
    const row = page.getByRole("row").nth(1);
    const name = await row.getByRole("rowheader").innerText();
    await row.getByRole("rowheader").getByRole("link").click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    await page.getByRole("link", { name: say.filesWhy }).click();
    await expect(page).toHaveURL(/\/policies\/communication\/status\/\d+\?at=/);
  });
}

test("a deceptive name is shown in its stored order, with the character boxed", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(`${FILES}?deceptive=1`);
  await expect(page.locator(".spoof").first()).toHaveText(/^U\+[0-9A-F]{4}$/);
  expect(await page.locator("main").innerText()).not.toMatch(/[\u200b\u202a-\u202e\u2066-\u2069\u3164]/);
  expect(await violations(page)).toEqual([]);
});

test("the list is a file", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(`${FILES}?deceptive=1`);
  await page.getByRole("button", { name: "내보내기" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  expect((await download).suggestedFilename()).toBe("saved-files.csv");
});
