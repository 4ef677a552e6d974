// The search of the whole console, by keys only: from ⌘K or Ctrl+K to a person's
// policy, in three languages; by initials; as a page without scripts.
import type { Page } from "@playwright/test";
import { violations } from "../accessible.ts";
import { expect, test } from "../fixtures.ts";
import { ADMIN, at, EMPLOYEE, shareSession } from "../people.ts";
import { languages } from "../texts.ts";

const say = {
  ko: { search: "검색", setting: "세션 유지 시간", none: "일치하는 결과가 없습니다", short: "검색어는 2자 이상 입력해 주세요.", page: "내 정보", count: /^결과 \d+개$/ },
  en: { search: "Search", setting: "Session time", none: "Nothing matches", short: "Please enter at least 2 characters to search.", page: "About me", count: /^\d+ results?$/ },
  ja: { search: "検索", setting: "セッション時間", none: "一致する結果がありません", short: "検索語は2文字以上で入力してください。", page: "アカウント情報", count: /^検索結果 \d+件$/ },
} as const;

const LIST = "/policies/communication/management";

for (const language of languages) {
  const text = say[language];

  test(`${language}: a person, a setting and a page are found by keys`, async ({ page }) => {
    await shareSession(page, ADMIN);
    await page.goto(at(language, LIST));
    const field = await openByKey(page, text.search);

    await field.pressSequentially("ㄱㅁ");
    await expect(selected(page)).toHaveAttribute("href", /\/policies\/communication\/status\/\d+$/);
    await expect(page.getByRole("dialog").getByRole("status")).toHaveText(text.count);
    expect(await violations(page)).toEqual([]);
    await field.press("ArrowRight");
    await field.press("ArrowRight");
    await field.press("ArrowRight");
    await expect(selected(page)).toHaveAttribute("href", /\/logs\/workingattitude\/week\?user_id=\d+$/);
    await field.press("Enter");
    await expect(page).toHaveURL(/\/logs\/workingattitude\/week\?user_id=\d+$/);
    await expect(page.getByRole("dialog")).toHaveCount(0);

    const again = await openByKey(page, text.search);
    await again.pressSequentially(text.setting);
    await expect(selected(page)).toContainText(text.setting);
    await again.press("Enter");
    await expect(page).toHaveURL(/\/policies\/communication\/\d+#setting-session_time_sec$/);
    await expect(page.locator("#setting-session_time_sec")).toBeInViewport();

    const third = await openByKey(page, text.search);
    await third.fill("z");
    await expect(page.getByText(text.short)).toBeVisible();
    await third.fill("zzzz");
    await expect(page.getByText(text.none)).toBeVisible();
    await third.press("Escape");
    await expect(third).toHaveValue("");
    await third.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test(`${language}: without scripts the search is a page`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled: false });
    const page = await context.newPage();
    await shareSession(page, EMPLOYEE);
    await page.goto(at(language, "/logs/workingattitude/day"));
    await page.getByRole("link", { name: text.search, exact: true }).click();
    await page.getByRole("searchbox", { name: text.search }).fill(text.page);
    await page.getByRole("searchbox", { name: text.search }).press("Enter");
    await page.getByRole("main").getByRole("link", { name: text.page }).click();
    await expect(page).toHaveURL(at(language, "/profile"));
    await context.close();
  });
}

test("closing returns the focus to where it was", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto(LIST);
  const box = page.getByRole("searchbox", { name: "정책, 대상 검색" });
  await box.focus();
  const field = await openByKey(page, "검색");
  await field.press("Escape");
  await expect(box).toBeFocused();
  await page.keyboard.press("/");
  await page.keyboard.press("k");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("an answer that does not come is reported in the dialog", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto(LIST);
  const field = await openByKey(page, "검색");
  await expect(selected(page)).toBeVisible();
  await page.route("**/search?**", (route) => route.abort()); // only these: a request of the page itself would report in a dialog above
  await field.fill("김민");
  await expect(page.getByRole("dialog").getByRole("alert")).toHaveText("잠시 후 다시 시도해 주세요");
  await page.unroute("**/search?**");
  await field.fill("김민수");
  await expect(selected(page)).toBeVisible();
});

async function openByKey(page: Page, name: string) {
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name, exact: true });
  await expect(field).toBeFocused();
  return field;
}

// selected is the result that the field names as its active descendant.
function selected(page: Page) {
  return page.getByRole("dialog").locator("[role=option][aria-selected=true]");
}
