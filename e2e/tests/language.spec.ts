import { expect, test } from "../fixtures.ts";
import { ADMIN, at, PASSWORD, signIn, signInByForm } from "../people.ts";
import { type Language, texts } from "../texts.ts";

const LIST = "/policies/communication/management";

const browsers: [string, Language][] = [["en-US", "en"], ["ja-JP", "ja"], ["ko-KR", "ko"], ["fr-FR", "ko"]];

for (const [locale, language] of browsers) {
  test.describe(`a browser of ${locale}`, () => {
    test.use({ locale });

    test(`is greeted in ${language}`, async ({ page }) => {
      const say = texts[language];
      await page.goto("/");
      await expect(page).toHaveURL(at(language, "/login"));
      await expect(page.getByRole("heading", { level: 1, name: say.signInTitle })).toBeVisible();
      await page.goto(LIST);
      await expect(page).toHaveURL(new RegExp(`^[^?]*${at(language, "/login")}\\?next=`));
      await signInByForm(page, language, ADMIN, PASSWORD);
      await expect(page).toHaveURL(at(language, LIST));
      await expect(page.getByRole("heading", { level: 1, name: say.policies })).toBeVisible();
    });
  });
}

test.describe("a browser of en-US with a chosen language", () => {
  test.use({ locale: "en-US" });

  test("has that language on the home page, and that of the URL elsewhere", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "日本語" }).click();
    await expect(page).toHaveURL(at("ja", "/login"));
    await signIn(page, ADMIN);
    await page.goto("/");
    await expect(page).toHaveURL(at("ja", LIST));
    await page.goto(LIST);
    await expect(page).toHaveURL(LIST);
    await expect(page.locator("html")).toHaveAttribute("lang", "ko");
    await page.goto(at("en", LIST));
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
  });
});
