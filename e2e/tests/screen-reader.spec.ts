// What a screen reader says on the way through the main journeys, see
// docs/accessibility.md: names and roles, what has the focus, and what is announced.
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../own.ts";
import { ADMIN, EMPLOYEE, PASSWORD, signIn } from "../people.ts";
import { texts } from "../texts.ts";

const LIST = "/policies/communication/management";
const say = texts.ko;

test.describe.configure({ mode: "default", timeout: 60_000 });

test("signing in and reading one's own month", async ({ page }) => {
  await page.goto("/login");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "${say.signInTitle}" [level=1]
      - textbox "${say.email}"
      - textbox "${say.password}"
      - button "${say.signIn}"`);
  await page.getByLabel(say.email, { exact: true }).fill(EMPLOYEE);
  await page.getByLabel(say.password, { exact: true }).fill("wrong");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText(say.refused);
  await page.getByLabel(say.password, { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: say.day })).toBeVisible();
  await announced(page);

  await page.getByRole("navigation").getByRole("link", { name: "월별 근태", exact: true }).press("Enter");
  await expect(page).toHaveURL(/month/);
  await arrives(page, "내 월간 근무");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - heading "내 월간 근무" [level=1]
    - region /\\d+년 \\d+월/:
      - table /\\d+년 \\d+월/:
        - rowgroup:
          - row:
            - columnheader "월"`);
});

test("creating a policy with targets, then disabling it and taking that back", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(LIST);
  await page.getByRole("link", { name: say.createPolicy }).press("Enter");
  await expect(page).toHaveTitle(/정책 만들기/);
  await page.getByRole("button", { name: say.save, exact: true }).press("Enter");
  const summary = page.getByRole("alert").first();
  await expect(summary).toBeFocused();
  await expect(summary).toContainText(say.nameRequired);
  await expect(page.getByLabel(say.policyName)).toHaveAccessibleDescription(new RegExp(say.nameRequired));
  await page.getByLabel(say.policyName).fill("들리는 정책");

  await page.getByRole("button", { name: say.chooseTargets }).press("Enter");
  const chooser = page.getByRole("dialog", { name: say.targetsTitle });
  await expect(chooser.getByRole("searchbox", { name: say.findDepartment })).toBeFocused();
  await chooser.getByRole("searchbox", { name: say.findDepartment }).fill("상담2팀");
  await expect(chooser.getByRole("status").first()).toHaveText(/1/);
  const department = chooser.getByRole("treeitem", { name: "상담2팀" });
  await expect(department).toHaveAttribute("aria-checked", "false");
  await department.click();
  await expect(department).toHaveAttribute("aria-checked", "true");
  await chooser.getByRole("button", { name: say.choose(1) }).press("Enter");
  await expect(page.getByRole("button", { name: say.chooseTargets })).toBeFocused();
  await expect(page.getByRole("list", { name: say.targets })).toMatchAriaSnapshot(`
    - list "${say.targets}":
      - listitem:
        - button "${say.removeChoice("상담2팀")}"`);

  await page.getByRole("button", { name: say.save, exact: true }).press("Enter");
  const question = page.getByRole("dialog", { name: "들리는 정책" });
  await expect(question.locator(":focus")).toHaveCount(1);
  await question.getByRole("button", { name: say.createAsIs }).press("Enter");
  await expect(page.getByRole("status").locator(".toast")).toBeVisible();
  await announced(page);

  const toggle = page.getByRole("button", { name: "들리는 정책 사용", exact: true });
  await toggle.press(" ");
  await page.getByRole("dialog", { name: "들리는 정책" }).getByRole("button", { name: say.disable, exact: true }).press("Enter");
  await expect(toggle).toHaveAttribute("aria-pressed", "false");
  await announced(page);
  await page.getByRole("status").getByRole("button", { name: say.undo, exact: true }).press("Enter");
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  await announced(page);
});

test("reading and correcting a record from the desk", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto("/logs/workingattitude/day");
  await page.getByRole("link", { name: "지난 31일까지 보기" }).press("Enter");
  await expect(page.getByRole("link", { name: "지난 7일만 보기" })).toBeVisible();
  const opener = page.locator("[data-desk] tr[data-key]").getByRole("link").first();
  const name = (await opener.innerText()).trim().split(/\s/)[0]!;
  await page.locator("[data-desk-ready]").waitFor();
  await expect(opener).toHaveAttribute("aria-expanded", "false");
  await opener.press("Enter");
  await expect(opener).toBeFocused();
  await expect(opener).toHaveAttribute("aria-expanded", "true");
  const evidence = page.getByRole("complementary", { name });
  await expect(evidence.getByRole("heading", { level: 2 })).toContainText(name);
  await evidence.getByRole("link", { name: "기록 전체 열기" }).press("Enter");
  const record = page.getByRole("dialog", { name: new RegExp(name) });
  await expect(record).toBeVisible();
  await expect(record.locator(":focus").or(record.and(page.locator(":focus")))).toHaveCount(1);
  await record.getByRole("link", { name: "기록 수정" }).press("Enter");
  await expect(record.getByLabel("출근", { exact: true })).toBeFocused();
  await record.getByRole("button", { name: "저장" }).press("Enter");
  const reason = record.getByLabel("사유");
  await expect(reason).toBeFocused();
  await expect(reason).toHaveAccessibleDescription(/사유를 입력해 주세요/);
  await record.getByLabel("출근", { exact: true }).fill("08:45");
  await reason.fill("출입 기록 확인");
  await record.getByRole("button", { name: "저장" }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "기록을 수정했습니다" })).toBeVisible();
  await announced(page);
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
});

test("publishing a notice", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto("/manage/notice");
  await page.getByRole("link", { name: say.writeNotice }).first().press("Enter");
  await page.locator("form[data-notice-ready]").waitFor();
  const title = page.getByLabel(say.noticeTitle, { exact: true });
  await expect(title).toHaveRole("textbox");
  await title.fill("들리는 공지");
  await page.locator("#body").fill("본문");
  await expect(page.locator("#body")).toHaveAccessibleName(/내용|본문/);
  await page.getByRole("button", { name: say.registerNow, exact: true }).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: /공지/ }).first()).toBeVisible();
  await announced(page);
});

// arrives checks that a followed link says where it has led: by the title of the window,
// and by the name of what has the focus.
async function arrives(page: Page, heading: string): Promise<void> {
  await expect(page).toHaveTitle(new RegExp(heading));
  const main: Locator = page.getByRole("main", { name: heading });
  await expect(main).toBeFocused();
}

// announced checks that a message is said once: it is in one live region only.
async function announced(page: Page): Promise<void> {
  const twice = await page.evaluate(() => document.querySelectorAll(":is([role=status], [role=alert], [aria-live]) :is([role=status], [role=alert], [aria-live]:not([aria-live=off]))").length);
  expect(twice).toBe(0);
}
