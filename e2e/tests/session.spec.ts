// The end of a session: the warning, the message, and signing in again without
// leaving the page.
import type { Locator, Page, Request } from "@playwright/test";
import { now, shiftClock } from "../clock.ts";
import { expect, test } from "../fixtures.ts";
import { at, EMPLOYEE, OTHER_ADMIN, PASSWORD, signIn, signInByForm } from "../people.ts";
import { languages, texts } from "../texts.ts";

const LIST = "/policies/communication/management";
const DAY = "/logs/workingattitude/day";
const IDLE = 3600; // seconds: the session time of the employee's policy
const say = texts.ko;

// In sequence, because each signs the same account out on all other devices.
test.describe("a session that was ended from another device", () => {
  test.describe.configure({ mode: "default" });

  test("lets the person sign in again and continue a search", async ({ page, browser }) => {
    await signIn(page, OTHER_ADMIN);
    await page.goto(LIST);
    const every = await page.getByRole("rowheader").count();
    await signOutElsewhere(await (await shiftClock(await browser.newContext())).newPage());

    const search = page.getByRole("searchbox", { name: say.search });
    await search.pressSequentially("기본");
    const dialog = page.getByRole("dialog", { name: say.ended });
    await expect(dialog).toContainText(say.endedElsewhere);
    const password = dialog.getByLabel(say.password, { exact: true });
    await expect(password).toBeFocused();
    await expect(dialog.getByLabel(say.email, { exact: true })).toHaveValue(OTHER_ADMIN);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeVisible();

    await password.fill("Wrong!20260");
    await password.press("Enter");
    await expect(dialog.getByRole("alert")).toContainText(say.refused);
    await expect(password).toHaveValue("");
    await expect(password).toBeFocused();

    await password.fill(PASSWORD);
    await dialog.getByRole("button", { name: say.signIn, exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(search).toHaveValue("기본");
    await search.press("Enter");
    await expect(page).toHaveURL(/[?&]q=/);
    await expect(page.getByRole("rowheader")).toHaveCount(1);
    expect(every).toBeGreaterThan(1);
  });

  test("keeps a half-filled form", async ({ page, browser }) => {
    await signIn(page, OTHER_ADMIN);
    await page.goto("/profile");
    const [next, confirmation] = [newPassword(page), page.getByLabel(say.confirmation)];
    await page.getByRole("region", { name: say.changePassword }).getByLabel(say.currentPassword).fill(PASSWORD);
    await next.fill("Fresh!20261");
    await signOutElsewhere(await (await shiftClock(await browser.newContext())).newPage());

    await confirmation.fill("Other!20261");
    await page.getByRole("button", { name: say.changePassword }).click();
    const dialog = page.getByRole("dialog", { name: say.ended });
    await expect(dialog).toBeVisible();
    await dialog.getByLabel(say.password, { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: say.signIn, exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(next).toHaveValue("Fresh!20261");
    await expect(confirmation).toHaveValue("Other!20261");

    await page.getByRole("button", { name: say.changePassword }).click();
    await expect(page.getByRole("alert")).toContainText(say.mismatch);
  });
});

for (const language of languages) {
  const say = texts[language];

  test(`${language}: an idle session shows a warning, is extended once, and ends`, async ({ page }) => {
    await page.clock.install({ time: now() });
    await signIn(page, EMPLOYEE);
    await page.goto(at(language, DAY));
    expect(Number((await mirror(page))?.idle_seconds)).toBe(IDLE);

    await page.clock.fastForward((IDLE - 75) * 1000);
    await page.clock.runFor(1000);
    const warning = page.getByRole("dialog", { name: say.warning });
    await expect(warning).toBeHidden();

    await page.clock.fastForward(20_000);
    await page.clock.runFor(1000);
    await expect(warning).toContainText(say.warned);
    const left = await secondsLeft(page);
    expect(left).toBeGreaterThan(40);
    expect(left).toBeLessThanOrEqual(60);
    await expect(warning.locator("output")).toHaveText(say.seconds);
    await page.clock.runFor(10_000);
    expect(await secondsLeft(page)).toBeLessThanOrEqual(left - 10);

    const told = page.waitForRequest(isActivity);
    await warning.getByRole("button", { name: say.stay }).click();
    await told;
    await expect(warning).toBeHidden();

    await page.clock.fastForward((IDLE - 10) * 1000);
    await page.clock.runFor(1000);
    await expect(warning).toBeVisible();
    const signedOut = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/logout"));
    await page.clock.fastForward(15_000);
    await page.clock.runFor(1000);
    await signedOut;
    const ended = page.getByRole("dialog", { name: say.ended });
    await expect(ended).toContainText(say.endedIdle);
    await expect(warning).toBeHidden();
    expect(await mirror(page)).toEqual({ locale: language, timeout: true });

    await ended.getByRole("button", { name: say.confirm, exact: true }).click();
    await expect(page).toHaveURL(at(language, "/login"));
    expect(await mirror(page)).toBeNull();
  });
}

test("after an idle session the person signs in again on the same page", async ({ page }) => {
  await page.clock.install({ time: now() });
  await signIn(page, EMPLOYEE);
  await page.goto("/profile");
  await newPassword(page).fill("Fresh!20261");
  const over = page.waitForResponse((response) => response.url().endsWith("/logout"));
  await page.clock.fastForward((IDLE + 10) * 1000);
  await page.clock.runFor(1000);
  await over;
  const dialog = page.getByRole("dialog", { name: say.ended });
  await dialog.getByLabel(say.password, { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: say.signIn, exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(newPassword(page)).toHaveValue("Fresh!20261");
  expect((await mirror(page))?.idle_seconds).toBe(IDLE);
  await page.getByRole("link", { name: texts.ko.product }).click();
  await expect(page).toHaveURL(DAY);
});

test("a page cannot be used once somebody else has signed in, until its person has again", async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto("/login");
  await signIn(page, EMPLOYEE);
  await page.goto("/profile");
  await newPassword(page).fill("Fresh!20261");
  await signInByForm(other, "ko", OTHER_ADMIN, PASSWORD);
  const dialog = page.getByRole("dialog", { name: say.ended });
  await expect(dialog).toContainText(say.endedOther);
  await dialog.getByLabel(say.password, { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: say.signIn, exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(newPassword(page)).toHaveValue("Fresh!20261");
  await expect(other.getByRole("dialog", { name: say.ended })).toContainText(say.endedOther);
});

test("the session storage mirrors who is signed in, without a token", async ({ page, context }) => {
  await page.goto("/login");
  expect(await mirror(page)).toBeNull();
  await signIn(page, EMPLOYEE);
  await page.goto(DAY);
  const stored = (await mirror(page))!;
  expect(Object.keys(stored).sort()).toEqual(["company_id", "expired_at", "idle_seconds", "locale", "prefix", "user_id"]);
  const hours = (Date.parse(String(stored["expired_at"])) - now()) / 3_600_000;
  expect(hours).toBeGreaterThan(7.9);
  expect(hours).toBeLessThanOrEqual(8);
  const cookie = (await context.cookies()).find(({ name }) => name === "officeconsole_session")!;
  expect(cookie.httpOnly).toBe(true);
  expect(JSON.stringify(stored)).not.toContain(cookie.value);

  await page.getByRole("button", { name: "박민재" }).click();
  await page.getByRole("button", { name: say.signOut }).click();
  await expect(page).toHaveURL("/login");
  expect(await mirror(page)).toBeNull();
});

for (const [what, stored] of [["missing", null], ["past its time", '{"expired_at":"2020-01-01T00:00:00Z"}']] as const) {
  test(`a stored session that is ${what} is cleared on the next navigation`, async ({ page }) => {
    await signIn(page, EMPLOYEE);
    await page.goto(DAY);
    await page.evaluate((stored) => (stored === null ? sessionStorage.removeItem("auth.local") : sessionStorage.setItem("auth.local", stored)), stored);
    const whole = page.waitForRequest((request) => request.isNavigationRequest() && request.url().endsWith(DAY));
    const loaded = page.waitForEvent("load");
    await page.getByRole("link", { name: say.product }).click();
    await whole;
    await loaded;
    await expect.poll(() => mirror(page)).toMatchObject({ locale: "ko", idle_seconds: IDLE });
  });
}

async function signOutElsewhere(page: Page): Promise<void> {
  await signIn(page, OTHER_ADMIN);
  await page.goto("/profile");
  await page.getByRole("region", { name: say.devices }).getByLabel(say.currentPassword).fill(PASSWORD);
  await page.getByRole("button", { name: say.signOutElsewhere }).click();
  await expect(page.getByRole("button", { name: say.signOutElsewhere })).toBeHidden();
  await page.context().close();
}

function mirror(page: Page): Promise<Record<string, unknown> | null> {
  return page.evaluate(() => JSON.parse(sessionStorage.getItem("auth.local") ?? "null"));
}

async function secondsLeft(page: Page): Promise<number> {
  return Number(/\d+/.exec(await page.locator("#idle-warning output").innerText())![0]);
}

// A required field's label may end with an asterisk.
function newPassword(page: Page): Locator {
  return page.getByLabel(new RegExp(`^${say.newPassword}( \\*)?$`));
}

function isActivity(request: Request): boolean {
  return request.method() === "POST" && request.url().endsWith("/session/activity");
}
