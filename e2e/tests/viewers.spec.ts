// Viewers and editors of attendance: registered, changed, deleted and restored.
import type { Page } from "@playwright/test";
import { expect, test } from "../own.ts";
import { ADMIN, at, signIn } from "../people.ts";
import { languages, texts } from "../texts.ts";

const VIEWERS = "/policies/workingattitude/manager";
const say = texts.ko;

test.describe.configure({ mode: "default", timeout: 60_000 });

test("everybody with a position or above is registered for some departments", async ({ page }) => {
  await open(page);
  await page.getByRole("combobox", { name: say.position }).selectOption({ label: say.orAbove("대리") });
  await page.getByRole("radio", { name: say.withinDepartments }).check();
  await choose(page, say.chooseScope, ["디자인실"]);
  await choose(page, say.chooseManaged, ["브랜드디자인팀", "UX디자인팀"]);
  await page.getByRole("radio", { name: say.mayEdit }).check();
  await page.getByRole("button", { name: say.registerViewer }).click();

  await expect(toast(page, say.viewerRegistered)).toBeVisible();
  const row = registration(page, say.orAbove("대리"));
  for (const text of ["디자인실", "브랜드디자인팀", "UX디자인팀", say.mayEdit]) await expect(row).toContainText(text);
});

test("at most two people are registered together, changed, deleted and restored", async ({ page }) => {
  await open(page);
  await page.getByRole("radio", { name: say.byPerson }).check();
  await page.getByRole("button", { name: say.choosePeople }).click();
  const dialog = page.getByRole("dialog", { name: say.choosePeople });
  await dialog.getByRole("searchbox").fill("김민");
  const people = dialog.getByRole("checkbox");
  await people.nth(2).waitFor();
  for (const i of [0, 1]) await people.nth(i).check();
  await people.nth(2).click();
  await expect(dialog.getByRole("alert")).toHaveText(say.limit(2));
  await expect(people.nth(2)).not.toBeChecked();
  await dialog.getByRole("button", { name: say.applyPeople(2) }).click();
  await choose(page, say.chooseManaged, ["부산지사"]);
  await page.getByRole("button", { name: say.registerViewer }).click();
  await expect(toast(page, say.viewerRegistered)).toBeVisible();

  const row = registration(page, /김민.*김민/s);
  await expect(row).toContainText(say.mayView);
  await expect(row).toContainText(say.withChildren);
  await row.getByRole("link").click();
  await page.getByRole("button", { name: say.chooseManaged }).click();
  await page.getByRole("switch", { name: say.include("부산지사") }).uncheck();
  await page.getByRole("button", { name: say.choose(1) }).click();
  await page.getByRole("radio", { name: say.mayEdit }).check();
  await page.getByRole("button", { name: say.saveViewer, exact: true }).click();
  await expect(toast(page, say.viewerUpdated)).toBeVisible();
  await expect(row).toContainText(say.mayEdit);
  await expect(row).not.toContainText(say.withChildren);

  await row.getByRole("button").click();
  const question = page.getByRole("dialog", { name: say.deleteAuthorityTitle });
  await expect(question).toContainText("부산지사");
  await question.getByRole("button", { name: say.deleteAuthority }).click();
  await expect(toast(page, say.viewerDeleted)).toBeVisible();
  await page.getByRole("button", { name: say.undo }).focus(); // a focused toast stays
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: say.undo }).click();
  await expect(toast(page, say.viewerRestored)).toBeVisible();
  await expect(row).toContainText("부산지사");
});

for (const language of languages) {
  test(`${language}: missing values are reported beside their fields, and the selection stays`, async ({ page }) => {
    const told = texts[language];
    await open(page, language);
    await page.getByRole("radio", { name: told.mayEdit }).check();
    await page.getByRole("button", { name: told.registerViewer }).click();
    const summary = page.getByRole("alert");
    await expect(summary.getByRole("link")).toHaveText([told.positionRequired, told.managedRequired]);
    await expect(page.getByRole("combobox", { name: told.position })).toHaveAccessibleDescription(told.positionRequired);
    await expect(page.getByRole("group", { name: told.managed })).toHaveAccessibleDescription(new RegExp(told.managedRequired));
    await expect(page.getByRole("radio", { name: told.mayEdit })).toBeChecked();

    await page.getByRole("radio", { name: told.byPerson }).check();
    await choose(page, told.chooseManaged, ["부산지사"], language);
    await page.getByRole("button", { name: told.registerViewer }).click();
    await expect(summary.getByRole("link")).toHaveText([told.peopleRequired]);
    await expect(page.getByRole("group", { name: told.managed }).getByRole("listitem")).toHaveText([/^부산지사/]);
    await expect(page.getByRole("radio", { name: told.mayEdit })).toBeChecked();
  });
}

async function open(page: Page, language: (typeof languages)[number] = "ko"): Promise<void> {
  await signIn(page, ADMIN);
  await page.goto(at(language, VIEWERS));
  await page.getByRole("link", { name: texts[language].registerViewer }).click();
  await expect(page).toHaveURL(/new=1/);
}

// choose selects departments in the dialog that a button opens.
async function choose(page: Page, button: string, departments: string[], language: (typeof languages)[number] = "ko"): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  const dialog = page.getByRole("dialog", { name: button });
  for (const name of departments) {
    await dialog.getByRole("searchbox").fill(name);
    await dialog.getByRole("treeitem", { name: new RegExp(`^${name}( [\\d,]+)?$`) }).click(); // including its number of people
  }
  await dialog.getByRole("button", { name: texts[language].choose(departments.length) }).click();
  await expect(dialog).toBeHidden();
}

function registration(page: Page, who: string | RegExp) {
  return page.getByRole("row").filter({ has: page.getByRole("rowheader").filter({ hasText: who }) });
}

function toast(page: Page, text: string) {
  return page.getByRole("status").filter({ hasText: text });
}
