// Inheriting again, on a console of its own because it changes who follows which policy.
import { expect, test } from "../own.ts";
import { ADMIN, signIn } from "../people.ts";
import { texts } from "../texts.ts";

const STATUS = "/policies/communication/status";
const say = texts.ko;

test("somebody with a policy of their own inherits again, and it is undone", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(`${STATUS}?source=own`);
  const name = await page.getByRole("rowheader").first().getByRole("link").first().innerText();
  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("link", { name: say.inherit }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(name);
  await dialog.getByRole("button", { name: say.inherit }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: say.undo }).click();
  await expect(page).toHaveURL(/source=own/);
  await expect(row).toHaveCount(1);
});
