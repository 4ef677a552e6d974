// Import of attendance from files, and export to files.
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { ADMINISTRATOR, createCompany, members } from "../company.ts";
import { Console } from "../console.ts";
import { expect, test } from "../fixtures.ts";
import { ADMIN, signIn } from "../people.ts";

const MONTH = "/logs/workingattitude/month";

test.describe.configure({ timeout: 180_000 }); // the tests create and start consoles

test("two wide spreadsheets are imported without their twelve bad cells, and the months have the expected totals", async ({ page }) => {
  const console = new Console();
  try {
    await createCompany(console);
    const sheets = spreadsheets();
    const arrivals = join(console.dataDir, "in.csv");
    const departures = join(console.dataDir, "out.csv");
    writeFileSync(arrivals, sheets.arrivals);
    writeFileSync(departures, sheets.departures);
    const load = (...flags: string[]) =>
      console.run(["import", "attendance", "--wide-arrivals", arrivals, "--wide-departures", departures, "--date-format", "%d/%m/%Y", ...flags]);

    const refused = await load();
    expect(refused.code).not.toBe(0);
    expect(refused.stdout).toContain(`${sheets.days} days of people: ${sheets.days - 12} created, 0 unchanged, 12 refused`);
    expect(refused.stdout.match(/^(in|out)\.csv +\d+ {2}/gm)).toHaveLength(12);
    for (const { line, told } of sheets.bad) expect(refused.stdout).toMatch(new RegExp(`^\\S+\\s+${line}\\s.*${told}`, "m"));
    expect(refused.stdout).toContain("Nothing was saved.");
    const skipped = await load("--skip-bad");
    expect(skipped).toMatchObject({ code: 2 }); // something was refused
    expect(skipped.stdout).toContain("Everything but the refused rows was imported.");
    expect((await load("--skip-bad")).stdout).toContain(`0 created, ${sheets.days - 12} unchanged, 12 refused`);

    await console.serve();
    await signIn(page, ADMINISTRATOR.email, console.url);
    for (const [month, people] of sheets.totals) {
      await page.goto(`${console.url}${MONTH}?month=${month}`);
      const { rows, sums } = await wholeMonth(page);
      for (const [name, want] of people) expect(rows.find((row) => row.name === name)).toMatchObject(want);
      expect(sums).toEqual([...people.values()].reduce(plus, none));
    }
  } finally {
    await console.stop();
  }
});

test("payroll exports the month of a division, and both files have the totals of the page", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(MONTH);
  await page.getByRole("link", { name: "이전 달" }).click();
  await expect(page).toHaveURL(/month=/);
  await page.getByRole("combobox", { name: "부서" }).selectOption({ label: "디자인실" });
  await expect(page).toHaveURL(/department_id=/);
  const files = { csv: await download(page, "CSV 파일"), xlsx: await download(page, "Excel 파일(XLSX)") };
  const { rows, sums } = await wholeMonth(page);
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.map((row) => row.department)).toEqual(expect.arrayContaining(["디자인실", "UX디자인팀", "브랜드디자인팀"]));

  expect(files.csv.subarray(0, 3)).toEqual(Buffer.from("\ufeff"));
  for (const table of [fromCSV(files.csv), fromWorkbook(files.xlsx)]) {
    const exported = table.slice(1).map((row) => Object.fromEntries(table[0]!.map((head, i) => [head, row[i] ?? ""])));
    expect(exported.map((row) => [row["이름"], row["부서"]!.split("/").at(-1)])).toEqual(rows.map((row) => [row.name, row.department]));
    expect(exported.map(exportedTotals).reduce(plus, none)).toEqual(sums);
  }

  await page.getByRole("link", { name: "전체 합계 보기" }).click();
  const everybody = page.getByRole("region", { name: `전체 ${rows.length}명 합계` });
  await expect(everybody).toBeVisible();
  const figures = await everybody.locator("dl > div").evaluateAll((all) => all.map((one) => [...one.children].map((part) => part.textContent!)));
  const of = (name: string) => amount(figures.find(([title]) => title === name)![1]!);
  expect({ days: of("출근일"), worked: of("근무시간"), late: of("지각"), absent: of("결근"), missing: of("퇴근 누락"), overtime: of("연장") }).toEqual(sums);

  await page.getByRole("columnheader", { name: "근무시간", exact: true }).getByRole("link").click();
  await expect(page).toHaveURL(/sort=-worked/);
  const longest = rows.map((row) => row.worked).sort((a, b) => b - a);
  expect((await wholeMonth(page)).rows.map((row) => row.worked)).toEqual(longest);
});

type Totals = { days: number; worked: number; late: number; absent: number; missing: number; overtime: number };

const none: Totals = { days: 0, worked: 0, late: 0, absent: 0, missing: 0, overtime: 0 };

function plus(a: Totals, b: Totals): Totals {
  return {
    days: a.days + b.days, worked: a.worked + b.worked, late: a.late + b.late,
    absent: a.absent + b.absent, missing: a.missing + b.missing, overtime: a.overtime + b.overtime,
  };
}

// wholeMonth reads every page of the month: its rows, and the totals below
// them.
async function wholeMonth(page: Page): Promise<{ rows: (Totals & { name: string; department: string })[]; sums: Totals }> {
  const rows: (Totals & { name: string; department: string })[] = [];
  let sums = none;
  for (;;) {
    const [foot] = await cellsOf(page, "tfoot");
    sums = plus(sums, shownTotals(foot!.slice(1)));
    for (const [head, , ...cells] of await cellsOf(page, "tbody")) {
      const [name, department] = head!.split("\n") as [string, string];
      rows.push({ name, department, ...shownTotals(cells) });
    }
    const next = page.getByRole("link", { name: "다음", exact: true });
    if ((await next.count()) === 0) return { rows, sums };
    await page.goto(new URL((await next.getAttribute("href"))!, page.url()).href);
  }
}

function cellsOf(page: Page, part: string): Promise<string[][]> {
  return page.locator(`.month-table ${part} tr`).evaluateAll((rows) =>
    rows.map((row) => [...(row as HTMLTableRowElement).cells].map((cell) => [...cell.querySelectorAll("a, small")].map((one) => one.textContent).join("\n") || cell.innerText)),
  );
}

function shownTotals(cells: string[]): Totals {
  const [days, worked, late, absent, missing, overtime] = cells.map((cell) => amount(cell === "–" ? "0" : cell)) as [number, number, number, number, number, number];
  return { days, worked, late, absent, missing, overtime };
}

function exportedTotals(row: Record<string, string>): Totals {
  const of = (column: string) => amount(row[column]!);
  return { days: of("출근 일수"), worked: of("근무시간"), late: of("지각"), absent: of("결근"), missing: of("퇴근 누락"), overtime: of("연장") };
}

// amount returns the number of "1,234" or "15일", or the minutes of "8:05".
function amount(text: string): number {
  const [whole, minutes] = text.replace(/[^\d:]/g, "").split(":").map(Number) as [number, number?];
  return minutes === undefined ? whole : whole * 60 + minutes;
}

async function download(page: Page, format: string): Promise<Buffer> {
  await page.getByRole("button", { name: "내보내기" }).click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: format }).click()]);
  await page.keyboard.press("Escape");
  return readFile(await file.path());
}

// fromCSV reads a file without quoted cells.
function fromCSV(file: Buffer): string[][] {
  return file.toString("utf8").slice(1).trim().split("\r\n").map((line) => line.split(","));
}

// fromWorkbook reads the sheet of a workbook. Durations are fractions of a day.
function fromWorkbook(file: Buffer): string[][] {
  const sheet = unzipped(file, "xl/worksheets/sheet1.xml").toString("utf8");
  return [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row]) => {
    const cells: string[] = [];
    for (const [, column, attributes, content] of row!.matchAll(/<c r="([A-Z]+)\d+"([^>]*)>(.*?)<\/c>/gs)) {
      const value = content!.replace(/<[^>]*>/g, "");
      const place = [...column!].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      cells[place] = attributes!.includes(' s="2"') ? `0:${Math.round(Number(value) * 24 * 60)}` : value;
    }
    return cells;
  });
}

// unzipped returns a file by the directory at the end of a zip archive.
function unzipped(archive: Buffer, name: string): Buffer {
  const end = archive.lastIndexOf("PK\x05\x06", undefined, "latin1");
  for (let at = archive.readUInt32LE(end + 16); at < end; ) {
    const [length, extra, comment] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field)) as [number, number, number];
    if (archive.toString("utf8", at + 46, at + 46 + length) === name) {
      const local = archive.readUInt32LE(at + 42);
      const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      return inflateRawSync(archive.subarray(begin, begin + archive.readUInt32LE(at + 20)));
    }
    at += 46 + length + extra + comment;
  }
  throw new Error(`no ${name}`);
}

const HOLIDAYS = ["2025-03-03", "2025-05-05", "2025-05-06"];
const NOBODY = "X999";

// spreadsheets returns three months of forty people as a clock terminal exports
// them, with their errors by line, and the expected totals by month and name.
function spreadsheets() {
  const people = members.slice(0, 40);
  const dates = Array.from({ length: 92 }, (_, i) => new Date(Date.UTC(2025, 2, 1 + i)).toISOString().slice(0, 10));
  const totals = new Map<string, Map<string, Totals>>();
  const bad = [{ line: people.length + 2, told: NOBODY }];
  const heading = ["", ...dates.map((date) => date.split("-").reverse().join("/"))];
  const sheets = { in: [heading], out: [heading] };
  for (const [i, { employeeID, name }] of people.entries()) {
    const rows = { in: [employeeID], out: [employeeID] };
    const regular = new Map<number, number>(); // minutes by week, without overtime
    for (const [k, date] of dates.entries()) {
      const cells = invalidDay(i, date);
      if (cells) bad.push({ line: i + 2, told: `(${date}|${date.split("-").reverse().join("/")})` }); // a day, or its column
      const { arrival, departure } = cells ?? day(i, k, date);
      rows.in.push(arrival);
      rows.out.push(departure);
      const month = totals.get(date.slice(0, 7)) ?? new Map<string, Totals>();
      totals.set(date.slice(0, 7), month.set(name, plus(month.get(name) ?? none, cells ? none : totalsOf(date, arrival, departure, regular))));
    }
    sheets.in.push(rows.in);
    sheets.out.push(rows.out);
  }
  const unknown = [NOBODY, ...dates.map(() => "NA")];
  const text = (rows: string[][]) => [...rows, unknown, []].map((row) => row.join(",")).join("\r\n");
  // The unknown person is refused in both files.
  return { arrivals: text(sheets.in), departures: text(sheets.out), bad, totals, days: people.length * dates.length + 2 };
}

type Cells = { arrival: string; departure: string };

// invalidDay returns the invalid cells of some days: a time in words, a
// departure before the arrival, and one more than a day after it.
function invalidDay(person: number, date: string): Cells | undefined {
  const arrival = `${date} 08:50:00`;
  if (date === "2025-03-04" && [3, 8, 13, 18, 23].includes(person)) return { arrival: "여덟 시 반", departure: `${date} 18:05:00` };
  if (date === "2025-04-01" && [28, 33, 38].includes(person)) return { arrival, departure: `${date} 08:10:00` };
  if (date === "2025-05-07" && [5, 10].includes(person)) return { arrival, departure: "2025-05-08 23:30:00" };
  return undefined;
}

function day(i: number, k: number, date: string): Cells {
  const at = (time: string) => `${date} ${time}`;
  const two = (n: number) => String(n).padStart(2, "0");
  const saturday = new Date(date).getUTCDay() === 6;
  if (rest(date)) return i === 7 && saturday ? { arrival: at("10:00:30"), departure: at("13:30:10") } : { arrival: "NA", departure: "NA" };
  if ((i * 7 + k) % 31 === 0) return { arrival: "NA", departure: "" };
  const arrival = at(`08:${two(30 + ((i + k) % 30))}:10`);
  if ((i * 5 + k) % 41 === 0) return { arrival, departure: "NA" };
  const departure = at(`18:${two((i * k) % 60)}:50`);
  return { arrival: (i * 3 + k) % 17 === 0 ? at(`09:${two(5 + (i % 50))}:00`) : arrival, departure };
}

function rest(date: string): boolean {
  return [0, 6].includes(new Date(date).getUTCDay()) || HOLIDAYS.includes(date);
}

// totalsOf returns the totals of a day by the default policy: from 09:00, eight
// hours and a break at noon. Overtime is what exceeds eight hours of the day or
// forty of the week; Saturdays are days off.
function totalsOf(date: string, arrival: string, departure: string, regular: Map<number, number>): Totals {
  const [from, to] = [arrival, departure].map((cell) => (cell.includes(":") ? amount(cell.slice(11, 16)) : undefined));
  if (from === undefined) return { ...none, absent: rest(date) ? 0 : 1 };
  if (to === undefined) return { ...none, days: 1, missing: 1 };
  const worked = to - from - 60;
  const ofDay = Math.max(0, worked - 8 * 60);
  const week = Math.floor((Date.parse(date) / 86_400_000 + 3) / 7); // begins on Monday
  const before = regular.get(week) ?? 0;
  const after = before + worked - ofDay;
  regular.set(week, after);
  const ofWeek = Math.max(0, after - 40 * 60) - Math.max(0, before - 40 * 60);
  return { ...none, days: 1, worked, late: !rest(date) && from > 9 * 60 ? 1 : 0, overtime: ofDay + ofWeek };
}
