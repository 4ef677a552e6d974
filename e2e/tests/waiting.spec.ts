// A form whose response does not come: after 10 s the person decides whether to go on
// waiting, and loses nothing.
import { now } from "../clock.ts";
import { expect, test } from "../fixtures.ts";
import { ADMIN, at, shareSession } from "../people.ts";
import { languages, texts } from "../texts.ts";

const POLICY = "/policies/communication/5";

for (const language of languages) {
  test(`${language}: a save that hangs asks after 10 s, to wait or to stop`, async ({ page }) => {
    const say = texts[language];
    await page.clock.install({ time: now() });
    await shareSession(page, ADMIN);
    await page.goto(at(language, POLICY));
    const minutes = page.locator("#session_time_sec");
    await minutes.fill("45");
    const releases: (() => void)[] = [];
    await page.route(`**${POLICY}`, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await new Promise<void>((resolve) => releases.push(resolve));
      await route.continue().catch(() => undefined); // the page may have stopped waiting
    });
    const save = page.getByRole("button", { name: say.save, exact: true });
    const question = page.getByRole("dialog", { name: say.waiting });
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);

    await save.click();
    await expect.poll(() => releases.length).toBe(1);
    await page.clock.runFor(9_900);
    await expect(question).toBeHidden();
    await page.clock.runFor(100);
    await expect(question).toBeVisible();
    await expect(question.getByRole("button", { name: say.keepWaiting, exact: true })).toBeFocused();
    await question.getByRole("button", { name: say.stopWaiting, exact: true }).click();
    await expect(question).toBeHidden();
    await expect(page.getByRole("status").filter({ hasText: say.stoppedWaiting })).toBeVisible();
    await expect(minutes).toHaveValue("45");
    releases[0]!();

    await save.click();
    await expect.poll(() => releases.length).toBe(2);
    await page.clock.runFor(10_000);
    await question.getByRole("button", { name: say.keepWaiting, exact: true }).click();
    await expect(question).toBeHidden();
    releases[1]!();
    await expect(page.getByRole("dialog").filter({ has: page.locator("ins") })).toBeVisible();
    await expect(question).toBeHidden();
    await page.clock.runFor(20_000);
    await expect(question).toBeHidden();
  });
}
