// The explanation why a policy would apply to a person, before it is saved.
import { expect, test } from "../fixtures.ts";
import { ADMIN, signIn } from "../people.ts";
import { texts } from "../texts.ts";

const say = texts.ko;

test("a draft is explained for a person, and keeps its input", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto("/policies/communication/management");
  await page.getByRole("link", { name: "연구소 보안 정책" }).click();
  const minutes = page.locator("[name=session_time_sec]");
  await minutes.fill("25");
  await page.getByRole("button", { name: say.save, exact: true }).click();
  const question = page.getByRole("dialog");
  const reason = question.locator(".draft-reason");
  await reason.locator("summary").click();

  const offered = reason.locator(".chip");
  const name = (await offered.first().locator("bdi").first().textContent())!;
  await offered.first().click();
  await expect(reason.getByRole("heading", { name })).toBeFocused();
  await expect(reason.locator(".diff").last()).toContainText("25분");
  const way = reason.locator(".timeline > li");
  await expect(way.first()).toContainText(name);
  await expect(way.last()).toContainText("연구소 보안 정책");
  await expect(way.getByRole("link")).toHaveCount(0); // no link leads away from unsaved input

  const search = reason.getByRole("searchbox");
  await search.fill(ADMIN);
  await search.press("Enter"); // elsewhere in the dialog, Enter applies the draft
  await expect(offered).toHaveCount(1);
  await expect(offered).toContainText("김서연");
  await expect(search).toBeFocused();
  await question.getByRole("button", { name: say.keepEditing }).click();
  await expect(question).toBeHidden();
  await expect(minutes).toHaveValue("25");
});
