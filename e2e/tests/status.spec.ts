import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { expect, test } from "../fixtures.ts";
import { ADMIN, at, signIn } from "../people.ts";
import { languages, texts } from "../texts.ts";

const STATUS = "/policies/communication/status";
const MANY = 50; // rows per page
const say = texts.ko;

test("the help desk finds in three clicks why somebody cannot save files on a phone", async ({ page }) => {
  await signIn(page, ADMIN);
  const number = await someoneOfTheLaboratory(page);
  await page.goto("/policies/communication/management");
  await page.getByRole("link", { name: say.statusLink, exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: say.status })).toBeVisible();
  await page.getByRole("searchbox", { name: say.searchPeople }).fill(number);
  await expect(people(page)).toHaveCount(1);
  await people(page).getByRole("link").click();

  const way = page.locator(".timeline > li");
  await expect(way.first()).toContainText(say.notNamed);
  const deciding = way.and(page.locator("[data-now]"));
  await expect(deciding).toHaveCount(1);
  await expect(deciding).toContainText("연구소 보안 정책");
  await expect(way.last()).toHaveAttribute("data-now", "");
  const saving = page.locator(".status-settings > div").filter({ hasText: /^파일 저장\(.*모바일/ });
  await expect(saving).toContainText("차단");

  await deciding.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: "연구소 보안 정책" })).toBeVisible();
});

test("the explanation is available for any time", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(`${STATUS}?q=${await someoneOfTheLaboratory(page)}`);
  await people(page).getByRole("link").click();
  await page.getByLabel(say.asOf).fill("2020-01-01T09:00");
  await page.getByRole("button", { name: say.showAsOf, exact: true }).click();
  await expect(page.getByRole("heading", { name: say.noPolicyThen })).toBeVisible();
  await expect(page).toHaveURL(/\?at=2020-01-01T09%3A00$/);
  await page.getByRole("link", { name: say.now, exact: true }).click();
  await expect(page.locator(".timeline > [data-now]")).toContainText("연구소 보안 정책");
});

test("what applied to somebody on one day, and what will on another", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto("/policies/communication/management");
  await page.getByRole("link", { name: say.asOfADate }).click();
  await page.getByLabel(say.asOfDate).fill("2026-12-20");
  await expect(page.getByText("2026년 12월 20일 0시에 적용될 정책입니다.")).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: "연구소 보안 정책" });
  await expect(row.locator("ins").first()).toBeVisible();
  await row.getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: "연구소 보안 정책" })).toBeVisible();
  await expect(page.getByRole("heading", { name: say.differences })).toBeVisible();
  await page.getByLabel(say.asOfDate).fill("2026-05-01");
  await expect(page.getByText(say.notThen).first()).toBeVisible();
  await page.getByRole("link", { name: say.backToNow, exact: true }).first().click();
  await expect(page.getByRole("textbox", { name: say.policyName })).toBeVisible();
});

test("filters narrow the list together, and going back widens it again", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(STATUS);
  await expect(people(page)).toHaveCount(MANY);
  await page.getByRole("combobox", { name: say.source }).selectOption("own");
  await expect(page).toHaveURL(/source=own/);
  await expect(page.locator("tbody .badge").filter({ hasNotText: say.own })).toHaveCount(0);
  const own = await people(page).count();
  await page.getByRole("treeitem", { name: /^영업본부/ }).click();
  await expect(page).toHaveURL(/source=own.*department_id=|department_id=.*source=own/);
  await expect.poll(() => people(page).count()).toBeLessThan(own);
  await page.getByRole("link", { name: say.departments, exact: true }).click();
  await expect(page.getByRole("columnheader", { name: say.departments })).toBeVisible();
  await expect(page).toHaveURL(/view=departments/);
  await page.goBack();
  await page.goBack();
  await expect(people(page)).toHaveCount(own);
});

test("the pages list everybody once, and so does the file", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(`${STATUS}?source=own`);
  const ofPages: string[] = await people(page).locator("bdi").allInnerTexts();
  await page.getByRole("button", { name: say.exportList }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "CSV" }).click()]);
  const rows = (await readFile(await download.path(), "utf8")).trim().split("\r\n").slice(1);
  expect(rows.map((row) => row.split(",")[0])).toEqual(ofPages);

  await page.goto(`${STATUS}?source=default`);
  const seen: string[] = [];
  const pages: string[][] = [];
  for (let more = true; more; ) {
    pages.push(await people(page).getByRole("link").evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname)));
    seen.push(...pages.at(-1)!);
    const next = page.getByRole("link", { name: say.next, exact: true });
    more = (await next.count()) > 0;
    const before = page.url();
    if (more) await next.click();
    if (more) await expect(page).not.toHaveURL(before);
  }
  expect(seen.length).toBeGreaterThan(3 * MANY);
  expect(new Set(seen).size).toBe(seen.length);

  for (const rows of pages.slice(0, -1).reverse()) {
    await page.locator("a[rel=prev]").click();
    await expect(people(page).getByRole("link").first()).toHaveAttribute("href", rows[0]!);
    expect(new URL(page.url()).search).toMatch(/^\?cursor=[\w-]+&source=default$/);
  }
  await expect(page.locator("a[rel=prev]")).toHaveCount(0);
});

for (const language of languages) {
  test(`${language}: the explanation is in the reader's language`, async ({ page }) => {
    await signIn(page, ADMIN);
    await page.goto(at(language, `${STATUS}?q=${await someoneOfTheLaboratory(page)}`));
    await people(page).getByRole("link").click();
    await expect(page.locator(".timeline > li").first()).toContainText(texts[language].notNamed);
  });
}

// someoneOfTheLaboratory returns the id of an employee who inherits the
// laboratory's policy.
async function someoneOfTheLaboratory(page: Page): Promise<string> {
  await page.goto(`${STATUS}?source=inherited`);
  await page.getByRole("combobox", { name: say.policyFilter }).selectOption({ label: "연구소 보안 정책" });
  await expect(page).toHaveURL(/policy_id=\d+/);
  await expect(page.locator("tbody [data-col=policy]").filter({ hasNotText: "연구소 보안 정책" })).toHaveCount(0);
  return (await people(page).first().innerText()).match(/\d{6,}/)![0];
}

function people(page: Page) {
  return page.getByRole("rowheader");
}
