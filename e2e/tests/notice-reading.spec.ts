// A notice is read and its file downloaded by an employee, the administrator's
// numbers follow, the others are reminded, and two weeks later the file is gone.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { violations } from "../accessible.ts";
import { shiftClock } from "../clock.ts";
import { elapseNotices } from "../elapse.ts";
import { expect, test } from "../own.ts";
import { ADMIN, ask, at, EMPLOYEE, signIn } from "../people.ts";
import { languages } from "../texts.ts";

const say = {
  ko: {
    unread: "안 읽은 공지", download: "서약서.txt 내려받기", read: /^읽음 \d/, remind: "미확인자에게 알림",
    send: /명에게 알림$/, reminded: /명에게 알림을 보냅니다/, mark: /^알림 .*명$/, ended: /내려받기 기간이 .*에 끝났습니다/, gone: /내려받기 기간이 끝났습니다/, table: "표로 보기",
  },
  en: {
    unread: "Unread", download: "Download 서약서.txt", read: /^Read \d/, remind: "Remind unread recipients",
    send: /^Remind .* people$/, reminded: /will be reminded/, mark: /^Reminder: .* people$/, ended: /The time to download ended on/, gone: /The time to download this attachment has ended/, table: "Show as a table",
  },
  ja: {
    unread: "未読のお知らせ", download: "서약서.txtをダウンロード", read: /^既読 \d/, remind: "未読者に通知",
    send: /人に通知$/, reminded: /人に通知します/, mark: /^通知 .*人$/, ended: /ダウンロード期間は.*に終了しました/, gone: /ダウンロード期間は終了しました/, table: "表で見る",
  },
} as const;

test.describe.configure({ mode: "default", timeout: 90_000 });

for (const language of languages) {
  const text = say[language];

  test(`${language}: a notice is read, and its file lasts two weeks`, async ({ page, browser, own }) => {
    await shiftClock(page.context());
    await signIn(page, ADMIN);
    const title = `Pledge ${language}`;
    const notice = await publish(page, title, "**2026** 서약서\n\n<script>alert(1)</script>");

    const context = await shiftClock(await browser.newContext({ baseURL: own.url, acceptDownloads: true, javaScriptEnabled: language !== "ja" }));
    const employee = await context.newPage();
    await signIn(employee, EMPLOYEE);
    await employee.goto(at(language, "/notice"));
    const list = employee.locator(".reader-list");
    await expect(list.getByRole("heading", { name: text.unread })).toBeVisible();
    await list.getByRole("link", { name: title }).click();
    await expect(employee.getByRole("heading", { level: 2, name: title })).toBeVisible();
    await expect(employee.locator(".prose")).toContainText("<script>alert(1)</script>");
    await expect(list.locator(".mail[aria-current]")).not.toHaveAttribute("data-unread");
    if (language === "ko") expect.soft(await violations(employee)).toEqual([]);
    const [file] = await Promise.all([employee.waitForEvent("download"), employee.getByRole("link", { name: text.download }).click()]);
    expect(file.suggestedFilename()).toBe("서약서.txt");
    expect(readFileSync(await file.path(), "utf8")).toBe("서약서\n");

    await page.goto(at(language, `/manage/notice/${notice.id}/readers`));
    await expect(page.locator(".figures dd").nth(1)).toContainText(/^\s*1\s/);
    await expect(page.locator(".figures dd").nth(3)).toHaveText(/^\s*1\s*$/);
    await expect(page.locator(".share-table tbody tr").first()).toBeVisible();
    await page.getByText(text.table).click();
    await expect(page.locator(".chart-table tbody tr").last()).toContainText("1");
    if (language === "ko") expect.soft(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: text.read }).click();
    await expect(page.locator(".people tbody tr")).toHaveCount(1);

    await page.getByRole("link", { name: text.remind }).click();
    await page.getByRole("dialog").getByRole("button", { name: text.send }).click();
    await expect(page.getByRole("status").getByText(text.reminded)).toBeVisible();
    await expect(page.locator(".chart .mark")).toHaveText(text.mark);

    await elapseNotices(own, 14);
    const path = at(language, `/notice/${notice.id}`);
    await employee.goto(path);
    await expect(employee.locator(".attachments .note")).toHaveText(text.ended);
    await expect(employee.getByRole("link", { name: text.download })).toHaveCount(0);
    await employee.goto(`${path}/attachments/${notice.attachment}`);
    await expect(employee.getByText(text.gone)).toBeVisible();
    await context.close();
  });
}

// publish registers a notice with a file for everybody.
async function publish(page: Page, title: string, body: string): Promise<{ id: number; attachment: number }> {
  const me = (await (await page.request.get("/api/v1/profile")).json()) as { id: number; company_id: number };
  const content = Buffer.from("서약서\n");
  const upload = await page.request.post(`/api/v1/companies/${me.company_id}/users/${me.id}/uploads`, {
    multipart: { md5: createHash("md5").update(content).digest("hex"), file: { name: "서약서.txt", mimeType: "text/plain", buffer: content } },
  });
  expect(upload.status()).toBe(201);
  const attachment = ((await upload.json()) as { id: number }).id;
  const created = (await ask(page, "POST", "/notices", { title, body, targets: { everyone: true }, publish_at: null, attachment_ids: [attachment] })) as { id: number };
  return { id: created.id, attachment };
}
