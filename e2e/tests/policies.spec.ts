import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { ADMIN, at, PASSWORD, signIn, signInByForm } from "../people.ts";
import { names, texts } from "../texts.ts";

const LIST = "/policies/communication/management";
const EVERY = 14; // number of policies of the demo company
const say = texts.ko;

test("an administrator opens the console and reads the policies of a department and those below", async ({ page }) => {
  await page.goto("/");
  await signInByForm(page, "ko", ADMIN, PASSWORD);
  await expect(page).toHaveURL(LIST);
  await expect(policies(page)).toHaveCount(EVERY);

  const laboratory = page.getByRole("treeitem", { name: /^연구소/ });
  await laboratory.click();
  await expect(page).toHaveURL(/[?&]department_id=\d+/);
  await expect(policies(page).filter({ hasText: "연구소 보안 정책" })).toBeVisible();
  await expect(policies(page).filter({ hasText: "일본지사 정책" })).toHaveCount(0);
  await expect(laboratory).toHaveAttribute("aria-current", "true");
  const ofLaboratory = await policies(page).allInnerTexts();

  await laboratory.locator("[data-toggle]").click();
  await expect(laboratory).toHaveAttribute("aria-expanded", "true");
  const advanced = page.getByRole("treeitem", { name: /^선행기술팀/ });
  await advanced.click();
  await expect(policies(page).filter({ hasText: "선행기술팀 촬영 제한" })).toBeVisible();
  await expect(policies(page).filter({ hasText: "연구소 보안 정책" })).toHaveCount(0);

  await page.goBack();
  await expect(laboratory).toHaveAttribute("aria-current", "true");
  await expect.poll(() => policies(page).allInnerTexts()).toEqual(ofLaboratory);
  await page.goBack();
  await expect(page).toHaveURL(LIST);
  await expect(policies(page)).toHaveCount(EVERY);
  await page.goForward();
  await expect.poll(() => policies(page).allInnerTexts()).toEqual(ofLaboratory);

  await page.getByRole("link", { name: say.clearDepartment }).click();
  await expect(page).toHaveURL(LIST);
  await expect(policies(page)).toHaveCount(EVERY);
});

test("a search needs two characters and finds initial consonants", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(LIST);
  const search = page.getByRole("searchbox", { name: say.search });
  await search.pressSequentially("ㅇㅂㅈㅅ");
  await expect(policies(page)).toHaveCount(1);
  await expect(policies(page)).toContainText("일본지사 정책");
  await expect(page).toHaveURL(/[?&]q=/);
  await expect(search).toBeFocused();
  await search.fill("없는 정책");
  await expect(page.getByRole("heading", { name: say.nothingFound })).toBeVisible();
  await search.fill("");
  await expect(policies(page)).toHaveCount(EVERY);
});

test("the language changes on a filtered, sorted list, and nothing else does", async ({ page, context }) => {
  await signIn(page, ADMIN);
  await page.goto(LIST);
  await page.getByLabel(say.state).selectOption({ label: say.enabled });
  await expect(page).toHaveURL(/status=enabled/);
  await page.getByRole("link", { name: say.policyColumn, exact: true }).and(page.locator("th a")).click();
  await expect(page).toHaveURL(/sort=name/);
  await page.getByRole("treeitem", { name: /^연구소/ }).click();
  await expect(page).toHaveURL(/department_id=/);
  await changesOnlyTheLanguage(page);

  // A cursor within the list: after the policies with two targets.
  const cursor = Buffer.from(JSON.stringify({ v: 1, l: "policies:-targets", s: "-2", i: 999999 })).toString("base64url");
  await page.goto(`${LIST}?status=enabled&sort=-targets&cursor=${cursor}`);
  await expect(page.getByRole("link", { name: "이전", exact: true })).toBeVisible();
  await changesOnlyTheLanguage(page);
  expect((await context.cookies()).find(({ name }) => name === "locale")?.value).toBe("ko");
});

async function changesOnlyTheLanguage(page: Page): Promise<void> {
  const [address, rows, range] = [page.url(), await policyNames(page), await counts(page)];
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.length).toBeLessThan(EVERY);

  await chooseLanguage(page, "ko", "ja");
  await expect(page).toHaveURL(address.replace(LIST, at("ja", LIST)));
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  await expect(page.getByRole("heading", { level: 1, name: texts.ja.policies })).toBeVisible();
  await expect(page.getByLabel(texts.ja.state)).toHaveValue("enabled");
  expect(await policyNames(page)).toEqual(rows);
  expect(await counts(page)).toEqual(range);

  await chooseLanguage(page, "ja", "ko");
  await expect(page).toHaveURL(address);
  await expect(page.locator("html")).toHaveAttribute("lang", "ko");
  expect(await policyNames(page)).toEqual(rows);
}

async function chooseLanguage(page: Page, from: keyof typeof names, to: keyof typeof names): Promise<void> {
  await page.getByRole("button", { name: `${texts[from].language}: ${names[from]}` }).click();
  await page.getByRole("button", { name: names[to], exact: true }).click();
}

function policies(page: Page) {
  return page.getByRole("rowheader");
}

function policyNames(page: Page): Promise<string[]> {
  return policies(page).locator("bdi").allInnerTexts();
}

// The numbers below the list: first, last and total, in the order of the
// language.
async function counts(page: Page): Promise<string[]> {
  return [...((await page.locator(".pager").innerText()).match(/\d+/g) ?? [])].sort();
}
