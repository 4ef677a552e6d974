import { expect, test } from "../fixtures.ts";
import { ADMIN, at, EMPLOYEE, HIDDEN, PASSWORD, signIn, signInByForm } from "../people.ts";
import { languages, texts } from "../texts.ts";

for (const language of languages) {
  const say = texts[language];

  test(`${language}: an administrator signs in, reads the policies and signs out`, async ({ page }) => {
    await page.goto(at(language, "/"));
    await expect(page).toHaveURL(at(language, "/login"));
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await expect(page.getByRole("heading", { level: 1, name: say.signInTitle })).toBeVisible();
    await expect(page.getByLabel(say.email, { exact: true })).toBeFocused();

    await signInByForm(page, language, ADMIN, PASSWORD);
    await expect(page).toHaveURL(at(language, "/policies/communication/management"));
    await expect(page.getByRole("heading", { level: 1, name: say.policies })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(say.product));

    await page.getByRole("button", { name: "김서연" }).click();
    await page.getByRole("button", { name: say.signOut }).click();
    await expect(page).toHaveURL(at(language, "/login"));
    await page.goto(at(language, "/profile"));
    await expect(page.getByLabel(say.password, { exact: true })).toBeVisible();
  });

  test(`${language}: a wrong password and an unknown email are refused in the same way`, async ({ page }) => {
    await page.goto(at(language, "/login"));
    for (const [email, password] of [[`nobody.${language}@hanbit.example`, PASSWORD], [EMPLOYEE, "Wrong!20260"]] as const) {
      await signInByForm(page, language, email, password);
      await expect(page.getByRole("alert")).toContainText(say.refused);
      await expect(page.getByLabel(say.email, { exact: true })).toHaveValue(email);
      await expect(page.getByLabel(say.password, { exact: true })).toHaveValue("");
    }
    await signInByForm(page, language, HIDDEN, PASSWORD);
    await expect(page.getByRole("alert")).toContainText(say.suspended);
    await signIn(page, EMPLOYEE); // resets the count of failures
  });
}

test("signing in leads to the requested page", async ({ page }) => {
  await page.goto("/profile");
  await expect(page).toHaveURL(/\/login\?next=/);
  await signInByForm(page, "ko", ADMIN, PASSWORD);
  await expect(page).toHaveURL("/profile");
  await page.goto("/login");
  await expect(page).toHaveURL("/policies/communication/management");
});
