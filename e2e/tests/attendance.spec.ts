// Attendance from a clock event to the pages that show it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { inSeoul, shiftClock } from "../clock.ts";
import { ADMINISTRATOR, EMPLOYEE, createCompany, MANAGER, members, must } from "../company.ts";
import { Console } from "../console.ts";
import { expect, test } from "../fixtures.ts";
import { ADMIN, ask, signIn } from "../people.ts";

const DAY = "/logs/workingattitude/day";
const WEEK = "/logs/workingattitude/week";
const MONTH = "/logs/workingattitude/month";

test.describe.configure({ timeout: 180_000 }); // the tests create and start consoles

test("the messenger sends a day's events twice, late and during a restart, and the day page counts them once", async ({ page }) => {
  const console = new Console();
  try {
    await createCompany(console);
    const token = (await must(console, ["token", "create", "--scope", "events"])).trim();
    await console.serve();
    await signIn(page, ADMINISTRATOR.email, console.url);
    const company = (await (await page.request.get(`${console.url}/api/v1/profile`)).json()).company_id;
    const day = await closedWorkday(page, console.url);
    const sent = clocked(day, await ids(page, console.url));
    const batches = inBatches(sent, 25);
    const arrived: Clock[] = [];
    const send = async (events: Clock[]) => {
      const results = await push(page.request, console.url, company, token, events);
      const known = new Set(arrived.map((e) => e.event_id));
      for (const [i, { event_id }] of events.entries()) {
        expect(results[i]).toEqual({ event_id, status: known.has(event_id) ? "duplicate" : "accepted" });
        if (!known.has(event_id)) arrived.push(events[i]!);
        known.add(event_id);
      }
      await expectCounts(page, console.url, day, arrived);
    };

    const half = Math.floor(batches.length / 2);
    for (const batch of batches.slice(0, half)) await send(batch);
    await console.end();
    await expect(push(page.request, console.url, company, token, batches[half]!)).rejects.toThrow();
    await console.serve();
    await expectCounts(page, console.url, day, arrived);
    // A sender without a response sends the batch again.
    for (const batch of batches.slice(half - 1)) await send(batch);

    const names = new Set(await page.getByRole("rowheader").locator("bdi").allInnerTexts());
    await page.getByRole("link", { name: "다음", exact: true }).click();
    await expect(page.getByRole("rowheader")).toHaveCount(new Set(sent.map((e) => e.user_id)).size - names.size);
    await page.goto(`${console.url}${DAY}?date=${day}&q=${members[7]!.employeeID}`);
    await page.getByRole("rowheader").getByRole("link").click();
    await expect(page.getByRole("heading", { name: members[7]!.name })).toBeVisible();
    await expect(page.locator(".timeline.events > li")).toHaveCount(2);
  } finally {
    await console.stop();
  }
});

test("an employee requests a correction of a late day, and sees both values once the manager has approved", async ({ page, browser }) => {
  const console = new Console();
  try {
    await createCompany(console);
    await console.serve();
    await signIn(page, ADMINISTRATOR.email, console.url);
    const late = await workday(page, console.url, 1, 7);
    await console.end();
    await must(console, ["import", "attendance", history(console, late)]);
    await console.serve();
    await mayEdit(page, console.url, MANAGER.employeeID, EMPLOYEE.team.split("/").at(-1)!);

    await signIn(page, EMPLOYEE.email, console.url);
    await page.goto(console.url + MONTH);
    await page.getByRole("link", { name: "이전 달" }).click();
    const calendar = page.locator("table.calendar");
    await expect(page).toHaveURL(`${console.url}${MONTH}?month=${monthBefore(inSeoul(0))}`);
    await expect(calendar.getByRole("link").filter({ hasText: "08:50" })).not.toHaveCount(0);
    await expect(calendar.getByRole("row").last()).toBeInViewport();

    await page.goto(`${console.url}${MONTH}?month=${late.slice(0, 7)}`);
    const day = calendar.getByRole("link").filter({ has: page.locator(`time[datetime="${late}"]`) });
    await expect(day).toContainText("지각");
    await day.click();
    await expect(page.getByRole("heading", { name: EMPLOYEE.name })).toBeVisible();
    await expect(page.locator(".timeline.events > li").first()).toContainText(/09:25:00.*출근.*PC · 본사/s);
    await expect(page.locator(".calc").getByRole("row").filter({ hasText: "지각" })).toContainText(/09:00부터.*0:25/s);

    await page.getByRole("link", { name: "정정 신청" }).click();
    await page.getByLabel("출근", { exact: true }).fill("08:55");
    await page.getByLabel("사유").fill("출근 직후 회의가 있어 늦게 등록했습니다.");
    await page.getByRole("button", { name: "신청", exact: true }).click();
    await expect(page.getByRole("status").filter({ hasText: "정정을 신청했습니다" })).toBeVisible();

    const manager = await (await shiftClock(await browser.newContext({ locale: "ko-KR" }))).newPage();
    await signIn(manager, MANAGER.email, console.url);
    await manager.goto(console.url + WEEK);
    await manager.getByRole("link", { name: /^정정 신청 1$/ }).click();
    const request = manager.locator("#list tbody tr").filter({ has: manager.getByRole("link", { name: EMPLOYEE.name }) });
    await expect(request).toContainText("출근 09:25 → 08:55");
    await request.getByRole("checkbox").check();
    await manager.getByRole("button", { name: "신청대로 승인" }).click();
    await manager.getByRole("dialog").getByRole("button", { name: "1건 승인" }).click();
    await expect(manager.getByRole("status").filter({ hasText: `${EMPLOYEE.name} · 승인했습니다` })).toBeVisible();
    await manager.context().close();

    await page.goto(`${console.url}${MONTH}?month=${late.slice(0, 7)}`);
    await expect(day).not.toContainText("지각");
    await day.click();
    await expect(page.getByRole("heading", { name: EMPLOYEE.name })).toBeVisible();
    const arrival = page.locator(".record-figures .figures > div").filter({ hasText: "출근" });
    await expect(arrival.locator("ins")).toHaveText("08:55");
    await expect(arrival.locator("del")).toHaveText("09:25");
    await expect(page.locator(".timeline.edits > li").filter({ hasText: "정정 신청을 승인해 수정했습니다." })).toContainText(MANAGER.name);
  } finally {
    await console.stop();
  }
});

test("a night guard's shift into a holiday is one record with the hours of both days", async ({ page }) => {
  const console = new Console();
  try {
    await must(console, ["demo", "--days", "14", "--today", "2026-01-05"]);
    await console.serve();
    await signIn(page, ADMIN, console.url);
    const { data } = await ask(page, "GET", "/organizations/departments", undefined, console.url);
    const team = data.find((one: { name: string }) => one.name === "정보보안팀").id;
    const list = (day: string) => page.goto(`${console.url}${DAY}?date=${day}&department_id=${team}`);

    await list("2025-12-24");
    const nights = page.getByRole("row").filter({ has: page.locator("[data-col=departure] small") });
    const guards = await nights.getByRole("rowheader").getByRole("link").allInnerTexts();
    expect(guards.length).toBeGreaterThan(1);
    for (const row of await nights.all()) {
      const night = await nightOf(row);
      expect(night.arrival).toBeGreaterThan(21 * 60);
      await expect(row.locator("[data-col=worked]")).toHaveText(clock(night.worked));
    }
    const first = nights.filter({ hasText: guards[0]! });
    const night = await nightOf(first);
    await first.getByRole("link").click();
    await expect(page.getByRole("heading", { name: `${guards[0]} · 2025년 12월 24일` })).toBeVisible();
    await expect(page.locator(".timeline.events > li").filter({ hasText: "출근" })).toHaveCount(1);
    await expect(page.locator(".timeline.events > li").filter({ hasText: "퇴근" })).toContainText("다음 날 07:");
    const figure = (name: string) => page.locator(".record-figures .figures > div").filter({ hasText: name }).locator("dd");
    await expect(figure("근무시간")).toHaveText(clock(night.worked));
    await expect(figure("야간")).toHaveText(clock(night.dark));

    await list("2025-12-25");
    await expect(page.locator(".day-head .badge")).toHaveText("성탄절");
    for (const guard of guards) {
      const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: guard, exact: true }) });
      await expect(row).toHaveCount(1);
      await expect(row.locator("[data-col=arrival] time")).toHaveCount(0);
      await expect(row.locator("[data-col=state]")).toContainText("휴일");
    }
  } finally {
    await console.stop();
  }
});

// nightOf reads the times of a row, in minutes of the day on which the shift
// begins. The break is from 02:00 to 03:00, and night is from 22:00 to 06:00.
async function nightOf(row: Locator): Promise<{ arrival: number; worked: number; dark: number }> {
  const [arrival, departure] = (await Promise.all(["arrival", "departure"].map((column) => row.locator(`[data-col=${column}] time`).innerText()))).map(minutes) as [number, number];
  const end = departure + 24 * 60;
  return { arrival, worked: end - arrival - 60, dark: Math.min(end, 30 * 60) - Math.max(arrival, 22 * 60) - 60 };
}

function minutes(time: string): number {
  const [hour, minute] = time.split(":").map(Number) as [number, number];
  return hour * 60 + minute;
}

function clock(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

// history returns a file of the employee's weekdays from the first of last
// month to the late day.
function history(console: Console, late: string): string {
  const rows = ["employee_id,work_date,arrival,departure,device,place"];
  for (let day = `${monthBefore(inSeoul(0))}-01`; day <= late; day = dayAfter(day)) {
    if (!weekend(day)) rows.push(`${EMPLOYEE.employeeID},${day},${day === late ? "09:25" : "08:50"},18:10,pc,본사`);
  }
  const file = join(console.dataDir, "history.csv");
  writeFileSync(file, rows.join("\n"));
  return file;
}

// mayEdit registers a user who may edit the attendance of a department.
async function mayEdit(page: Page, base: string, employeeID: string, department: string): Promise<void> {
  const { data } = await ask(page, "GET", "/organizations/departments", undefined, base);
  const id = data.find((one: { name: string }) => one.name === department).id;
  const registration = { by: "person", user_ids: [(await ids(page, base)).get(employeeID)], departments: [{ id }], may_edit: true };
  await ask(page, "POST", "/policies/workingattitude/managers", registration, base);
}

type Clock = { event_id: string; user_id: number; kind: "in" | "out"; occurred_at: string; offline: true; platform: "pc" | "mobile" };

// ids returns the members' user ids by employee id.
async function ids(page: Page, base: string): Promise<Map<string, number>> {
  const { data } = await ask(page, "GET", "/organizations/users", undefined, base);
  return new Map(data.map((user: { id: number; employee_id: string }) => [user.employee_id, user.id]));
}

// clocked returns the events of a day in Seoul: every fifth member arrives
// late, every ninth has no departure and every twentieth is absent.
function clocked(day: string, ids: Map<string, number>): Clock[] {
  const event = (n: number, kind: "in" | "out", time: string): Clock => ({
    event_id: `${day}-${n}-${kind}`, user_id: ids.get(members[n]!.employeeID)!, kind,
    occurred_at: `${day}T${time}+09:00`, offline: true, platform: n % 2 ? "pc" : "mobile",
  });
  return members.flatMap((_, n) => {
    if (n % 20 === 19) return [];
    const arrival = event(n, "in", n % 5 === 0 ? `09:${10 + (n % 50)}:20` : `08:${20 + (n % 30)}:40`);
    return n % 9 === 8 ? [arrival] : [arrival, event(n, "out", `18:${10 + (n % 50)}:05`)];
  });
}

// inBatches returns the events out of order in batches: departures may be sent
// before arrivals, and the first events of a batch were in the previous batch
// too.
function inBatches(events: Clock[], size: number): Clock[][] {
  const mixed = events.map((_, i) => events[(i * 37) % events.length]!);
  const batches: Clock[][] = [];
  for (let i = 0; i < mixed.length; i += size) batches.push(mixed.slice(Math.max(0, i - 5), i + size));
  return batches;
}

async function push(request: APIRequestContext, base: string, company: number, token: string, events: Clock[]): Promise<{ event_id: string; status: string }[]> {
  const answer = await request.post(`${base}/api/v1/companies/${company}/events/clock`, { headers: { authorization: `Bearer ${token}` }, data: { events } });
  expect(answer.status()).toBe(202);
  return (await answer.json()).data;
}

// expectCounts compares the numbers above the list with the events.
async function expectCounts(page: Page, base: string, day: string, events: Clock[]): Promise<void> {
  const kinds = new Map<number, Clock[]>();
  for (const e of events) kinds.set(e.user_id, [...(kinds.get(e.user_id) ?? []), e]);
  const want: Record<string, number> = { 전체: kinds.size };
  for (const mine of kinds.values()) {
    const word = state(mine);
    want[word] = (want[word] ?? 0) + 1;
  }
  await page.goto(`${base}${DAY}?date=${day}`);
  const chips = await page.getByRole("navigation", { name: "상태별 보기" }).getByRole("link").allInnerTexts();
  expect(Object.fromEntries(chips.map((text) => text.trim().split(/\s+(?=\d+$)/)).map(([word, count]) => [word, Number(count)]))).toEqual(want);
}

function state(events: Clock[]): string {
  const arrival = events.find((e) => e.kind === "in");
  if (!arrival) return "출근 누락";
  if (events.length === 1) return "퇴근 누락";
  return arrival.occurred_at.slice(11) > "09:00" ? "지각" : "정상";
}

// closedWorkday returns the latest workday in Seoul that is over, its night
// included.
function closedWorkday(page: Page, base: string): Promise<string> {
  return workday(page, base, 2, 30);
}

// workday returns the latest workday in Seoul between two numbers of days ago.
async function workday(page: Page, base: string, from: number, to: number): Promise<string> {
  for (let back = from; back <= to; back++) {
    const day = inSeoul(back);
    await page.goto(`${base}${DAY}?date=${day}`);
    const holiday = (await page.locator(".day-head .badge").count()) > 0;
    if (!holiday && !weekend(day)) return day;
  }
  throw new Error(`Nobody had to work between ${from} and ${to} days ago.`);
}

function weekend(day: string): boolean {
  return [0, 6].includes(new Date(day).getUTCDay());
}

// monthBefore returns the month before that of a day.
function monthBefore(day: string): string {
  const first = new Date(`${day.slice(0, 7)}-01`);
  first.setUTCMonth(first.getUTCMonth() - 1);
  return first.toISOString().slice(0, 7);
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}
