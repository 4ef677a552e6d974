// Writing notices: files of which one fails at first, a reservation that is
// edited, two people who save one notice, and the form without scripts.
import type { Locator, Page } from "@playwright/test";
import { beyondNarrowest, violations } from "../accessible.ts";
import { inSeoul, shiftClock } from "../clock.ts";
import { expect, test } from "../own.ts";
import { ADMIN, ask, at, signIn, VIEWER } from "../people.ts";
import { languages, texts } from "../texts.ts";

const NOTICES = "/manage/notice";

test.describe.configure({ mode: "default", timeout: 60_000 });

for (const language of languages) {
  const say = texts[language];
  const title = `Maintenance-${language}`;

  test(`${language}: a notice with three files, one of which fails its MD5 at first, is reserved and edited`, async ({ page }) => {
    await signIn(page, ADMIN);
    await page.goto(at(language, NOTICES));
    await page.getByRole("link", { name: say.writeNotice }).first().click();
    await ready(page);
    await page.getByLabel(say.noticeTitle, { exact: true }).fill(title);
    await page.locator("#body").fill("# Plan\n\n**At night** <script>");
    const preview = page.locator("[data-preview-text]");
    await expect(preview.locator("strong")).toHaveText("At night");
    await expect(preview.getByRole("heading", { name: "Plan" })).toBeVisible();

    await spoilOnce(page, "b.csv");
    await page.locator("[data-upload] input[type=file]").setInputFiles([file("a.txt", "first"), file("b.csv", "1,2\n"), file("c.txt", "third")]);
    await expect(fileRow(page, "a.txt")).toContainText(say.fileConfirmed);
    await expect(fileRow(page, "c.txt")).toContainText(say.fileConfirmed);
    await expect(fileRow(page, "b.csv")).toContainText(say.md5Failed);
    if (language === "ko") expect.soft(await violations(page)).toEqual([]);

    await page.getByRole("radio", { name: say.reserve }).check();
    await page.getByLabel(say.sendDate).fill(inSeoul(-1));
    await page.getByLabel(say.sendTime, { exact: true }).fill("09:00");
    await expect(page.locator("[data-summary-text]")).toHaveText(say.reservedSummary);
    const register = page.getByRole("button", { name: say.registerReserved, exact: true });
    await register.press("Enter"); // it says that it is disabled, but takes the focus
    await expect(page.getByText(say.unfinished)).toBeVisible();
    const retry = fileRow(page, "b.csv").getByRole("button", { name: say.retryFile });
    await expect(retry).toBeFocused();
    await retry.press("Enter");
    await expect(fileRow(page, "b.csv")).toContainText(say.fileConfirmed);
    await expect(page.getByText(say.unfinished)).toBeHidden();
    await register.click();
    await expect(toast(page, say.noticeReserved)).toBeVisible();
    await expect(noticeRow(page, title)).toContainText(say.noticeStatusReserved);

    await noticeRow(page, title).getByRole("link", { name: title }).click();
    await ready(page);
    await expect(page.getByLabel(say.sendTime, { exact: true })).toHaveValue("09:00");
    await expect(page.locator("[data-files] > li")).toHaveCount(3);
    await fileRow(page, "a.txt").getByRole("button", { name: say.removeFile("a.txt") }).click();
    await page.getByLabel(say.sendDate).fill(inSeoul(0));
    await register.click();
    await expect(page.getByRole("alert").getByRole("link")).toHaveText([say.reservationPast]);
    await ready(page);
    await page.getByLabel(say.sendDate).fill(inSeoul(-2));
    await page.getByLabel(say.noticeTitle, { exact: true }).fill(`${title} later`);
    await register.click();
    await expect(toast(page, say.noticeReserved)).toBeVisible();
    const { data } = (await ask(page, "GET", `/notices?q=${title}`)) as { data: { title: string; files: number; status: string }[] };
    expect(data.map(({ title, files, status }) => [title, files, status])).toEqual([[`${title} later`, 2, "reserved"]]);
  });

  test(`${language}: a file that is too large keeps its row and reason until it is removed`, async ({ page }) => {
    await signIn(page, ADMIN);
    await page.goto(at(language, `${NOTICES}/new`));
    await ready(page);
    await page.locator("[data-upload] input[type=file]").setInputFiles({ name: "large.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc((10 << 20) + 1) });
    await expect(fileRow(page, "large.bin")).toContainText(say.tooLarge);
    await page.getByRole("button", { name: say.removeFile("large.bin") }).click();
    await expect(page.locator("[data-files] > li")).toHaveCount(0);
  });
}

for (const language of languages) {
  const say = texts[language];

  test(`${language}: a notice that somebody deletes meanwhile is restored and saved as it was typed`, async ({ page, browser, baseURL }) => {
    await signIn(page, ADMIN);
    const title = `Deleted-${language}`;
    const created = await ask(page, "POST", "/notices", { title, body: "Before", targets: { everyone: true }, publish_at: `${inSeoul(-3)}T09:00:00+09:00` });
    const { id } = created as { id: number };
    await page.goto(at(language, `${NOTICES}/${id}/edit`));
    await ready(page);
    await page.getByLabel(say.noticeTitle, { exact: true }).fill(`${title} typed`);
    await page.locator("#body").fill("Typed **text**");
    await page.getByLabel(say.sendDate).fill(inSeoul(-4));
    await page.locator("[data-upload] input[type=file]").setInputFiles(file("typed.txt", "typed"));
    await expect(fileRow(page, "typed.txt")).toContainText(say.fileConfirmed);

    const other = await browser.newContext({ baseURL: baseURL! });
    const otherPage = await other.newPage();
    await signIn(otherPage, VIEWER);
    await ask(otherPage, "DELETE", `/notices/${id}`);
    await other.close();

    await page.getByRole("button", { name: say.registerReserved, exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: say.noticeGone("최유진") })).toBeFocused();
    await ready(page);
    await expect(page.getByLabel(say.noticeTitle, { exact: true })).toHaveValue(`${title} typed`);
    await expect(page.locator("#body")).toHaveValue("Typed **text**");
    await expect(page.getByLabel(say.sendDate)).toHaveValue(inSeoul(-4));
    await expect(fileRow(page, "typed.txt")).toBeVisible();
    await expect(page.getByRole("button", { name: say.saveAsNew, exact: true })).toBeVisible();
    if (language === "ko") expect.soft(await violations(page)).toEqual([]);
    expect.soft(await beyondNarrowest(page)).toBe(0);

    await page.getByRole("button", { name: say.restoreAndSave, exact: true }).click();
    await expect(toast(page, say.noticeReserved)).toBeVisible();
    const { data } = (await ask(page, "GET", `/notices?q=${title}`)) as { data: { id: number; title: string; files: number; status: string }[] };
    expect(data.map(({ id, title, files, status }) => [id, title, files, status])).toEqual([[id, `${title} typed`, 1, "reserved"]]);
  });
}

test("two people save one notice, and the second loses nothing", async ({ page, browser, baseURL }) => {
  const say = texts.ko;
  await signIn(page, ADMIN);
  const created = await ask(page, "POST", "/notices", { title: "둘이 고치는 공지", body: "본문", targets: { everyone: true }, publish_at: `${inSeoul(-3)}T09:00:00+09:00` });
  const path = `${NOTICES}/${(created as { id: number }).id}/edit`;
  const other = await (await shiftClock(await browser.newContext({ baseURL: baseURL! }))).newPage();
  await signIn(other, VIEWER);
  for (const one of [page, other]) {
    await one.goto(path);
    await ready(one);
  }
  await other.getByLabel(say.noticeTitle, { exact: true }).fill("먼저 저장한 제목");
  await other.getByRole("button", { name: say.registerReserved, exact: true }).click();
  await expect(toast(other, say.noticeReserved)).toBeVisible();
  await page.getByLabel(say.noticeTitle, { exact: true }).fill("나중에 저장한 제목");
  await page.getByRole("button", { name: say.registerReserved, exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: say.noticeEdited("최유진") })).toBeVisible();
  await expect(page.getByLabel(say.noticeTitle, { exact: true })).toHaveValue("나중에 저장한 제목");
  await page.getByRole("button", { name: say.registerReserved, exact: true }).click();
  await expect(toast(page, say.noticeReserved)).toBeVisible();
  await expect(noticeRow(page, "나중에 저장한 제목")).toBeVisible();
  await other.context().close();
});

test("the menu that the rows of notices share has the actions of the row that opens it", async ({ page }) => {
  await signIn(page, ADMIN);
  const write = async (title: string, rest: object) => ((await ask(page, "POST", "/notices", { title, body: "본문", targets: { everyone: true }, ...rest })) as { id: number }).id;
  const reserved = await write("메뉴 예약 공지", { publish_at: `${inSeoul(-3)}T09:00:00+09:00` });
  const published = await write("메뉴 게시 공지", {});
  const open = (title: string) => page.getByRole("button", { name: `${title} 더 보기`, exact: true }).click();
  const menu = page.locator("#row-menu");
  await page.goto(`${NOTICES}?q=${encodeURIComponent("메뉴")}`);
  await open("메뉴 예약 공지");
  await expect(menu.getByRole("link")).toHaveText([/예약 수정/, /복제/]);
  await expect(menu.getByRole("link").first()).toHaveAttribute("href", `${NOTICES}/${reserved}/edit`);
  await page.keyboard.press("Escape"); // the menu covers the next row
  await open("메뉴 게시 공지");
  await expect(menu.getByRole("link")).toHaveText([/복제/]);
  await expect(menu.getByRole("link")).toHaveAttribute("href", `${NOTICES}/new?from=${published}`);
  await expect(menu.getByRole("button")).toHaveText([/삭제/]);
  await menu.getByRole("button").click();
  await expect(noticeRow(page, "메뉴 게시 공지")).toHaveCount(0);
  await expect(noticeRow(page, "메뉴 예약 공지")).toBeVisible();
  await page.goto(`${NOTICES}?status=deleted`);
  await open("메뉴 게시 공지");
  await menu.getByRole("button", { name: "복원" }).click();
  await expect(toast(page, "공지를 복원했습니다.")).toBeVisible();
});

function file(name: string, content: string) {
  return { name, mimeType: "text/plain", buffer: Buffer.from(content) };
}

// ready waits until the script of the form has been loaded.
async function ready(page: Page): Promise<void> {
  await page.locator("[data-notice-ready]").waitFor();
}

// spoilOnce sends the first upload of a file with another MD5.
async function spoilOnce(page: Page, name: string): Promise<void> {
  let spoiled = false;
  await page.route("**/uploads", async (route) => {
    const body = route.request().postDataBuffer()?.toString("latin1") ?? "";
    if (spoiled || !body.includes(`filename="${name}"`)) return route.continue();
    spoiled = true;
    await route.continue({ postData: Buffer.from(body.replace(/\b[0-9a-f]{32}\b/, "0".repeat(32)), "latin1") });
  });
}

function fileRow(page: Page, name: string): Locator {
  return page.locator("[data-files] > li").filter({ hasText: name });
}

function noticeRow(page: Page, title: string): Locator {
  return page.getByRole("row").filter({ hasText: title });
}

function toast(page: Page, text: string): Locator {
  return page.locator(".toast").filter({ hasText: text });
}
