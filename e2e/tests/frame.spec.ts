// The frame of every page: menus, drawer, loading bar, keyboard, scripts.
import type { Page } from "@playwright/test";
import { now } from "../clock.ts";
import { expect, test } from "../fixtures.ts";
import { ADMIN, at, EMPLOYEE, signIn } from "../people.ts";
import { languages, texts } from "../texts.ts";

const LIST = "/policies/communication/management";
const DAY = "/logs/workingattitude/day";
const FILES = "/logs/communication/file";
const say = texts.ko;

test("the profile menu opens and closes 100 ms after the click", async ({ page }) => {
  await page.clock.install({ time: now() });
  await signIn(page, EMPLOYEE);
  await page.goto(DAY);
  await stopClock(page);
  const toggle = page.getByRole("button", { name: "박민재" });
  const entry = page.getByRole("link", { name: say.profile }).and(page.locator("#me a"));
  for (const opens of [true, false]) {
    await toggle.click();
    await page.clock.runFor(99);
    await expect(entry).toBeVisible({ visible: !opens });
    await page.clock.runFor(1);
    await expect(entry).toBeVisible({ visible: opens });
  }
  await toggle.click();
  await page.clock.runFor(100);
  await entry.click();
  await expect(page).toHaveURL("/profile");
  await expect(entry).toBeHidden();
});

for (const language of languages) {
  const say = texts[language];

  test(`${language}: the drawer of customer support`, async ({ page }) => {
    await signIn(page, ADMIN);
    await page.goto(at(language, LIST));
    const opener = page.getByRole("link", { name: say.support });
    const drawer = page.getByRole("dialog", { name: say.support });
    await opener.click();
    await expect(drawer).toBeVisible();
    expect(Math.round((await drawer.boundingBox())!.width)).toBe(750);
    const phone = drawer.getByRole("link", { name: "1661-5975" });
    await expect(phone).toHaveAttribute("href", "tel:1661-5975");
    await expect(drawer).toContainText(say.supportHours);
    await expect(drawer).toContainText("12:00–13:00");
    for (const name of [say.adminManual, say.userManual]) {
      await expect(drawer.getByRole("link", { name })).toHaveAttribute("target", "_blank");
    }
    for (const name of [say.mail, say.remote]) {
      await expect(drawer.getByRole("button", { name, includeHidden: true })).toHaveCount(1);
      await expect(drawer.getByRole("button", { name, includeHidden: true })).toBeHidden();
    }
    await expect(drawer.locator("[data-browser]")).toContainText(/Chrom/);

    await keepsTheFocus(page, "#support");
    await page.keyboard.press("Escape");
    await expect(drawer).toBeHidden();
    await expect(opener).toBeFocused();

    await opener.click();
    await expect(drawer).toBeVisible();
    await page.mouse.click(100, 400);
    await expect(drawer).toBeHidden();
    await opener.click();
    await drawer.getByRole("button", { name: say.close }).click();
    await expect(drawer).toBeHidden();
  });

  test(`${language}: an unknown address shows the not-found page`, async ({ page }) => {
    await signIn(page, ADMIN);
    for (const path of ["/nowhere", `${LIST}?sort=nothing`, `${LIST}?department_id=0`, `${DAY}?date=yesterday`]) {
      const answer = await page.goto(at(language, path));
      expect(answer?.status(), path).toBe(404);
      await expect(page.getByRole("heading", { level: 1, name: say.notFound })).toBeVisible();
    }
    await expect(page).toHaveTitle(new RegExp(say.notFound));
    await page.getByRole("main").getByRole("link").click();
    await expect(page).toHaveURL(at(language, LIST));
  });
}

test("the loading bar shows after 200 ms of waiting, for at most 5 s", async ({ page }) => {
  await page.clock.install({ time: now() });
  await signIn(page, ADMIN);
  await page.goto(LIST);
  const bar = page.locator(".loadbar");
  const answer = await hold(page, `**${FILES}`);
  await stopClock(page);
  await page.getByRole("link", { name: say.logsLink, exact: true }).click();
  await answer.asked;
  await page.clock.runFor(150);
  await expect(bar).toBeHidden();
  await page.clock.runFor(100);
  await expect(bar).toBeVisible();
  await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "true");
  await expect(page.getByRole("rowheader").first()).toBeVisible();
  await page.clock.runFor(4_800);
  await expect(bar).toBeVisible();
  await page.clock.runFor(300);
  await expect(bar).toBeHidden();
  answer.release();
  await expect(page).toHaveURL(FILES);
  await expect(page.getByRole("heading", { level: 1, name: say.files })).toBeVisible();
  await expect(page.getByRole("main")).not.toHaveAttribute("aria-busy");
});

test("a fast response shows no loading bar", async ({ page }) => {
  await page.clock.install({ time: now() });
  await signIn(page, ADMIN);
  await page.goto(LIST);
  await stopClock(page);
  await page.getByRole("link", { name: say.logsLink, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: say.files })).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(page.locator(".loadbar")).toBeHidden();
});

const failures: [string, { status: number; body: string; contentType: string }, string[]][] = [
  ["a 500", { status: 500, body: "{}", contentType: "application/json" }, [say.failed500]],
  ["the server's own words", { status: 409, body: '{"message":"첫 줄\\n둘째 줄"}', contentType: "application/json" }, ["첫 줄", "둘째 줄"]],
  ["a failure without words", { status: 503, body: "", contentType: "text/plain" }, [say.later]],
];

for (const [what, answer, paragraphs] of failures) {
  test(`the error dialog says ${what}`, async ({ page }) => {
    await signIn(page, ADMIN);
    await page.goto(LIST);
    await page.route(`**${FILES}`, (route) => route.fulfill(answer));
    const link = page.getByRole("link", { name: say.logsLink, exact: true });
    await link.click();
    const dialog = page.getByRole("dialog", { name: say.failed });
    await expect(dialog.locator(".body p")).toHaveText(paragraphs);
    await keepsTheFocus(page, "#error-dialog");
    await dialog.getByRole("button", { name: say.ok, exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(link).toBeFocused();
    await expect(page).toHaveURL(LIST);
    await page.unroute(`**${FILES}`);
    await link.click();
    await expect(page).toHaveURL(FILES);
  });
}

test("a missing response shows the error dialog, too", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(LIST);
  await page.route(`**${FILES}`, (route) => route.abort());
  await page.getByRole("link", { name: say.logsLink, exact: true }).click();
  await expect(page.getByRole("dialog", { name: say.failed })).toContainText(say.later);
});

test("a 410 response leads to the home page after the dialog", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(at("en", LIST));
  await page.route(`**${FILES}`, (route) => route.fulfill({ status: 410, json: { message: "Gone" } }));
  await page.getByRole("link", { name: texts.en.logsLink, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: texts.en.failed });
  await expect(dialog).toContainText("Gone");
  const home = page.waitForRequest((request) => request.isNavigationRequest() && new URL(request.url()).pathname === "/en/");
  await dialog.getByRole("button", { name: texts.en.ok, exact: true }).click();
  await home;
});

test("a script that fails to load reloads the page, once", async ({ page }) => {
  await signIn(page, ADMIN);
  let tries = 0;
  let pages = 0;
  page.on("request", (request) => request.isNavigationRequest() && pages++);
  await page.route(/\/static\/department-tree-.*\.js$/, (route) => (++tries === 1 ? route.abort() : route.continue()));
  await page.goto(LIST);
  await expect(page.getByRole("tree", { name: say.departments })).toBeVisible();
  expect([tries, pages]).toEqual([2, 2]);
});

// How often the script is requested depends on the browser: some do not request
// a failed module again until the page is reloaded. So the test counts
// failures.
test("a script that never loads reloads the page at most once a minute", async ({ page }) => {
  await page.clock.install({ time: now() });
  await signIn(page, ADMIN);
  let failures = 0;
  let pages = 0;
  page.on("console", (message) => message.text().startsWith("a script could not be loaded") && failures++);
  page.on("request", (request) => request.isNavigationRequest() && pages++);
  await page.route(/\/static\/department-tree-.*\.js$/, (route) => route.abort());
  await page.goto(LIST);
  await expect.poll(() => failures).toBe(2);
  // Without the tree the departments are links, and the list works.
  const departments = page.getByRole("region", { name: say.byDepartment });
  await departments.getByRole("link", { name: "연구소" }).click();
  await expect(page).toHaveURL(/department_id=/);
  await expect(page.getByRole("heading", { level: 1, name: say.policies })).toBeVisible();
  await expect.poll(() => failures).toBe(3); // the swapped page fails, too
  expect(pages).toBe(2);

  await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + 60_000);
  const address = page.url();
  await departments.getByRole("link", { name: "경영지원본부" }).click();
  await expect(page).not.toHaveURL(address);
  await expect.poll(() => failures).toBe(5);
  expect(pages).toBe(3);
});

test("navigation is loaded when the pointer comes to a control, and going back works before it is", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => request.url().includes("/static/navigation-") && scripts.push(page.url()));
  await signIn(page, ADMIN);
  await page.goto("/profile", { waitUntil: "networkidle" });
  expect(scripts).toEqual([]);
  const script = page.waitForRequest(/\/static\/navigation-/);
  await page.getByRole("link", { name: say.logsLink, exact: true }).hover();
  await script;
  await page.getByRole("link", { name: say.logsLink, exact: true }).click();
  await expect(page).toHaveURL(FILES);
  await expect(page.getByRole("heading", { level: 1, name: say.files })).toBeVisible();

  await page.mouse.move(640, 5);
  await page.reload({ waitUntil: "networkidle" });
  await page.goBack();
  await expect(page).toHaveURL("/profile");
  await expect(page.getByRole("heading", { level: 1, name: say.profile })).toBeVisible();
});

test("without navigation the browser follows links and sends forms", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.route(/\/static\/navigation-/, (route) => route.abort());
  await page.goto("/profile");
  const whole = page.waitForRequest((request) => request.isNavigationRequest() && request.url().endsWith(FILES));
  await page.getByRole("link", { name: say.logsLink, exact: true }).click();
  await whole;
  await expect(page).toHaveURL(FILES);
  await page.locator("html[hx-boost\\:inherited]").waitFor(); // the script of the new page runs
  await page.locator("form[data-auto] input[type=search]").first().fill("보고서");
  await expect(page).toHaveURL(/q=/);
  await expect(page.getByRole("heading", { level: 1, name: say.files })).toBeVisible();
});

test("a page without islands loads no React", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(new URL(request.url()).pathname));
  await signIn(page, ADMIN);
  await page.goto("/profile", { waitUntil: "networkidle" });
  expect(scripts.filter((path) => !/^\/static\/(main|chunk)-/.test(path))).toEqual([]);
  await page.goto(LIST);
  await expect(page.getByRole("tree", { name: say.departments })).toBeVisible();
  expect(scripts.filter((path) => /^\/static\/(mount|department-tree)-/.test(path))).toHaveLength(2);
});

test("the keyboard skips to the content and moves through the tree", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(LIST);
  const tree = page.getByRole("tree", { name: say.departments });
  await expect(tree).toBeVisible();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: say.skip });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();

  for (let i = 0; i < 2; i++) await page.keyboard.press("Tab"); // the page's actions
  await page.keyboard.press("Tab"); // the search field of the tree
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  const first = page.getByRole("treeitem", { name: /^경영지원본부/ });
  await expect(first).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(first).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("ArrowDown");
  const child = page.getByRole("treeitem", { name: /^법무팀/ });
  await expect(child).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/department_id=/);
  await expect(child).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("ArrowLeft");
  await expect(first).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(first).toHaveAttribute("aria-expanded", "false");
});

test("columns keep their width and stay hidden", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(LIST);
  const before = await width(page);
  await page.getByRole("button", { name: say.columns, exact: true }).click();
  for (let i = 0; i < 3; i++) await page.getByRole("button", { name: say.widen(say.policyColumn) }).click();
  await expect.poll(() => width(page)).toBeGreaterThan(before + 30);

  await page.getByRole("checkbox", { name: say.modifiedColumn }).uncheck();
  const modified = page.getByRole("columnheader", { name: say.modifiedColumn });
  await expect(modified).toBeHidden();
  const wide = await width(page);
  await page.reload();
  await expect(modified).toBeHidden();
  await expect.poll(() => width(page)).toBe(wide);
});

// stopClock pauses the time of the page ten seconds later: less than requests wait
// for their answers, more than the two calls take on a busy machine.
async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
}

// hold delays the response of a URL until it is released.
async function hold(page: Page, url: string): Promise<{ asked: Promise<unknown>; release: () => void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => (await released, await route.continue()));
  return { asked: page.waitForRequest(url), release };
}

// keepsTheFocus tabs through the dialog: outside of it only the browser's own
// controls, which appear as the body to the page, may have the focus.
async function keepsTheFocus(page: Page, dialog: string): Promise<void> {
  for (const key of [...Array<string>(9).fill("Tab"), ...Array<string>(4).fill("Shift+Tab")]) {
    await page.keyboard.press(key);
    const inside = await page.evaluate((dialog) => document.activeElement === document.body || document.activeElement!.closest(dialog) !== null, dialog);
    expect(inside).toBe(true);
  }
}

async function width(page: Page): Promise<number> {
  return Math.round((await page.locator("th[data-col=name]").first().boundingBox())!.width);
}
