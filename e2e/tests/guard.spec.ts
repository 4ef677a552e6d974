import { expect, test } from "../fixtures.ts";
import { at, EMPLOYEE, MANAGER, PASSWORD, signInByForm, VIEWER } from "../people.ts";
import { languages, texts } from "../texts.ts";

const DAY = "/logs/workingattitude/day";
const OF_ADMINISTRATORS = ["/policies/communication/management", "/policies/communication/1", "/manage/use/install", "/nowhere", "/"];

for (const [who, email] of Object.entries({ EMPLOYEE, VIEWER, MANAGER })) {
  test(`${who.toLowerCase()}: a page for administrators redirects to the user's own log`, async ({ page }) => {
    await page.goto("/login");
    await signInByForm(page, "ko", email, PASSWORD);
    await expect(page).toHaveURL(DAY);
    await expect(page.getByRole("heading", { level: 1, name: texts.ko.day })).toBeVisible();
    await expect(page.getByRole("navigation", { name: texts.ko.topMenu }).getByRole("link")).toHaveCount(0);

    for (const path of OF_ADMINISTRATORS) {
      await page.goto(path);
      await expect(page, path).toHaveURL(DAY);
    }
    for (const language of languages) {
      await page.goto(at(language, OF_ADMINISTRATORS[0]!));
      await expect(page).toHaveURL(at(language, DAY));
      await page.goto(at(language, "/profile"));
      await expect(page).toHaveURL(at(language, "/profile"));
    }
  });
}

test("not signed in: every page redirects to the sign-in page", async ({ page }) => {
  for (const path of [...OF_ADMINISTRATORS, DAY, "/profile"]) {
    await page.goto(path);
    await expect(page, path).toHaveURL(/\/login(\?next=.*)?$/);
  }
});

test("another company's department does not exist", async ({ page }) => {
  await page.goto("/login");
  await signInByForm(page, "ko", "admin@other.example", PASSWORD);
  await expect(page.getByRole("heading", { level: 1, name: texts.ko.policies })).toBeVisible();
  const answer = await page.goto("/policies/communication/management?department_id=1");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: texts.ko.notFound })).toBeVisible();
});
