// Every list by the keyboard, and its foot.
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { ADMIN, at, shareSession } from "../people.ts";
import { languages, texts } from "../texts.ts";

const say = texts.ko;

const POLICIES = "/policies/communication/management";
const DAY = "/logs/workingattitude/day?view=all";

const lists = [
  POLICIES,
  "/policies/workingattitude/management",
  "/policies/communication/status",
  "/policies/communication/status?view=departments",
  "/policies/workingattitude/manager",
  DAY,
  "/logs/workingattitude/day",
  "/logs/workingattitude/day/corrections",
  "/logs/workingattitude/week",
  "/logs/workingattitude/week/forecast",
  "/logs/workingattitude/month",
  "/logs/workingattitude/management",
  "/logs/communication/file",
  "/manage/link/common",
  "/manage/notice",
  "/manage/security/access",
  "/manage/security/changes",
  "/manage/use/hidden",
  "/manage/use/webhook",
];

const listsAtADate = [`${POLICIES}?at=2026-12-20`, "/policies/communication/status?at=2026-12-20"];
const COMPARISON = "/policies/communication/status/comparison?user_id=4&q=김지";

test("at most ten tabs lead from the top of a page to the first row of its list", async ({ page }) => {
  test.slow();
  await shareSession(page, ADMIN);
  for (const path of [...lists, ...listsAtADate, COMPARISON]) {
    await page.goto(path);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: say.skipToList })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/#list$/);
    expect(await tabsTo(page, "#list tbody tr, #list > tr", 8), path).toBeGreaterThan(0);
  }
});

test("nothing in the heading of a list changes the width of a column by the keyboard", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto(POLICIES);
  await expect(page.locator("thead .grip").first()).toBeAttached();
  await expect(page.locator("thead .grip[tabindex], thead [role=separator]")).toHaveCount(0);
});

test("the arrows move through rows, Space and Shift pick, and Enter opens", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto(POLICIES);
  await page.locator("[data-pick-all]").waitFor();
  const link = (row: number) => page.locator("#list tr").nth(row).locator("th a");
  const box = (row: number) => page.locator("#list tr").nth(row).locator("[data-pick]");
  await expect(async () => {
    await link(1).focus();
    await page.keyboard.press("ArrowDown");
    await expect(link(2)).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Space");
  await expect(box(2)).toBeChecked();
  await page.keyboard.press("Shift+ArrowDown");
  await expect(box(3)).toBeChecked();
  await expect(page.locator("#bulk output")).toContainText("2");
  await page.keyboard.press("End");
  await expect(page.locator("#list tr").last().locator("th a")).toBeFocused();
  await page.keyboard.press("Home");
  await expect(link(0)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/policies\/communication\/\d+$/);
});

test("cancelling what is asked about the picked rows leaves them picked", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto(POLICIES);
  const boxes = page.locator("#list [data-pick]");
  for (const row of [1, 2]) await boxes.nth(row).check();
  await expect(page.locator("#bulk output")).toContainText("2"); // a script counts them, loaded with the first
  const said = await page.locator("#bulk output").innerText();
  await page.locator("#bulk button[value=delete]").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator("#list [data-pick]:checked")).toHaveCount(2);
  await expect(boxes.nth(1)).toBeChecked();
  await expect(page.locator("#bulk output")).toHaveText(said);
  await boxes.nth(1).uncheck();
  await expect(page.locator("#bulk output")).toContainText("1");
});

test("cancelling the form about the picked records leaves them picked", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto("/logs/workingattitude/management");
  const boxes = page.locator("#list [data-pick]");
  for (const row of [1, 2]) await boxes.nth(row).check();
  await expect(page.locator("#bulk output")).toContainText("2"); // a script counts them, loaded with the first
  const said = await page.locator("#bulk output").innerText();
  await page.locator("#bulk button[value=delete]").click();
  await page.getByRole("link", { name: "취소", exact: true }).click();
  await expect(page.locator("#list [data-pick]:checked")).toHaveCount(2);
  await expect(boxes.nth(2)).toBeChecked();
  await expect(page.locator("#bulk output")).toHaveText(said);
});

test("a row opens where nothing else is, and its text can be selected", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto("/policies/communication/status");
  const number = page.locator("#list tr").nth(3).locator("th .sub");
  const place = (await number.boundingBox())!;
  await page.mouse.move(place.x + 1, place.y + place.height / 2);
  await page.mouse.down();
  await page.mouse.move(place.x + place.width - 1, place.y + place.height / 2, { steps: 8 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/^\d+/);
  await expect(page).toHaveURL(/\/status$/);
  const row = (await page.locator("#list tr").nth(4).boundingBox())!;
  await page.mouse.click(row.x + row.width * 0.3, row.y + 4);
  await expect(page).toHaveURL(/\/status\/\d+$/);
});

test("a row of the installations opens the access of its person, by the keyboard and by a click", async ({ page }) => {
  await shareSession(page, ADMIN);
  for (const path of ["/manage/use/agent/pc", "/manage/use/agent/mobile"]) {
    await page.goto(path);
    const link = (row: number) => page.locator("#list tr").nth(row).locator("th a");
    await expect(async () => {
      await link(0).focus();
      await page.keyboard.press("ArrowDown");
      await expect(link(1)).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/manage\/security\/access\?user_id=\d+$/);
    await page.goto(path);
    await expect(async () => {
      const row = (await page.locator("#list tr").nth(1).boundingBox())!;
      await page.mouse.click(row.x + row.width - 4, row.y + 4);
      await expect(page).toHaveURL(/\/manage\/security\/access\?user_id=\d+$/, { timeout: 5000 });
    }).toPass();
  }
});

test("picking a row moves no row, and the last row is above the foot", async ({ page }) => {
  await shareSession(page, ADMIN);
  for (const path of [POLICIES, "/logs/workingattitude/management", "/manage/use/hidden"]) {
    await page.goto(path);
    const row = page.locator("#list tr:has([data-pick])").first();
    const before = await row.boundingBox();
    await row.locator("[data-pick]").check();
    await expect(page.locator(".bulk")).toBeVisible();
    expect(await row.boundingBox()).toEqual(before);
    const last = page.locator("#list tr").last();
    await last.locator("a, input").first().focus();
    await last.scrollIntoViewIfNeeded();
    const [foot, end] = [(await page.locator(".footbar").boundingBox())!, (await last.boundingBox())!];
    expect(end.y + end.height, path).toBeLessThanOrEqual(foot.y + 1);
  }
});

test("the heading of a list remains in view below the frame's", async ({ page }) => {
  await shareSession(page, ADMIN);
  for (const width of [1280, 814]) {
    await page.setViewportSize({ width, height: 700 });
    for (const path of [POLICIES, DAY, "/policies/communication/status", "/logs/workingattitude/month", "/manage/security/changes"]) {
      await page.goto(path);
      const row = page.locator("#list tr").nth(12);
      await row.evaluate((element) => element.scrollIntoView({ block: "start" }));
      const head = (await page.locator("table:has(#list) thead th:visible").first().boundingBox())!;
      expect(head.y, `${path} at ${width}`).toBeGreaterThanOrEqual(55);
      expect(head.y + head.height, `${path} at ${width}`).toBeLessThanOrEqual((await row.boundingBox())!.y + 1);
    }
  }
});

test("the change log has room for a long name of who changed something", async ({ page }) => {
  await shareSession(page, ADMIN);
  for (const language of languages) {
    await page.goto(at(language, "/manage/security/changes"));
    const name = page.locator("#list td:nth-child(2) .truncate").first();
    await name.evaluate((element) => (element.textContent = "officeconsole (provisioning)"));
    expect.soft(await name.evaluate((element) => element.scrollWidth - element.clientWidth), language).toBe(0);
    const what = await page.locator("#list th").first().boundingBox();
    expect.soft(what!.width, language).toBeGreaterThan(200);
  }
});

test("the filters of every list are one row, and those that are folded are counted", async ({ page }) => {
  test.slow();
  await shareSession(page, ADMIN);
  for (const language of languages) {
    for (const path of lists) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(at(language, path));
      for (const width of [1280, 814]) {
        await page.setViewportSize({ width, height: 800 });
        for (const filters of await page.locator("main .filters").all()) {
          expect((await filters.boundingBox())!.height, `${path} in ${language} at ${width}`).toBeLessThan(40);
        }
      }
    }
  }
  await page.goto(`${POLICIES}?status=enabled`);
  await expect(page.locator(".filters-fold .count")).toHaveText("1");
  await expect(page.locator("[name=status]")).toBeHidden();
  await page.locator(".filters-fold").click();
  await page.locator("[name=status]").selectOption("disabled");
  await expect(page).toHaveURL(/status=disabled/);
});

test("a year is typed into the date of a list, and only the whole date is sent", async ({ page }) => {
  await shareSession(page, ADMIN);
  // The browser shows the year of a date last, and that of a month first.
  for (const [path, name, arrows] of [
    [DAY, "date", 2],
    ["/logs/workingattitude/month", "month", 0],
    [`${POLICIES}?at=2026-11-01`, "at", 2],
  ] as const) {
    await page.goto(path);
    await page.locator("html[hx-boost\\:inherited]").waitFor();
    const field = page.locator(`form[data-auto] input[name=${name}]`);
    const before = await field.inputValue();
    await field.focus();
    const asked: string[] = [];
    page.on("request", (request) => request.resourceType() === "fetch" && asked.push(new URL(request.url()).searchParams.get(name) ?? ""));
    for (let i = 0; i < arrows; i++) await page.keyboard.press("ArrowRight");
    await page.keyboard.type("2025", { delay: 150 });
    const typed = before.replace(/^\d+/, "2025");
    await expect(page).toHaveURL(new RegExp(`[?&]${name}=${typed}`));
    await expect(field).toHaveValue(typed);
    expect([...new Set(asked.filter((date) => /^\d/.test(date)))], path).toEqual([typed]);
    page.removeAllListeners("request");
  }
});

test("an impossible year is not sent, the browser says so, and Enter sends a date at once", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto(DAY);
  await page.locator("html[hx-boost\\:inherited]").waitFor();
  const field = page.locator("form[data-auto] input[name=date]");
  const address = page.url();
  const today = await field.inputValue();
  await field.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("20");
  await expect(field).toHaveValue(today.replace(/^\d+/, "0020"));
  const refused = field.evaluate((input) => new Promise((resolve) => input.addEventListener("invalid", () => resolve(true))));
  await page.keyboard.press("Enter");
  expect(await refused).toBe(true);
  await page.keyboard.press("Tab");
  expect(page.url()).toBe(address);
  await field.fill(today.replace(/^\d+/, "2025"));
  await field.press("Enter");
  await expect(page).toHaveURL(/date=2025/);
});

test("going back shows what was searched then, also while the search has the focus", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto("/manage/link/common");
  const search = page.locator("form[data-auto] input[type=search]");
  await search.pressSequentially("메");
  await search.pressSequentially("일");
  await expect(page).toHaveURL(/[?&]q=/);
  await page.goBack();
  await expect(page).toHaveURL("/manage/link/common");
  await expect(search).toHaveValue("");
  await expect(search).toBeFocused();
  await page.goForward();
  await expect(page).toHaveURL(/[?&]q=/);
  await expect(search).toHaveValue("메일");
});

test("clearing the picked rows moves the focus from the bar to the last of them", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto(POLICIES);
  const boxes = page.locator("#list [data-pick]");
  for (const row of [1, 3]) await boxes.nth(row).check();
  await expect(page.locator("#bulk output")).toContainText("2"); // a script counts them, loaded with the first
  await page.locator("#bulk button[type=reset]").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#bulk")).toBeHidden();
  await expect(boxes.nth(3)).toBeFocused();
});

test("rows that are still picked after a question are cleared, too", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto(POLICIES);
  const boxes = page.locator("#list [data-pick]");
  for (const row of [1, 3]) await boxes.nth(row).check();
  await page.locator("#bulk button[value=delete]").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.locator("#bulk button[type=reset]").click();
  await expect(page.locator("#list [data-pick]:checked")).toHaveCount(0);
  await expect(boxes.nth(3)).toBeFocused();
});

// tabsTo presses Tab until something in an element has the focus and returns how often;
// 0 if not within the limit.
async function tabsTo(page: Page, selector: string, limit: number): Promise<number> {
  for (let tabs = 1; tabs <= limit; tabs++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((within) => document.activeElement?.closest(within) != null, selector)) return tabs;
  }
  return 0;
}
