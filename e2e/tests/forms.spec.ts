// Forms: what they would lose, what they change, and where the focus goes.
import type { Page } from "@playwright/test";
import { inSeoul } from "../clock.ts";
import { expect, test } from "../fixtures.ts";
import { ADMIN, shareSession } from "../people.ts";

const POLICY = "/policies/communication/5";

test.beforeEach(async ({ page }) => shareSession(page, ADMIN));

test("the bar names what has changed, and is at the foot of the page before", async ({ page }) => {
  await page.goto(POLICY);
  const bar = page.getByRole("region", { name: "저장하지 않은 변경" });
  await expect(bar).not.toBeInViewport();
  await page.locator("#name").pressSequentially(" 2");
  await expect(bar).toBeInViewport();
  await expect(bar).toContainText("기본 정보 1개 변경");
  await page.locator("#session_time_sec").fill("45");
  await page.locator("#policy-targets .chip button").first().click();
  await expect(bar).toContainText("기본 정보 1개, 설정 1개, 대상 1개 변경");
  await bar.getByRole("button", { name: "변경 내용 보기" }).click();
  const list = page.locator("#changes").getByRole("link");
  await expect(list).toHaveText(["정책 이름", "적용 대상", "세션 유지 시간"]);
  await list.last().click();
  await expect(page.locator("#session_time_sec")).toBeInViewport();
  await expect(list.first()).toBeHidden();
});

test("the index comes before the fields by the keyboard, and stands beside them", async ({ page }) => {
  await page.goto(POLICY);
  const index = page.getByRole("navigation", { name: "목차" });
  const name = page.getByLabel("정책 이름");
  await page.getByRole("button", { name: /더 보기$/ }).focus();
  await page.keyboard.press("Tab");
  await expect(index.getByRole("searchbox")).toBeFocused();
  expect(await index.evaluate((element) => element.compareDocumentPosition(document.querySelector("#policy")!) & Node.DOCUMENT_POSITION_FOLLOWING)).toBeTruthy();
  expect((await index.boundingBox())!.x).toBeGreaterThan((await name.boundingBox())!.x + (await name.boundingBox())!.width);
});

test("the index leads to sections and finds settings", async ({ page }) => {
  await page.goto(POLICY);
  const index = page.getByRole("navigation", { name: "목차" });
  await index.getByRole("link", { name: "파일", exact: true }).click();
  await expect(index.locator("[aria-current]")).toHaveText("파일");
  await index.getByRole("searchbox").fill("보내기 전에"); // a choice
  await index.getByRole("searchbox").press("Enter");
  await expect(page.locator("#setting-off_hours")).toBeInViewport();
  await expect(page.locator("#setting-off_hours input").first()).toBeFocused();
  await index.getByRole("searchbox").press("Escape");
  await page.setViewportSize({ width: 814, height: 900 });
  await expect(index).toBeHidden();
  await page.getByRole("button", { name: "목차" }).click();
  await index.getByRole("link", { name: "기본 정보" }).click();
  await expect(index).toBeHidden();
  await expect(page.locator("#basics")).toBeInViewport();
});

test("a typed reason in a dialog is not lost unasked, and closing it returns the focus to its row", async ({ page }) => {
  const opener = await openRecord(page);
  const record = page.getByRole("dialog").first();
  await record.getByRole("link", { name: "기록 수정" }).click();
  const reason = page.getByLabel("사유");
  const text = "가".repeat(2000);
  await reason.fill(text);
  const question = page.locator("dialog#leave");
  const ways: (() => Promise<unknown>)[] = [
    () => page.keyboard.press("Escape"),
    () => record.getByRole("link", { name: "취소" }).click(),
    () => page.evaluate(() => history.back()),
  ];
  for (const leave of ways) {
    await leave();
    await expect(question).toBeVisible();
    await question.locator("button:not([data-leave])").click();
    await expect(reason).toHaveValue(text);
  }
  const closing = page.waitForEvent("dialog"); // the browser's own question
  await page.close({ runBeforeUnload: true });
  await (await closing).dismiss();
  await expect(reason).toHaveValue(text);
  await record.getByRole("button", { name: "저장" }).click();
  await expect(page.getByText("200자 이하로 입력해 주세요.")).toBeVisible();
  await expect(reason).toHaveValue(text);
  await page.keyboard.press("Escape");
  await question.locator("[data-leave]").click();
  await expect(record).toBeHidden();
  await expect(page.locator(`main a[href="${opener}"]`)).toBeFocused();
});

// The server reserves the space of every island, also on a slow machine.
for (const [name, path, ready] of [
  ["a policy", POLICY, "#policy-targets button.btn"],
  ["a new policy", "/policies/communication", "#policy-targets button.btn"],
  ["a policy of attendance", "/policies/workingattitude/2", "[data-index-sections] [aria-current]"],
  ["policies", "/policies/communication/management", ".tree-island"],
  ["the application status", "/policies/communication/status", ".tree-island"],
  ["hiding people", "/manage/use/hidden?new=1", "input#user_ids"],
  ["hiding chosen people", "/manage/use/hidden?new=1&user_ids=33&user_ids=34", "input#user_ids"],
  ["registering a viewer", "/policies/workingattitude/manager?new=1", ".targets button.btn"],
  ["the notice bot", "/manage/use/webhook", ".change > summary"],
  ["a new notice", "/manage/notice/new", ".targets button.btn"],
  ["the map services", "/manage/use/map", "#map-services"],
] as const) {
  test(`nothing moves when the islands of ${name} are mounted`, async ({ page }) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.goto(path);
    await page.locator(ready).first().waitFor({ state: "attached" });
    const moved = await page.evaluate(async () => {
      const texts: string[] = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as Shift[]) texts.push(`${entry.value.toFixed(4)} ${entry.sources.map(({ node }) => (node as Element | null)?.outerHTML?.slice(0, 80)).join(" | ")}`);
      }).observe({ type: "layout-shift", buffered: true });
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
      return texts.filter((text) => Number.parseFloat(text) >= 0.001);
    });
    expect(moved).toEqual([]);
  });
}

// Header and columns would move while the rest of a page arrives.
test("a page that arrives slowly is painted once it is whole", async ({ page }) => {
  await page.goto("/logs/workingattitude/month"); // scripts and styles are cached
  await slowDown(page);
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    requestAnimationFrame(function frame() {
      const isWhole = document.querySelector(".toasts") !== null;
      if (document.body) seen.add(`${isWhole ? "whole" : "incomplete"}: ${getComputedStyle(document.body).opacity}`);
      if (!isWhole) requestAnimationFrame(frame);
    });
  });
  await page.reload();
  expect(await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])).toEqual(["incomplete: 0", "whole: 1"]);
});

test("a page that arrives slowly focuses its first field", async ({ page }) => {
  await page.goto("/policies/workingattitude"); // scripts and styles are cached
  await expect(page.locator("#name")).toBeFocused();
  await slowDown(page);
  await page.reload();
  await expect(page.locator("#name")).toBeFocused();
});

// slowDown has the pages that follow arrive slowly, in many parts: the browser reads 32 KB
// at once, so they are not compressed.
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await page.setExtraHTTPHeaders({ "Accept-Encoding": "identity" });
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: 60_000, uploadThroughput: -1 });
}

type Shift = { value: number; sources: { node: Node | null }[] };

// openRecord opens the first record of a past day that may be edited, and returns
// the address of the link that opened it.
async function openRecord(page: Page): Promise<string> {
  for (let days = 3; days < 14; days++) {
    await page.goto(`/logs/workingattitude/day?status=on_time&date=${inSeoul(days)}`);
    const link = page.getByRole("rowheader").getByRole("link").first();
    if ((await link.count()) === 0) continue;
    const address = (await link.getAttribute("href"))!;
    await link.click();
    return address;
  }
  throw new Error("there is no record");
}
