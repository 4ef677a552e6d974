// The checks of policies, on a console of its own because only a stored check says who
// breaks it.
import { beyondNarrowest, violations } from "../accessible.ts";
import { expect, test } from "../own.ts";
import { ADMIN, signIn } from "../people.ts";
import { texts } from "../texts.ts";

const CHECKS = "/policies/communication/checks";
const say = texts.ko;

test("whoever breaks a check can be read by the keyboard", async ({ page }) => {
  await signIn(page, ADMIN);
  const everybody = JSON.stringify([{ type: "department", id: 1, include_children: true }]);
  const form = { targets: everybody, quantifier: "every", setting: "file_save", part: "mobile", relation: "is", value: "block", severity: "warn", name: "", action: "save" };
  const saved = await page.request.post(`${CHECKS}/new`, { form, maxRedirects: 0 });
  expect(saved.status()).toBe(303);
  await page.goto(CHECKS);
  for (let tab = 0; tab < 2; tab++) await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: say.skipToList })).toBeFocused();
  expect(await violations(page)).toEqual([]);

  await page.locator("#list th a").click();
  const last = page.locator(".check-people li").last();
  await expect(last).toBeAttached();
  await expect(last).not.toBeInViewport();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("complementary", { name: "현재 상태" }).focus();
  await page.keyboard.press("End");
  await expect(last).toBeInViewport();
  expect(await beyondNarrowest(page)).toBe(0);
});
