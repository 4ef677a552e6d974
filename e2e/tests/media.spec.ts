// What is drawn with backgrounds has its state in forced colors and on paper; what only
// moves through the console is not printed.
import { beyondNarrowest, smallTargets } from "../accessible.ts";
import { expect, test } from "../fixtures.ts";
import { ADMIN, at, EMPLOYEE, shareSession } from "../people.ts";
import { languages } from "../texts.ts";

const LIST = "/policies/communication/management";
const WEEK = "/logs/workingattitude/week";
const FORECAST = "/logs/workingattitude/week/forecast";
const MONTH = "/logs/workingattitude/month";

test("forced colors show whether a switch is on", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(LIST);
  const colors = (selector: string) =>
    page.locator(selector).first().evaluate((element) => [getComputedStyle(element).backgroundColor, getComputedStyle(element, "::before").backgroundColor]);
  const on = await colors(".switch[aria-pressed=true]:enabled");
  const off = await colors(".switch[aria-pressed=false]:enabled");
  expect(on[0]).not.toBe(off[0]);
  for (const [track, knob] of [on, off]) expect(knob).not.toBe(track);
});

test("forced colors show the days off of a month and a week", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(MONTH);
  for (const kind of ["holiday", "day_off"]) await expect(page.locator(`#h-${kind} path`)).not.toHaveCSS("stroke", "none");
  await page.goto(WEEK);
  await expect(page.locator(".week-table tbody .off").first()).toHaveCSS("outline-style", "dotted");
});

test("forced colors draw half a day of leave, a day to come and one before work like the other days", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(MONTH);
  const color = (selector: string, name: "color" | "fill" | "stroke") => page.locator(selector).evaluate((element, name) => getComputedStyle(element)[name], name);
  const text = await color("#h-leave", "color");
  for (const shape of ["#h-half_leave path", "#h-before circle", "#h-not_due path"]) expect.soft(await color(shape, "stroke"), shape).toBe(text);
  expect(await color("#h-half_leave path", "fill")).toBe(await color("#h-leave rect", "fill"));
});

test("forced colors write weekends and holidays like the other days", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(MONTH);
  const colors = await page.locator(".heat-head text").evaluateAll((texts) => [...new Set(texts.map((text) => getComputedStyle(text).fill))]);
  expect(colors).toHaveLength(1);
});

test("a wide window gives its width to the days of a month", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto(MONTH);
  const width = async (selector: string) => (await page.locator(selector).first().boundingBox())!.width;
  for (const [window, name, days] of [[1920, 240, 840], [2560, 330, 1110]] as const) {
    await page.setViewportSize({ width: window, height: 1080 });
    expect(await width(".month-table tbody th"), `${window}`).toBeLessThan(name);
    expect(await width(".month-table tbody .heat-strip"), `${window}`).toBeGreaterThan(days);
    expect(await width(".month-table tbody .heat-strip"), `${window}`).toBe(await width(".month-table .heat-head"));
  }
});

for (const width of [1280, 814]) {
  test(`the controls of the installation page and of the forecast are large enough at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await shareSession(page, ADMIN);
    for (const path of ["/manage/use/install", WEEK, FORECAST]) {
      await page.goto(path);
      expect.soft(await smallTargets(page), path).toEqual([]);
    }
  });
}

test("the forecast fits into the narrowest window in every language", async ({ page }) => {
  await shareSession(page, ADMIN);
  for (const language of languages) {
    for (const path of [WEEK, FORECAST]) {
      await page.goto(at(language, path));
      expect(await beyondNarrowest(page)).toBe(0);
      const list = page.locator(".list:has(.forecast-table)");
      expect.soft(await list.evaluate((list) => list.scrollWidth - list.clientWidth), `${path} in ${language}`).toBe(0);
    }
  }
});

test("a printed page of a list says that there are others, and has no column of buttons", async ({ page }) => {
  await shareSession(page, ADMIN);
  for (const path of ["/logs/workingattitude/day?view=all", "/policies/communication/status", WEEK]) {
    await page.goto(path);
    const others = page.getByText("이 페이지의 행만 인쇄되었습니다. 전체 목록은 내보내기로 받을 수 있습니다.");
    await expect(others).toBeHidden();
    await page.emulateMedia({ media: "print" });
    await expect(others).toBeVisible();
    await page.emulateMedia({ media: null });
  }
  const told = page.locator(".forecast-table thead th").last();
  await expect(told).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(told).toBeHidden();
});

test("a list is printed without the frame, and its totals once", async ({ page }) => {
  await shareSession(page, ADMIN);
  await page.goto(WEEK);
  await page.emulateMedia({ media: "print" });
  for (const name of ["banner", "navigation", "search"] as const) await expect(page.getByRole(name)).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.locator(".week-table thead")).toHaveCSS("display", "table-header-group");
  await expect(page.locator(".week-table tfoot")).toHaveCSS("display", "table-row-group");
  await expect(page.locator(".week-table tbody tr").first()).toHaveCSS("break-inside", "avoid");
  await page.goto(LIST);
  await expect(page.locator(".switch").first()).toHaveCSS("print-color-adjust", "exact");
});

const READING = ["/notice", "/profile", "/profile/factors", "/logs/workingattitude/day", "/logs/workingattitude/week", "/logs/workingattitude/month", "/support"];

for (const width of [400, 360]) {
  test(`what employees read fits into ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 640 });
    await page.goto("/login");
    expect.soft(await overflow(page, width)).toBe(0);
    await shareSession(page, EMPLOYEE);
    for (const path of READING) {
      await page.goto(path);
      await expect(page.locator("h1")).toHaveCount(1);
      expect.soft(await overflow(page, width), path).toBe(0);
      expect.soft(await small(page), path).toEqual([]);
    }
    await page.goto("/notice");
    await page.locator(".mail").first().click();
    await expect(page.locator("#notice-title")).toBeInViewport();
    expect(await overflow(page, width)).toBe(0);
  });
}

test("a window of half the width has the side menu in a popover, and every menu on the screen", async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 450 });
  await shareSession(page, ADMIN);
  await page.goto(LIST);
  const side = page.locator("#side");
  await expect(side).toBeHidden();
  for (const [button, menu] of [["side", "#side"], ["lang", "#lang"], ["me", "#me"]] as const) {
    await page.locator(`[popovertarget=${button}]`).click();
    await expect(page.locator(menu)).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Escape");
    await expect(page.locator(menu)).toBeHidden();
  }
  await page.locator("[popovertarget=side]").click();
  await side.locator("a").nth(1).click();
  await expect(page).toHaveURL(/\/policies\/communication\/status/);
  await expect(side).toBeHidden();
  expect(await beyondNarrowest(page)).toBe(0);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("customer support has a page", async ({ page }) => {
    await shareSession(page, ADMIN);
    await page.goto(LIST);
    await page.locator('.side a[href="/support"]').click();
    await expect(page.getByRole("link", { name: "1661-5975" })).toBeVisible();
    await expect(page.locator("[data-browser]")).toContainText("Chrom");
    await expect(page.locator("[data-copy]")).toBeHidden();
  });

  test("forms show no control that needs one", async ({ page }) => {
    await shareSession(page, ADMIN);
    for (const path of ["/policies/communication", "/manage/notice/new"]) {
      await page.goto(path);
      await expect(page.locator("main form").first()).toBeVisible();
      await expect(page.locator(".scripted:visible"), path).toHaveCount(0);
    }
    await page.goto("/policies/communication");
    await expect(page.getByText("대상 선택")).toBeHidden();
    await page.getByRole("searchbox", { name: "부서 또는 사람 검색" }).fill("메신저팀");
    await page.getByRole("button", { name: "찾기" }).click();
    await expect(page.getByRole("checkbox", { name: /메신저팀$/ })).toBeVisible();
  });
});

async function overflow(page: import("@playwright/test").Page, width: number): Promise<number> {
  return page.evaluate((width) => Math.max(0, document.documentElement.scrollWidth - width), width);
}

// small returns the controls that are too small to touch (WCAG 2.5.8), except links within text.
async function small(page: import("@playwright/test").Page): Promise<string[]> {
  return page.locator("button:visible, .btn:visible, .mail:visible, summary:visible").evaluateAll((all) =>
    all.filter((one) => one.getBoundingClientRect().height < 24 || one.getBoundingClientRect().width < 24).map((one) => one.outerHTML.slice(0, 120)),
  );
}
