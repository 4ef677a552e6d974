// An outdated-version campaign: a minimum version from a date with the number of
// people in its preview, the list that follows it and people's updates, and the
// change log that takes it back.
import type { Locator, Page } from "@playwright/test";
import { inSeoul, now } from "../clock.ts";
import { expect, test } from "../own.ts";
import { ADMIN, ask, signIn } from "../people.ts";

const RULES = "/manage/use/install";
const OUTDATED = "/manage/use/agent/pc?state=outdated";
const MONDAY = inSeoul(-3); // the clock of the tests starts on a Friday

test.describe.configure({ mode: "default", timeout: 60_000 });

test("a minimum version is set from a date, outdated clients follow it and their updates, and the change log takes it back", async ({ page, own }) => {
  await signIn(page, ADMIN);
  await page.goto(OUTDATED);
  const before = await outdated(page, "6.3.0");
  await expect(page.locator(".list-clients tbody tr").first().getByText(/^(구버전|설치 불가 OS)$/)).toBeVisible();

  await page.getByRole("link", { name: "최소 버전 정하기" }).click();
  await page.getByLabel("Windows 최소 버전").fill("6.4.0");
  await page.getByLabel("Windows 강제 업데이트 날짜").fill(inSeoul(1));
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText("Windows 강제 업데이트 시작: 오늘이나 그 뒤의 날짜를 선택해 주세요.");
  await expect(page.getByLabel("Windows 최소 버전")).toHaveValue("6.4.0");

  await page.getByLabel("Windows 강제 업데이트 날짜").fill(MONDAY);
  await page.getByLabel("Windows 최소 버전").fill("6.3.0");
  await expect(page.locator(".savebar")).toContainText(`${before}명이 업데이트해야 합니다`); // without a button
  await page.getByLabel("Windows 최소 버전").fill("6.4.0");
  await page.getByLabel("macOS 최소 버전").fill("6.4.0");
  await page.getByRole("button", { name: "미리보기", exact: true }).click();
  await expect(page.getByText("이전 6.3.0")).toHaveCount(2);
  const forced = (await forcedOf(page, "Windows")) + (await forcedOf(page, "macOS"));
  expect(forced).toBeGreaterThan(before);
  await expect(page.locator(".savebar")).toContainText(`${forced}명이 업데이트해야 합니다`);
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await expect(page.getByText("설치 설정을 저장했습니다.")).toBeVisible();

  await page.goto(OUTDATED);
  expect(await outdated(page, "6.4.0")).toBe(forced);
  await expect(release(page, "6.3")).toContainText("최소 버전 미만");
  const people = await peopleWith(page, "6.4");
  const updated = await update(page, own.token);
  await page.reload();
  expect(await outdated(page, "6.4.0")).toBe(forced - updated);
  expect(await peopleWith(page, "6.4")).toBe(people + updated);

  await page.goto(RULES);
  await page.getByRole("link", { name: "변경 이력", exact: true }).and(page.locator("main a")).click();
  await page.locator(".list-changes tbody th a").first().click();
  await expect(page.locator(".change-detail")).toContainText("6.4.0");
  await page.getByRole("button", { name: "되돌리기", exact: true }).click();
  await expect(page.getByText("변경을 되돌렸습니다.")).toBeVisible();
  await page.goto(RULES);
  await expect(page.getByLabel("Windows 최소 버전")).toHaveValue("6.3.0");
  await page.goto(OUTDATED);
  expect(await outdated(page, "6.3.0")).toBeLessThanOrEqual(before);
});

// outdated returns the number of outdated clients, which the figures and the tab
// of the list give alike.
async function outdated(page: Page, minimum: string): Promise<number> {
  const figure = page.locator(".figures div").filter({ hasText: `구버전 (${minimum} 미만)` });
  const count = numberOf(await figure.locator("dd").innerText());
  await expect(page.getByRole("link", { name: `구버전 ${count}`, exact: true })).toHaveAttribute("aria-current", "true");
  return count;
}

// forcedOf returns how many people with the client of a system the preview counts.
async function forcedOf(page: Page, system: string): Promise<number> {
  const text = await page.getByRole("row").filter({ has: page.getByLabel(`${system} 최소 버전`) }).getByRole("cell").last().innerText();
  return numberOf(text.replace("명", ""));
}

function release(page: Page, name: string): Locator {
  return page.locator(".share-table tbody tr").filter({ has: page.getByRole("link", { name, exact: true }) });
}

async function peopleWith(page: Page, name: string): Promise<number> {
  return numberOf(await release(page, name).locator("td.end").first().innerText());
}

const numberOf = (text: string): number => Number(text.replaceAll(",", ""));

// update sends what the messenger does when the first people of the list sign in
// with the newest version, and returns how many they are.
async function update(page: Page, token: string): Promise<number> {
  const { data } = await ask(page, "GET", "/installations?platform=pc&state=outdated&limit=5");
  const { company_id } = await (await page.request.get("/api/v1/profile")).json();
  const events = data.map(({ user }: { user: { id: number } }) => ({
    event_id: `update-${user.id}`, user_id: user.id, platform: "pc", kind: "login", version: "6.4.2", os: "Windows 11 25H2", device_id: "new", occurred_at: new Date(now()).toISOString(),
  }));
  const answer = await page.request.post(`/api/v1/companies/${company_id}/events/clients`, { headers: { Authorization: `Bearer ${token}` }, data: { events } });
  expect(new Set((await answer.json()).data.map((result: { status: string }) => result.status))).toEqual(new Set(["accepted"]));
  return events.length;
}
