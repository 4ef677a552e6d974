// The journeys of a policy without a mouse, in other languages, sizes and colors, and as
// far as forms go without scripts.
import type { Locator, Page } from "@playwright/test";
import { inSeoul } from "../clock.ts";
import { expect, test } from "../own.ts";
import { ADMIN, at, signIn } from "../people.ts";
import { type Language, texts } from "../texts.ts";

const LIST = "/policies/communication/management";

test.describe.configure({ mode: "default", timeout: 120_000 }); // a hundred keys take their time on a busy machine

type Variant = { language: Language; department: string; width: number; colorScheme: "light" | "dark"; forcedColors?: "active" };

const variants: Variant[] = [
  { language: "ko", department: "공공영업팀", width: 1280, colorScheme: "light", forcedColors: "active" },
  { language: "en", department: "UX디자인팀", width: 814, colorScheme: "light" },
  { language: "ja", department: "품질팀", width: 1920, colorScheme: "dark" },
];

for (const { language, department, width, ...media } of variants) {
  test(`${language}, ${width} px: a policy is created, planned, disabled, deleted and restored by the keyboard alone`, async ({ page }) => {
    const say = texts[language];
    const name = `키보드 ${language}`;
    await signIn(page, ADMIN);
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia(media);
    await page.goto(at(language, LIST));

    await enter(page, page.getByRole("link", { name: say.createPolicy }));
    await tabTo(page, page.getByLabel(say.policyName));
    await page.keyboard.insertText(name);
    await enter(page, page.getByRole("button", { name: say.chooseTargets }));
    const chooser = page.getByRole("dialog", { name: say.targetsTitle });
    await expect(chooser.getByRole("searchbox", { name: say.findDepartment })).toBeFocused();
    await page.keyboard.insertText(department);
    await expect(chooser.getByRole("treeitem")).not.toHaveCount(0);
    await page.keyboard.press("Tab");
    await page.keyboard.press("End");
    await expect(chooser.getByRole("treeitem", { name: department })).toBeFocused();
    await page.keyboard.press(" ");
    await enter(page, chooser.getByRole("button", { name: say.choose(1) }));
    await expect(page.getByRole("list", { name: say.targets }).getByRole("listitem")).toHaveText([new RegExp(department)]);
    await enter(page, page.getByRole("button", { name: say.save, exact: true }));
    await confirm(page, page.getByRole("dialog", { name }), say.createAsIs);
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
    await expect(row.locator(".switch")).toHaveAttribute("aria-pressed", "true");

    await enter(page, row.getByRole("link", { name, exact: true }));
    await tabTo(page, page.getByLabel(say.sessionTime));
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText("45");
    await tabTo(page, page.getByLabel(say.takesEffect, { exact: true }));
    await page.keyboard.press("End");
    await page.keyboard.press("Tab");
    await page.locator(":focus").fill(`${inSeoul(-7)}T09:00`); // how the parts of a date are typed depends on the browser's language
    await enter(page, page.getByRole("button", { name: say.save, exact: true }));
    await confirm(page, page.getByRole("dialog", { name }), say.planIt);
    await expect(page).toHaveURL(new RegExp(`${LIST}|/policies/communication/\\d+`));
    await page.goto(at(language, LIST));
    await expect(row.locator("time").first()).toBeAttached();

    const toggle = row.locator(".switch");
    await tabTo(page, toggle);
    await page.keyboard.press(" ");
    await confirm(page, page.getByRole("dialog", { name }), say.disable);
    await expect(toggle).toHaveAttribute("aria-pressed", "false");
    await enter(page, page.getByRole("status").getByRole("button", { name: say.undo, exact: true }));
    await expect(toggle).toHaveAttribute("aria-pressed", "true");

    await enter(page, row.getByRole("button", { name: say.moreFor(name) }));
    const items = page.locator("#row-menu").locator("a, button");
    await expect(items.first()).toBeFocused();
    await page.keyboard.press("End");
    await expect(page.locator("#row-menu a.danger")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(row.getByRole("button", { name: say.moreFor(name) })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(items.first()).toBeFocused();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await confirm(page, page.getByRole("dialog", { name }), say.deletePolicy);
    await expect(row).toHaveCount(0);
    await enter(page, page.getByRole("status").getByRole("button", { name: say.undo, exact: true }));
    await expect(page.getByRole("status").filter({ hasText: say.broughtBack(name) })).toBeVisible();
    await expect(row.locator(":focus")).toHaveCount(1); // the menu that led to deleting it
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
}

// tabTo moves the focus to a control by the Tab key.
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let i = 0; i < 150; i++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${String(control)} is not reached by Tab`);
}

async function enter(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press("Enter");
}

// confirm presses a button of a dialog.
async function confirm(page: Page, dialog: Locator, button: string): Promise<void> {
  await expect(dialog).toBeVisible();
  await enter(page, dialog.getByRole("button", { name: button, exact: true }));
  await expect(dialog).toBeHidden();
}
