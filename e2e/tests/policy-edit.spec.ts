// A policy from draft to effect, and back.
import type { Browser, Locator, Page } from "@playwright/test";
import { beyondNarrowest, violations } from "../accessible.ts";
import { inSeoul, shiftClock } from "../clock.ts";
import { elapse } from "../elapse.ts";
import { expect, test } from "../own.ts";
import { ADMIN, ask, PASSWORD, signIn, signInByForm, VIEWER } from "../people.ts";
import { texts } from "../texts.ts";

const LIST = "/policies/communication/management";
const CREATE = "/policies/communication";
const HERE = "127.0.0.1";
const say = texts.ko;

test.describe.configure({ mode: "default", timeout: 60_000 });

test("an address rule is drafted, checked, corrected and planned", async ({ page }) => {
  await signIn(page, ADMIN);
  const members = (await peopleOf(page, "마케팅팀")) + (await peopleOf(page, "기술영업팀"));
  await page.goto(LIST);
  await page.getByRole("link", { name: say.createPolicy }).click();
  await page.getByLabel(say.policyName).fill("영업본부 사내망");
  const dialog = await chooser(page);
  for (const department of ["마케팅팀", "기술영업팀"]) {
    await dialog.getByRole("searchbox", { name: say.findDepartment }).fill(department);
    await dialog.getByRole("treeitem", { name: department }).click();
  }
  await dialog.getByRole("tab", { name: say.people }).click();
  await dialog.getByRole("searchbox", { name: say.findPeople }).fill(ADMIN);
  await dialog.getByRole("checkbox", { name: /^김서연/ }).check();
  await dialog.getByRole("button", { name: say.choose(3) }).click();
  await expect(page.getByRole("list", { name: say.targets }).getByRole("listitem")).toHaveCount(3);

  await page.getByRole("radio", { name: say.listedOnly }).first().check();
  const ranges = page.getByRole("group", { name: say.ranges, exact: true });
  await ranges.getByRole("button", { name: say.pasteLines }).click();
  await ranges.getByRole("textbox", { name: say.pasteLines }).fill(MAIL);
  await ranges.getByRole("button", { name: say.addLines }).click();
  await expect(ranges.getByRole("row")).toHaveCount(1 + 4);
  await expect(ranges).toContainText(say.addressMissing(HERE));

  await page.getByRole("button", { name: say.save, exact: true }).click();
  const question = page.getByRole("dialog", { name: say.createIt("영업본부 사내망") });
  await expect(question).toContainText(say.affected(members + 1));
  await expect(question.getByRole("checkbox", { name: say.lockOutConfirm })).toBeVisible();
  await question.getByRole("button", { name: say.keepEditing }).click();
  await expect(question).toBeHidden();

  await expect(ranges.getByRole("row")).toHaveCount(1 + 4);
  await ranges.getByRole("button", { name: say.addRange }).click();
  await ranges.getByRole("textbox", { name: say.inRow(5, say.location) }).fill("지금 이 자리");
  await ranges.getByRole("textbox", { name: say.inRow(5, say.range) }).fill(HERE);
  await expect(ranges).toContainText(say.addressListed(HERE, "지금 이 자리"));
  await page.getByLabel(say.takesEffect, { exact: true }).selectOption({ label: say.dateAndTime });
  await page.getByLabel(say.dateAndTimeIn("Asia/Seoul")).fill(`${nextMonday()}T09:00`);
  await page.getByRole("button", { name: say.save, exact: true }).click();
  await expect(question).toContainText("09:00");
  await expect(question).toContainText(say.affected(members + 1));
  await expect(question.getByRole("checkbox", { name: say.lockOutConfirm })).toHaveCount(0);
  await question.getByRole("button", { name: say.createPolicy }).click();

  await expect(page).toHaveURL(LIST);
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "영업본부 사내망", exact: true }) });
  const [, month, day] = nextMonday().split("-");
  await expect(row.locator("td .badge").filter({ has: page.locator("svg") })).toHaveText(`${month}/${day} 09:00`);
});

test("a target moves from another policy when that is confirmed, and until then the focus returns to the form", async ({ page }) => {
  await signIn(page, ADMIN);
  const held = await create(page, { name: "먼저 있던 정책", targets: [await person(page, VIEWER)], move: true });
  await page.goto(CREATE);
  await page.getByLabel(say.policyName).fill("나중 정책");
  const dialog = await chooser(page);
  await dialog.getByRole("tab", { name: say.people }).click();
  await dialog.getByRole("searchbox", { name: say.findPeople }).fill(VIEWER);
  await dialog.getByRole("checkbox", { name: /^최유진/ }).check();
  await dialog.getByRole("button", { name: say.choose(1) }).click();
  const save = page.getByRole("button", { name: say.save, exact: true });
  await save.press("Enter");
  const question = page.getByRole("dialog", { name: "나중 정책" });
  await expect(question).toContainText("먼저 있던 정책");
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(save).toBeFocused();
  await save.press("Enter");
  await question.getByRole("button").last().press("Enter");
  await expect(page).toHaveURL(LIST);
  expect((await ask(page, "GET", `/policies/communication/${held}`)).targets).toEqual([]);
});

test("a department can be clicked while the tree still scrolls", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 }); // not all departments fit
  await signIn(page, ADMIN);
  await page.goto(CREATE);
  const tree = (await chooser(page)).locator('[role="tree"] > [role="group"]');
  await tree.getByRole("treeitem").first().waitFor();
  const clicked = await tree.evaluate(async (group) => {
    const scrolled = new Promise((resolve) => group.addEventListener("scroll", resolve, { once: true }));
    group.scrollTop = 84;
    await scrolled;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const { left, top, width, height } = group.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest("[role=treeitem]")?.textContent ?? null;
  });
  expect(clicked).not.toBeNull();
});

test("people exempt from the address rule are selected by name, and stay selected when the form is refused", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(CREATE);
  await page.getByRole("radio", { name: say.listedOnly }).first().check();
  const exempt = page.getByRole("group", { name: say.exempt, exact: true });
  await exempt.getByRole("button").click();
  const dialog = page.getByRole("dialog", { name: say.exempt });
  for (const [email, name] of [[ADMIN, "김서연"], [VIEWER, "최유진"]] as const) {
    await dialog.getByRole("searchbox").fill(email);
    await dialog.getByRole("checkbox", { name: new RegExp(`^${name}`) }).check();
  }
  await dialog.getByRole("button", { name: say.applyPeople(2) }).click();
  await expect(exempt.getByRole("listitem")).toHaveText([/김서연/, /최유진/]);

  await page.getByRole("button", { name: say.save, exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: say.nameRequired }).first()).toBeVisible();
  await expect(exempt.getByRole("listitem")).toHaveText([/김서연/, /최유진/]);
  await exempt.getByRole("button", { name: say.removeChoice("김서연") }).click();

  await page.getByLabel(say.policyName).fill("예외 한 사람");
  const ranges = page.getByRole("group", { name: say.ranges, exact: true });
  await ranges.getByRole("button", { name: say.addRange }).click();
  await ranges.getByRole("textbox", { name: say.inRow(1, say.range) }).fill("203.0.113.300");
  await ranges.getByRole("textbox", { name: say.inRow(1, say.location) }).fill("본사");
  await page.getByRole("button", { name: say.save, exact: true }).click();
  await expect(ranges.getByRole("textbox", { name: say.inRow(1, say.range) })).toHaveAttribute("aria-invalid", "true");
  await page.getByRole("alert").getByRole("link", { name: new RegExp(say.range) }).click();
  await expect(ranges.getByRole("textbox", { name: say.inRow(1, say.range) })).toBeFocused();
  await ranges.getByRole("textbox", { name: say.inRow(1, say.range) }).fill("203.0.113.*");
  await page.getByRole("button", { name: say.save, exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: say.createAsIs }).click();
  await expect(page).toHaveURL(LIST);
  await page.getByRole("link", { name: "예외 한 사람", exact: true }).click();
  await expect(exempt.getByRole("listitem")).toHaveText([/최유진/]);
});

test("of two administrators who edit a policy at once, the second sees what the first has saved", async ({ page, browser, own }) => {
  await signIn(page, ADMIN);
  const id = await create(page, { name: "함께 고치는 정책", targets: [await department(page, "부산기술팀")], settings: { file_max_mb: 100 } });
  await page.goto(`/policies/communication/${id}`);
  await page.getByLabel(say.sessionTime).fill("45");

  const colleague = await otherBrowser(browser, own.url, VIEWER);
  await colleague.goto(`/policies/communication/${id}`);
  await colleague.getByLabel(say.fileSize).fill("250");
  await colleague.getByRole("button", { name: say.save, exact: true }).click();
  await colleague.getByRole("dialog", { name: say.applyIt("함께 고치는 정책") }).getByRole("button", { name: say.apply, exact: true }).click();
  await expect(colleague.getByRole("status").filter({ hasText: say.applied })).toBeVisible();
  await colleague.context().close();

  await page.getByRole("button", { name: say.save, exact: true }).click();
  const theirs = page.getByRole("alert").filter({ hasText: say.savedFirst("최유진") });
  await expect(theirs).toBeFocused();
  await expect(theirs.locator("del")).toHaveText("100MB");
  await expect(theirs.locator("ins")).toHaveText("250MB");
  await expect(page.getByLabel(say.sessionTime)).toHaveValue("45");
  expect(await settingsOf(page, id)).toMatchObject({ file_max_mb: 250, session_time_sec: 3600 });

  await theirs.getByRole("button", { name: say.putOnTop }).click();
  const question = page.getByRole("dialog", { name: say.applyIt("함께 고치는 정책") });
  await expect(question.locator("ins")).toHaveText("45분");
  await question.getByRole("button", { name: say.apply, exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: say.applied })).toBeVisible();
  expect(await settingsOf(page, id)).toMatchObject({ file_max_mb: 250, session_time_sec: 2700 });
});

test("deleting a policy shows which policies apply afterwards, and restoring it brings back the targets that are still free", async ({ page, browser, own }) => {
  await signIn(page, ADMIN);
  const kept = await department(page, "사업전략팀");
  const given = await department(page, "홍보팀");
  const id = await create(page, { name: "전략기획 기준", targets: [kept, given] });
  await page.goto(LIST);
  await page.getByRole("button", { name: say.moreFor("전략기획 기준") }).click();
  await page.getByRole("link", { name: say.delete, exact: true }).and(page.locator(":popover-open a")).click();
  const question = page.getByRole("dialog", { name: say.deleteIt("전략기획 기준") });
  for (const name of ["사업전략팀", "홍보팀"]) {
    await expect(question.getByRole("row").filter({ hasText: name })).toContainText("기본 정책");
  }
  await question.getByRole("button", { name: say.deletePolicy }).click();
  const undo = page.getByRole("button", { name: say.undo });
  await undo.focus(); // a focused toast stays

  const beside = await otherBrowser(browser, own.url, ADMIN);
  await expect.poll(() => policyOf(beside, "사업전략팀")).toBe("기본 정책");
  expect((await beside.goto(`/policies/communication/${id}`))?.status()).toBe(404);
  await create(beside, { name: "홍보팀 새 기준", targets: [given] });
  await beside.context().close();

  await undo.click();
  await expect(page.getByRole("status").filter({ hasText: say.broughtBack("전략기획 기준") })).toContainText("홍보팀");
  await page.getByRole("link", { name: "전략기획 기준", exact: true }).click();
  await expect(page.getByRole("list", { name: say.targets }).getByRole("listitem")).toHaveText([/사업전략팀/]);
  expect(await policyOf(page, "사업전략팀")).toBe("전략기획 기준");
  expect(await policyOf(page, "홍보팀")).toBe("홍보팀 새 기준");
});

test("the save bar counts whom saving affects, and nothing waits for it", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto("/policies/communication/1");
  const count = page.locator("[data-reach] button[popovertarget]");
  await expect(count).toBeHidden();
  await page.locator("[name='file_save.mobile'][value=view_only]").check({ force: true });
  await expect(count).toHaveText(/\d+명 ·\s+\d+명 저장 불가/);
  await count.click();
  const map = page.getByRole("dialog", { name: "저장하면 바뀌는 사람" });
  await expect(map.getByRole("img", { name: /부서별 적용 범위/ })).toBeVisible();
  const people = (await count.innerText()).match(/\d+/)![0];
  await expect(map.locator("dd").first()).toHaveText(`${people}명`);
  // Editing goes on while the popover is open, and only the newest answer is shown.
  let held: (() => void) | undefined;
  const waiting = new Promise<void>((done) => (held = done));
  let first = true;
  await page.route("**/reach", async (route) => {
    if (first) (first = false), await waiting;
    await route.continue().catch(() => undefined); // the page does not want the first answer any more
  });
  await page.locator("[name='file_save.mobile'][value=allow]").dispatchEvent("click"); // it is under the popover
  await expect.poll(() => first).toBe(false);
  await page.locator("[name='file_save.pc'][value=block]").dispatchEvent("click");
  held!();
  await expect(count).toHaveText(/\d+명 ·\s+\d+명 저장 불가/);
  await expect(map.getByRole("img", { name: /부서별 적용 범위/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(map).toBeHidden();
  await page.unroute("**/reach");
  // A count that fails says so and can be repeated; saving does not need it.
  await page.route("**/reach", (route) => route.abort());
  await page.locator("[name='file_save.web'][value=block]").check({ force: true });
  const again = page.getByRole("button", { name: "계산하지 못했습니다 · 다시" });
  await expect(again).toBeVisible();
  await page.unroute("**/reach");
  await again.click();
  await expect(count).toBeVisible();
  await page.getByRole("button", { name: say.save, exact: true }).click();
  await expect(page.getByRole("dialog", { name: say.applyIt("기본 정책") })).toContainText("저장 불가");
});

test("a risky address rule that nobody confirms reverts after five minutes", async ({ page, browser, own }) => {
  await signIn(page, VIEWER);
  const rule = { allowed_ip_mode: "listed", allowed_ip_ranges: [{ location_name: "다른 곳", range: "203.0.113.0/24" }] };
  const id = await create(page, { name: "막힌 주소", enabled: false, targets: [await person(page, VIEWER)], settings: rule, move: true });
  await page.goto(`/policies/communication/${id}`);
  await page.getByRole("switch", { name: say.enabled, exact: true }).check();
  await page.getByRole("button", { name: say.save, exact: true }).click();
  const question = page.getByRole("dialog", { name: say.applyIt("막힌 주소") });
  await question.getByRole("button", { name: say.apply, exact: true }).click();
  await expect(question.getByRole("alert").filter({ hasText: say.lockOut })).toBeVisible();
  await question.getByRole("checkbox", { name: say.lockOutConfirm }).check();
  await question.getByRole("button", { name: say.apply, exact: true }).click();
  // The rule signs out whom it does not let in, and this page too.
  await expect(page.getByRole("dialog", { name: say.ended })).toBeVisible();

  const locked = await (await shiftClock(await browser.newContext({ baseURL: own.url, locale: "ko-KR" }))).newPage();
  await locked.goto("/login");
  await signInByForm(locked, "ko", VIEWER, PASSWORD);
  await expect(locked.getByRole("alert")).toContainText(say.addressRefused);

  await elapse(own, 5);
  await locked.getByLabel(say.password, { exact: true }).fill(PASSWORD);
  await locked.getByRole("button", { name: say.signIn, exact: true }).click();
  await expect(locked).toHaveURL(LIST);
  await locked.goto(`/policies/communication/${id}`);
  await expect(locked.getByRole("switch", { name: say.enabled, exact: true })).not.toBeChecked();
  await expect(locked.getByRole("button", { name: say.confirmChange })).toHaveCount(0);
  await locked.context().close();
});

test("a risky address rule that is confirmed from a new page stays in force", async ({ page, own }) => {
  await signIn(page, ADMIN);
  const id = await create(page, { name: "웹 없는 기준", enabled: false, targets: [await person(page, VIEWER)], settings: { login_platforms: ["pc"] }, move: true });
  await page.goto(`/policies/communication/${id}`);
  await page.getByRole("switch", { name: say.enabled, exact: true }).check();
  await page.getByRole("button", { name: say.save, exact: true }).click();
  const question = page.getByRole("dialog", { name: say.applyIt("웹 없는 기준") });
  await expect(question).toContainText("최유진");
  await question.getByRole("checkbox", { name: say.lockOutConfirm }).check();
  await question.getByRole("button", { name: say.apply, exact: true }).click();
  await page.getByRole("button", { name: say.confirmChange }).click();
  await expect(page.getByRole("status").filter({ hasText: say.changeConfirmed })).toBeVisible();
  await elapse(own, 5);
  await page.reload();
  await expect(page.getByRole("switch", { name: say.enabled, exact: true })).toBeChecked();
});

test("several policies are enabled together, and all that may lock somebody out are confirmed at once", async ({ page, own }) => {
  await signIn(page, ADMIN);
  await create(page, { name: "웹 없는 또 다른 기준", enabled: false, targets: [await person(page, VIEWER)], settings: { login_platforms: ["pc"] }, move: true });
  await create(page, { name: "웹 없는 셋째 기준", enabled: false, targets: [await departmentOf(page, VIEWER)], settings: { login_platforms: ["pc"] }, move: true });
  await page.goto(LIST);
  for (const name of ["웹 없는 또 다른 기준", "웹 없는 셋째 기준", "감사 대응 정책"]) await page.getByRole("checkbox", { name: say.pick(name), exact: true }).check();
  await page.getByRole("form", { name: say.picked }).getByRole("button", { name: say.enabled, exact: true }).click();
  const question = page.getByRole("dialog", { name: say.enableMany(3) });
  await expect(question).toContainText("최유진");
  await question.getByRole("button", { name: say.enabled, exact: true }).click();
  await expect(question).toContainText(say.lockOut);
  await question.getByRole("checkbox", { name: say.lockOutConfirm }).check();
  await question.getByRole("button", { name: say.enabled, exact: true }).click();
  const waiting = page.getByRole("alert").filter({ has: page.locator("[data-countdown]") });
  await expect(waiting.getByRole("listitem")).toHaveCount(2);
  await expect(waiting.locator("[data-countdown]").first()).toHaveText(/\b4:\d\d/);
  expect(await violations(page)).toEqual([]);
  expect(await beyondNarrowest(page)).toBe(0);
  await waiting.getByRole("button", { name: say.confirmAll, exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: say.changesConfirmed(2) })).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await elapse(own, 5);
  await page.reload();
  await expect(page.getByRole("row", { name: "웹 없는 셋째 기준" }).locator(".switch")).toHaveAttribute("aria-pressed", "true");
});

test("disabling a policy from the list says whom that affects, and is undone", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(LIST);
  const toggle = page.getByRole("row", { name: "영업본부 외근 정책" }).locator(".switch");
  await toggle.click();
  const question = page.getByRole("dialog", { name: say.disableIt("영업본부 외근 정책") });
  await expect(question).toContainText(/\d+명의 적용 내용이 바뀝니다/);
  await question.getByRole("button", { name: say.disable, exact: true }).click();
  await expect(toggle).toHaveAttribute("aria-pressed", "false");
  await page.getByRole("status").getByRole("button", { name: say.undo, exact: true }).click();
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
});

test("a planned change that cannot be moved to a time shows the error beside it", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(LIST);
  await page.getByRole("link", { name: "일본지사 정책", exact: true }).click();
  await page.getByText(say.movePlan, { exact: true }).click();
  const at = page.locator("#plan-at");
  await at.fill("2020-01-01T09:00");
  await page.getByRole("button", { name: say.moveIt, exact: true }).click();
  await expect(at).toHaveAccessibleDescription(say.tooSoon);
  await expect(at).toHaveValue("2020-01-01T09:00");
  await at.fill(`${nextMonday()}T10:30`);
  await page.getByRole("button", { name: say.moveIt, exact: true }).click();
  const [, month, day] = nextMonday().split("-");
  await expect(page.locator(".timeline > [data-plan] .badge")).toHaveText(`${month}/${day} 10:30`);
});

// Lines as in an e-mail: a tab, a colon, spaces, full-width digits.
const MAIL = `본사 3층\t203.0.113.0/25
- 판교 연구동: 198.51.100.10 - 198.51.100.60
192.0.2.* (부산지사)
재택 VPN, １９８.51.100.200
`;

// nextMonday returns the next Monday in the company's time zone.
function nextMonday(): string {
  const today = new Date(inSeoul(0));
  today.setUTCDate(today.getUTCDate() + ((8 - today.getUTCDay()) % 7 || 7));
  return today.toISOString().slice(0, 10);
}

async function chooser(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: say.chooseTargets }).click();
  return page.getByRole("dialog", { name: say.targetsTitle });
}

type Target = { type: "department" | "user"; id: number; include_children?: boolean };

async function create(page: Page, policy: { name: string; enabled?: boolean; targets: Target[]; settings?: object; move?: boolean }): Promise<number> {
  return (await ask(page, "POST", "/policies/communication", { enabled: true, settings: {}, effective_from: "now", ...policy })).id;
}

async function settingsOf(page: Page, id: number): Promise<object> {
  return (await ask(page, "GET", `/policies/communication/${id}`)).settings;
}

async function department(page: Page, name: string): Promise<Target> {
  const { data } = await ask(page, "GET", "/organizations/departments");
  return { type: "department", id: data.find((one: { name: string }) => one.name === name).id };
}

async function person(page: Page, email: string): Promise<Target> {
  const { data } = await ask(page, "GET", `/organizations/users?q=${email}`);
  return { type: "user", id: data[0].id };
}

// peopleOf returns the number of people who inherit the policy of a department.
async function peopleOf(page: Page, name: string): Promise<number> {
  const { id } = await department(page, name);
  const { data } = await ask(page, "GET", `/policies/communication/status?department_id=${id}`);
  return data.filter((row: { source: string }) => row.source !== "own").length;
}

// policyOf returns the policy that the status page shows for a department's
// first member.
async function policyOf(page: Page, name: string): Promise<string> {
  await page.goto(`/policies/communication/status?department_id=${(await department(page, name)).id}&view=departments`);
  return (await page.getByRole("row").filter({ hasText: name }).locator("[data-col=policy]").innerText()).trim();
}

async function otherBrowser(browser: Browser, baseURL: string, who: string): Promise<Page> {
  const page = await (await shiftClock(await browser.newContext({ baseURL, locale: "ko-KR" }))).newPage();
  await signIn(page, who);
  return page;
}

async function departmentOf(page: Page, email: string): Promise<Target> {
  const { data } = await ask(page, "GET", `/organizations/users?q=${email}`);
  return { type: "department", id: data[0].department.id, include_children: true };
}
