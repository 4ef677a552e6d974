// An operator sets up a company: empty database, directory file, first
// administrator.
import { writeFileSync } from "node:fs";
import { Console } from "../console.ts";
import { expect, test } from "../fixtures.ts";
import { signInByForm } from "../people.ts";
import { texts } from "../texts.ts";

const PEOPLE = 8_000; // a test of the import takes in four times as many
const FIRST = "first.person@new.example";
const PASSWORD = "Morning*7412";

test("an operator imports a directory, corrects its bad rows and signs in", async ({ page }, info) => {
  test.setTimeout(180_000);
  // An empty external PostgreSQL if one is given, else the built-in one.
  const console = new Console(process.env["OFFICECONSOLE_TEST_DATABASE_URL"]);
  try {
    const file = info.outputPath("people.csv");
    const load = (...flags: string[]) => console.run(["import", "directory", ...flags, file]);
    expect((await console.run(["company", "create", "--name", "새회사", "--host", "new.example"])).code).toBe(0);

    const rows = directory();
    const bad = [...rows];
    bad[99] = bad[99]!.replace(/person100@new\.example/, "no address");
    bad[4_999] = bad[4_999]!.replace("새회사/", "다른회사/");
    bad[7_999] = bad[7_999]!.replace("person8000@", "person7999@");
    write(file, bad);
    const refused = await load();
    expect(refused.code).not.toBe(0);
    for (const line of [101, 5_001, 8_001]) expect(refused.stdout).toMatch(new RegExp(`^${line}\\s`, "m"));
    expect(refused.stdout.match(/^\d+\s/gm)).toHaveLength(3);
    expect(refused.stdout).toContain("refused 3");

    write(file, rows);
    expect((await load("--dry-run")).stdout).toMatch(/created 8,?000/);
    const created = await load();
    expect(created).toMatchObject({ code: 0 });
    expect(created.stdout).toMatch(/created 8,?000, updated 0, unchanged 0, refused 0/);
    const again = await load();
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toMatch(/created 0, updated 0, unchanged 8,?000, refused 0/);
    expect(again.stdout).toContain("New departments 0");

    expect((await console.run(["user", "grant-admin", FIRST])).code).toBe(0);
    expect((await console.run(["user", "set-password", FIRST], "short\n")).code).not.toBe(0);
    expect((await console.run(["user", "set-password", FIRST], `${PASSWORD}\n`)).code).toBe(0);

    await console.serve();
    await page.goto(`${console.url}/`);
    await signInByForm(page, "ko", FIRST, PASSWORD);
    await expect(page.getByRole("heading", { level: 1, name: texts.ko.policies })).toBeVisible();
    await expect(page.getByRole("rowheader")).toHaveCount(1);
    await page.getByRole("treeitem", { name: /^부문 3/ }).click();
    await expect(page).toHaveURL(/department_id=/);
  } finally {
    await console.stop();
  }
});

// The rows of an exported spreadsheet; row i is in line i + 2.
function directory(): string[] {
  return Array.from({ length: PEOPLE }, (_, i) => {
    const n = i + 1;
    const email = n === 1 ? FIRST : `person${n}@new.example`;
    const path = `새회사/부문 ${(n % 8) + 1}/팀 ${(n % 400) + 1}`;
    return `E${n},직원 ${n},${email},${path},${["사원", "대리", "과장"][n % 3]},팀원,02-0000-${String(n % 10_000).padStart(4, "0")},,,`;
  });
}

// Spreadsheet programs write a byte order mark and CRLF line ends.
function write(file: string, rows: string[]): void {
  const heading = "employee_id,name,email,department_path,position,role,company_phone,personal_phone,is_admin,bot";
  writeFileSync(file, `\ufeff${[heading, ...rows].join("\r\n")}\r\n`);
}
