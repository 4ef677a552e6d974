// The service bot: what Alertmanager and a copied command send arrives in the
// stream, and a replaced token works until its time.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { violations } from "../accessible.ts";
import type { Console } from "../console.ts";
import { elapse } from "../elapse.ts";
import { expect, test } from "../own.ts";
import { ADMIN, ask, at, signIn } from "../people.ts";
import { type Language, languages } from "../texts.ts";

const BOT = "/manage/use/webhook";
const ALERT = readFileSync(join(import.meta.dirname, "../../slack/testdata/alertmanager.json"), "utf8");

const words: Record<Language, { title: string; rotate: (token: string) => string; create: string; hook: string; message: string; hour: string; copied: string; close: string; before: string; ended: string; send: string; accepted: string; details: string; resend: string; resent: string }> = {
  ko: {
    title: "웹훅 서비스 봇", rotate: (token) => `${token} 새로 만들기`, create: "새로 만들기", hook: "Slack 호환 주소", message: "메시지 토큰", hour: "1시간", copied: "안전한 곳에 복사했습니다", close: "닫기",
    before: "메시지 토큰 (이전)", ended: "더 이상 사용할 수 없는 토큰입니다", send: "보내 보기", accepted: "202", details: "자세히", resend: "다시 보내기", resent: "다시 보냈습니다.",
  },
  en: {
    title: "Webhook service bot", rotate: (token) => `New ${token}`, create: "Create", hook: "Slack-compatible address", message: "Message token", hour: "1 hour", copied: "I have copied it to a safe place", close: "Close",
    before: "Message token (earlier)", ended: "This token was replaced", send: "Send", accepted: "202", details: "Details", resend: "Send again", resent: "Sent again.",
  },
  ja: {
    title: "Webhookサービスボット", rotate: (token) => `${token}を新しく作成`, create: "新しく作成", hook: "Slack互換URL", message: "メッセージトークン", hour: "1時間", copied: "安全な場所にコピーしました", close: "閉じる",
    before: "メッセージトークン（以前）", ended: "新しいトークンに置き換えられた", send: "送信する", accepted: "202", details: "詳細", resend: "再送信", resent: "再送信しました。",
  },
};

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAF0lEQVR4nGP4z8BAEiJN9aiGUQ1DSgMAkPn/Afnh+ngAAAAASUVORK5CYII=",
  "base64",
);

test.describe.configure({ mode: "default", timeout: 60_000 });

for (const language of languages) {
  const say = words[language];

  test(`${language}: what Alertmanager sends to the Slack address arrives in the stream`, async ({ page, own }) => {
    await start(page, language);
    await using stream = await follow(own);
    const address = await rotate(page, language, say.hook);
    const sent = await page.request.post(address, { headers: { "Content-Type": "application/json" }, data: ALERT });
    expect([sent.status(), await sent.text()]).toEqual([200, "ok"]);
    expect(await stream.next("bot.message")).toMatchObject({ text: expect.stringContaining("DiskUsageHigh") as unknown });
    await page.reload();
    await expect(page.getByRole("row").filter({ hasText: "DiskUsageHigh" }).first()).toBeVisible();
    if (language === "ko") expect.soft(await violations(page)).toEqual([]);
  });

  test(`${language}: a copied command sends, and the earlier token works until its time`, async ({ page, own }) => {
    await start(page, language);
    await using stream = await follow(own);
    await rotate(page, language, say.message, "", false);
    const first = await curl(page);
    if (language === "ko") expect.soft(await violations(page)).toEqual([]);
    await close(page, language);
    expect((await run(page, first)).status).toBe(202);
    expect(await stream.next("bot.message")).toMatchObject({ text: expect.stringContaining("92%") as unknown });

    await rotate(page, language, say.message, say.hour, false);
    const second = await curl(page);
    await close(page, language);
    await expect(page.getByRole("row").filter({ hasText: say.before }).first()).toBeVisible();
    for (const command of [first, second]) expect((await run(page, command)).status).toBe(202);

    await elapse(own, 61);
    await expect.poll(async () => (await run(page, first)).status).toBe(401); // who calls is cached for a second
    const ended = await run(page, first, language);
    expect(ended.body).toMatchObject({ code: "bot.token.ended", message: expect.stringContaining(say.ended) as unknown });
    expect((await run(page, second)).status).toBe(202);
  });

  test(`${language}: an image is shown before it is saved, and is checked`, async ({ page }) => {
    await start(page, language);
    await page.locator("#image").setInputFiles({ name: "bot.png", mimeType: "image/png", buffer: PNG });
    await expect(page.getByRole("img", { name: "bot.png" })).toBeVisible();
    await expect(page.locator("[name=image_md5]")).toHaveValue(createHash("md5").update(PNG).digest("hex"));
    if (language === "ko") expect.soft(await violations(page)).toEqual([]);
    await page.locator("#image").setInputFiles([]);
    await expect(page.getByRole("img", { name: "bot.png" })).toBeHidden();
    await expect(page.locator("[name=image_md5]")).toHaveValue("");

    await page.locator("#image").setInputFiles({ name: "bot.png", mimeType: "image/png", buffer: PNG });
    await expect(page.locator("[name=image_md5]")).not.toHaveValue("");
    await page.locator("form", { has: page.locator("#image") }).locator("button").click();
    const saved = page.locator(".bot-image > img");
    await expect(saved).toBeVisible();
    await page.locator("#image").setInputFiles({ name: "bot.png", mimeType: "image/png", buffer: PNG });
    await expect(saved).toHaveCount(0);
    await page.locator("#image").setInputFiles([]);
    await expect(saved).toBeVisible();
  });

  test(`${language}: the console sends by itself, and sends a message again`, async ({ page, own }) => {
    await start(page, language, "?example=message");
    await using stream = await follow(own);
    await page.getByRole("button", { name: say.send, exact: true }).click();
    await expect(page.locator(".sent")).toContainText(say.accepted);
    const sent = (await stream.next("bot.message")) as { text: string };
    await page.locator(".list-messages").getByRole("link", { name: `${say.details}: ${sent.text}` }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: say.resend }).click();
    await expect(page.getByText(say.resent)).toBeVisible();
    expect(await stream.next("bot.message")).toMatchObject({ text: sent.text });
  });
}

async function start(page: Page, language: Language, query = ""): Promise<void> {
  await signIn(page, ADMIN);
  await ask(page, "GET", "/bots/service");
  await page.goto(at(language, BOT + query));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(words[language].title);
}

// rotate replaces a token and returns what is shown.
async function rotate(page: Page, language: Language, token: string, overlap = "", closes = true): Promise<string> {
  const say = words[language];
  await page.getByRole("link", { name: say.rotate(token), exact: true }).click();
  const dialog = page.getByRole("dialog");
  if (overlap) await dialog.getByLabel(overlap, { exact: true }).check();
  await dialog.getByRole("button", { name: say.create }).click();
  const shown = page.locator("#secret-value");
  await expect(shown).toBeVisible();
  const secret = (await shown.textContent())!;
  if (closes) await close(page, language);
  return secret;
}

// close says that the token is copied; without that the dialog stays.
async function close(page: Page, language: Language): Promise<void> {
  const dialog = page.getByRole("dialog");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await dialog.getByLabel(words[language].copied).check();
  await dialog.getByRole("button", { name: words[language].close, exact: true }).click();
  await expect(page.locator("#secret-value")).toHaveCount(0);
}

type Command = { url: string; headers: Record<string, string>; data: string };

// curl reads the command that the page shows.
async function curl(page: Page): Promise<Command> {
  const text = (await page.locator("#secret-curl").textContent())!;
  const words = [...text.matchAll(/-(X POST|H|d) '([^']*)'/g)];
  const of = (option: string) => words.filter(([, name]) => name === option).map(([, , value]) => value!);
  return { url: of("X POST")[0]!, headers: Object.fromEntries(of("H").map((header) => header.split(": "))) as Record<string, string>, data: of("d")[0]! };
}

async function run(page: Page, { url, headers, data }: Command, language: Language = "ko") {
  const answer = await page.request.post(url, { headers: { ...headers, "Accept-Language": language }, data });
  return { status: answer.status(), body: (await answer.json()) as unknown };
}

// follow reads the messenger's stream from now on.
async function follow(own: Console) {
  const ending = new AbortController();
  const answer = await fetch(`${own.url}/api/v1/companies/1/stream`, { headers: { Authorization: `Bearer ${own.token}` }, signal: ending.signal });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let read = "";
  return {
    async next(type: string): Promise<unknown> {
      for (;;) {
        const event = new RegExp(`event: ${type}\\ndata: (.*)\\n\\n`).exec(read);
        if (event) {
          read = read.slice(event.index + event[0].length);
          return JSON.parse(event[1]!);
        }
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended without ${type}`);
        read += value;
      }
    },
    [Symbol.asyncDispose]: async () => ending.abort(),
  };
}
