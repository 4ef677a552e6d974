// A small company with a console of its own, for tests with their own
// attendance: it has no clock events.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Console } from "./console.ts";
import { PASSWORD } from "./people.ts";

export type Member = { employeeID: string; name: string; email: string; team: string };

const TEAMS = ["영업본부/영업1팀", "영업본부/영업2팀", "관리본부/총무팀", "관리본부/회계팀"];
const FAMILY = ["김", "이", "박", "최", "정", "강", "조", "윤", "장", "임"];
const GIVEN = ["가람", "나래", "도현", "라희", "민서", "서준"];

// members are the sixty people of the company, all with different names.
export const members: Member[] = FAMILY.flatMap((family, i) =>
  GIVEN.map((given, j) => {
    const n = String(i * GIVEN.length + j + 1).padStart(3, "0");
    return { employeeID: `S${n}`, name: family + given, email: `s${n}@saebit.example`, team: TEAMS[j % TEAMS.length]! };
  }),
);

// ADMINISTRATOR, EMPLOYEE and MANAGER can sign in with PASSWORD; the last two
// are in the same team.
export const [EMPLOYEE, , ADMINISTRATOR, , MANAGER] = members as [Member, Member, Member, Member, Member];

// createCompany creates the company. The console must not be serving yet.
export async function createCompany(console: Console): Promise<void> {
  await must(console, ["company", "create", "--name", "새빛상사", "--host", "saebit.example"]);
  const file = join(console.dataDir, "people.csv");
  const rows = members.map((m) => [m.employeeID, m.name, m.email, `새빛상사/${m.team}`, m === ADMINISTRATOR].join(","));
  writeFileSync(file, ["employee_id,name,email,department_path,is_admin", ...rows, ""].join("\n"));
  await must(console, ["import", "directory", file]);
  for (const { email } of [ADMINISTRATOR, EMPLOYEE, MANAGER]) await must(console, ["user", "set-password", email], `${PASSWORD}\n`);
}

// must runs a command that has to succeed and returns its output.
export async function must(console: Console, args: string[], input = ""): Promise<string> {
  const { code, stdout, stderr } = await console.run(args, input);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}
