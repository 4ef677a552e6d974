// Common links and convenience services: added, ordered by keyboard, switched,
// deleted and restored, also by two administrators at once.
import type { Page } from "@playwright/test";
import { violations } from "../accessible.ts";
import { shiftClock } from "../clock.ts";
import { expect, test } from "../own.ts";
import { ADMIN, ask, at, signIn, VIEWER } from "../people.ts";
import { type Language, languages, texts } from "../texts.ts";

const LINKS = "/manage/link/common";
const SERVICES = "/manage/link/convenience";
const FIRST = "Groupware";

// A red square.
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAF0lEQVR4nGP4z8BAEiJN9aiGUQ1DSgMAkPn/Afnh+ngAAAAASUVORK5CYII=",
  "base64",
);

test.describe.configure({ mode: "default", timeout: 60_000 });

test("going back while a link is being saved leads to the list with it", async ({ page }) => {
  const say = texts.ko;
  await start(page, "ko", []);
  await page.getByRole("link", { name: say.addLink }).first().click();
  const dialog = page.getByRole("dialog", { name: say.addLink });
  await dialog.getByLabel(say.linkName).fill(FIRST);
  await dialog.getByLabel(say.linkURL).fill("https://gw.{host}/");
  const releases: (() => void)[] = [];
  await page.route(`**${LINKS}`, async (route) => {
    if (route.request().method() === "POST") await new Promise<void>((resolve) => releases.push(resolve));
    await route.continue();
  });
  await dialog.getByRole("button", { name: say.saveLink, exact: true }).click();
  await expect.poll(() => releases.length).toBe(1);
  await page.goBack();
  await expect(page.locator("#leave")).toBeVisible();
  releases[0]!();

  await expect(toast(page, say.linkAdded)).toBeVisible();
  await expect(page.locator("#leave")).toBeHidden();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))); // the question has been answered
  await expect(page).toHaveURL(new RegExp(`${LINKS}$`));
  await page.reload();
  await expect(dialog).toBeHidden();
});

for (const language of languages) {
  const say = texts[language];

  test(`${language}: a link with a banner is refused once and keeps everything`, async ({ page }) => {
    await start(page, language, []);
    await page.getByRole("link", { name: say.addLink }).first().click();
    const dialog = page.getByRole("dialog", { name: say.addLink });
    await dialog.getByLabel(say.linkName).fill(FIRST);
    await dialog.getByLabel(say.linkDescription).fill("{host}");
    await dialog.getByLabel(say.linkURL).fill("javascript:alert(1)");
    await dialog.locator("#banner").setInputFiles({ name: "banner.png", mimeType: "image/png", buffer: PNG });
    await expect(dialog.getByRole("img", { name: "banner.png" })).toBeVisible(); // before it is saved
    await dialog.getByRole("button", { name: say.saveLink, exact: true }).click();

    await expect(dialog.getByRole("alert").getByRole("link")).toHaveText([say.linkScheme]);
    await expect(dialog.getByLabel(say.linkURL)).toHaveAccessibleDescription(new RegExp(say.linkScheme.slice(0, 10)));
    await expect(dialog.getByLabel(say.linkName)).toHaveValue(FIRST);
    await expect.poll(() => width(page, ".dialog-link img.banner")).toBe(16);
    await dialog.getByLabel(say.linkURL).fill("https://gw.{host}/");
    await dialog.getByRole("button", { name: say.saveLink, exact: true }).click();

    await expect(toast(page, say.linkAdded)).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(row(page, FIRST)).toContainText("https://gw.{host}/");
    await expect.poll(() => width(page, ".list-links .banner img")).toBe(16);
    if (language === "ko") expect.soft(await violations(page)).toEqual([]);
  });

  test(`${language}: links are ordered by keyboard only`, async ({ page }) => {
    await start(page, language, ["Wiki", "Mail", "Help", "Board"]);
    await handle(page, say.handleOf("Help", 3)).focus();
    await page.keyboard.press("Space");
    await expect(said(page)).toHaveText(say.taken("Help"));
    if (language === "ko") expect.soft(await violations(page)).toEqual([]);
    await page.keyboard.press("ArrowUp");
    await expect(said(page)).toHaveText(say.movedTo("Help", 2, 4));
    await page.keyboard.press("Escape");
    await expect(said(page)).toHaveText(say.putBack("Help"));
    await expect(headers(page)).toHaveText([/Wiki/, /Mail/, /Help/, /Board/]);

    for (const key of ["Space", "Home", "Enter"]) await page.keyboard.press(key);
    await expect(toast(page, say.moved("Help"))).toBeVisible();
    await expect(headers(page)).toHaveText([/Help/, /Wiki/, /Mail/, /Board/]);
    await expect(handle(page, say.handleOf("Help", 1))).toBeFocused();
    for (const key of ["Space", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await expect(handle(page, say.handleOf("Help", 2))).toBeFocused();
    await page.reload();
    await expect(headers(page)).toHaveText([/Wiki/, /Help/, /Mail/, /Board/]);
  });

  test(`${language}: fifty links are ordered by keyboard, and the next one is refused with what to do`, async ({ page }) => {
    const names = Array.from({ length: 50 }, (_, i) => `Link ${i + 1}`);
    await start(page, language, names);
    await handle(page, say.handleOf("Link 50", 50)).focus();
    for (const key of ["Space", "Home", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await expect(toast(page, say.moved("Link 50"))).toBeVisible();
    await expect(handle(page, say.handleOf("Link 50", 2))).toBeFocused();
    await handle(page, say.handleOf("Link 20", 21)).focus();
    for (const key of ["Space", "ArrowUp", "ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await expect(handle(page, say.handleOf("Link 20", 18))).toBeFocused();
    await handle(page, say.handleOf("Link 1", 1)).focus();
    for (const key of ["Space", "End", "Enter"]) await page.keyboard.press(key);
    await expect(handle(page, say.handleOf("Link 1", 50))).toBeFocused();
    await page.reload();
    const expected = ["Link 50", ...names.slice(1, 16), "Link 20", ...names.slice(16, 19), ...names.slice(20, 49), "Link 1"];
    await expect(headers(page).locator("a")).toHaveText(expected);

    await page.getByRole("button", { name: say.showLink("Link 7"), exact: true }).focus();
    await page.keyboard.press("Space");
    await expect(toast(page, say.linkHidden("Link 7"))).toBeVisible();
    await page.getByRole("link", { name: say.addLink }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: say.addLink });
    await expect(dialog.getByRole("alert")).toContainText(say.mostLinks);
    await expect(dialog.getByRole("alert").getByRole("link")).toHaveText(["Link 7"]);
  });

  test(`${language}: a link is switched off, deleted, and both are undone`, async ({ page }) => {
    await start(page, language, ["Wiki", "Mail", "Help"]);
    const shown = page.getByRole("button", { name: say.showLink("Mail"), exact: true });
    await shown.click();
    await expect(toast(page, say.linkHidden("Mail"))).toBeVisible();
    await expect(shown).toHaveAttribute("aria-pressed", "false");
    await undo(page, language);
    await expect(shown).toHaveAttribute("aria-pressed", "true");

    await page.getByRole("button", { name: say.moreOf("Mail"), exact: true }).click();
    await page.locator("#row-menu").getByRole("button", { name: say.deleteLink }).click();
    await expect(toast(page, say.linkDeleted("Mail"))).toBeVisible();
    await expect(headers(page)).toHaveText([/Wiki/, /Help/]);
    await undo(page, language);
    await expect(toast(page, say.linkRestored)).toBeVisible();
    await expect(headers(page)).toHaveText([/Wiki/, /Mail/, /Help/]);
  });

  test(`${language}: services are ordered by keyboard behind the first`, async ({ page }) => {
    await signIn(page, ADMIN);
    await page.goto(at(language, SERVICES));
    await canOrder(page);
    const poll = page.locator("#service-poll [data-order-handle]");
    const before = await order(page);
    await poll.focus();
    for (const key of ["Space", "Home", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await expect(toast(page, say.moved(say.polls))).toBeVisible();
    await expect.poll(() => order(page)).toEqual(["service-chat", "service-poll", ...before.filter((id) => id !== "service-chat" && id !== "service-poll")]);
    await expect(poll).toBeFocused();
    await expect(page.locator(".dock li").nth(1)).toHaveText(say.polls);
    await undo(page, language);
    await expect.poll(() => order(page)).toEqual(before);
  });
}

test("two administrators move different links at once, and nothing is lost", async ({ page, browser }) => {
  const say = texts.ko;
  await start(page, "ko", ["Wiki", "Mail", "Help", "Board"]);
  const second = await (await shiftClock(await browser.newContext({ baseURL: page.url() }))).newPage();
  await signIn(second, VIEWER);
  await second.goto(LINKS);
  await canOrder(second);
  await expect(headers(second)).toHaveText([/Wiki/, /Mail/, /Help/, /Board/]);

  await handle(page, say.handleOf("Board", 4)).focus();
  for (const key of ["Space", "Home", "Enter"]) await page.keyboard.press(key);
  await expect(toast(page, say.moved("Board"))).toBeVisible();
  await handle(second, say.handleOf("Wiki", 1)).focus(); // in the order of before
  for (const key of ["Space", "ArrowDown", "ArrowDown", "Enter"]) await second.keyboard.press(key);
  await expect(toast(second, say.moved("Wiki"))).toBeVisible();
  for (const one of [page, second]) {
    await one.goto(LINKS);
    await expect(headers(one)).toHaveText([/Board/, /Mail/, /Help/, /Wiki/]);
  }
  await second.context().close();
});

test("closing the dialog of a link returns the focus to what opened it", async ({ page }) => {
  const say = texts.ko;
  await start(page, "ko", ["Wiki", "Mail"]);
  const dialog = page.getByRole("dialog");
  const openers = [page.getByRole("link", { name: "Mail" }), page.getByRole("link", { name: say.addLink })];
  for (const opener of openers) {
    for (const close of [() => page.keyboard.press("Escape"), () => dialog.locator("a[data-dismiss]").last().click()]) {
      await opener.focus();
      await page.keyboard.press("Enter");
      await expect(dialog).toBeVisible();
      await close();
      await expect(dialog).toHaveCount(0);
      await expect(opener).toBeFocused();
    }
  }
  await openers[0]!.click();
  await dialog.getByLabel(say.linkDescription).fill("mail");
  await dialog.getByRole("button", { name: say.saveLink, exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(openers[0]!).toBeFocused();
});

test("a link is dragged by its handle", async ({ page }) => {
  await start(page, "ko", ["Wiki", "Mail", "Help"]);
  await row(page, "Wiki").locator("[data-order-handle]").hover();
  await page.mouse.down();
  const box = (await row(page, "Help").boundingBox())!;
  await page.mouse.move(box.x + 40, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect(toast(page, texts.ko.moved("Wiki"))).toBeVisible();
  await expect(headers(page)).toHaveText([/Mail/, /Help/, /Wiki/]);
});

// start signs the administrator in, to a list with these links only.
async function start(page: Page, language: Language, links: string[]): Promise<void> {
  await signIn(page, ADMIN);
  const { data } = (await ask(page, "GET", "/links")) as { data: { id: number }[] };
  for (const link of data) await ask(page, "DELETE", `/links/${link.id}`);
  for (const name of links) await ask(page, "POST", "/links", { name, url: "https://{host}/" });
  await page.goto(at(language, LINKS));
  if (links.length > 1) await canOrder(page);
}

// canOrder waits until the script that moves rows has been loaded.
async function canOrder(page: Page): Promise<void> {
  await page.locator("[data-order-ready]").waitFor();
}

async function undo(page: Page, language: Language): Promise<void> {
  const button = page.getByRole("button", { name: texts[language].undo });
  await button.focus(); // a focused toast stays
  await button.click();
}

// width is the width of a picture as it was loaded, in pixels.
function width(page: Page, selector: string): Promise<number> {
  return page.locator(selector).first().evaluate((image: HTMLImageElement) => image.naturalWidth);
}

function order(page: Page): Promise<string[]> {
  return page.locator(".list-services tbody tr").evaluateAll((rows) => rows.map((one) => one.id));
}

function handle(page: Page, name: string) {
  return page.getByRole("button", { name, exact: true });
}

function headers(page: Page) {
  return page.getByRole("rowheader");
}

function row(page: Page, name: string) {
  return page.getByRole("row").filter({ has: page.getByRole("rowheader").filter({ hasText: name }) });
}

function said(page: Page) {
  return page.locator("#order-announcer");
}

function toast(page: Page, text: string) {
  return page.getByRole("status").filter({ hasText: text });
}
