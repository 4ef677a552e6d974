// Every page, and every state of a page that looks different, with the steps to
// show it.
import type { Page } from "@playwright/test";
import { inSeoul, now } from "./clock.ts";
import { ADMIN, at, EMPLOYEE, PASSWORD, shareSession, VIEWER } from "./people.ts";
import { type Language, texts } from "./texts.ts";

type Say = (typeof texts)[Language];

export type PageState = {
  name: string;
  who?: string; // not signed in if missing
  path: string;
  random?: string; // selects what is different each time, or depends on the order of the tests
  prepare?: (page: Page, say: Say) => Promise<void>;
};

const LIST = "/policies/communication/management";
const ATTENDANCE_LIST = "/policies/workingattitude/management";
const CREATE = "/policies/communication";
const STATUS = "/policies/communication/status";
const MANAGERS = "/policies/workingattitude/manager";
const LINKS = "/manage/link/common";
const SERVICES = "/manage/link/convenience";
const NOTICES = "/manage/notice";
const HIDDEN_USERS = "/manage/use/hidden";
const WEBHOOK = "/manage/use/webhook/outgoing";
const PROVIDERS = "/manage/security/providers";
const ACCESS = "/manage/security/access";
const TOKENS = "/manage/security/tokens";
const CHANGES = "/manage/security/changes";
const FILES = "/logs/communication/file";
const READS = "/manage/security/reads";
const RETENTION = "/manage/security/retention";
const BACKUPS = "/manage/operation/backups";
const HOLIDAYS = "/manage/use/holidays";
const FACTOR_RULE = "/manage/security/factors";
const FACTORS = "/profile/factors";
const INSTALLATION = "/manage/use/install";
const PC_CLIENTS = "/manage/use/agent/pc";
const DAY = "/logs/workingattitude/day";
const WEEK = "/logs/workingattitude/week";
const MONTH = "/logs/workingattitude/month";
const LOG = "/logs/workingattitude/management";

// Addresses of the console, which have its port and sometimes a secret.
const VERSION = "dd > code"; // of the program: another one after each commit
const PORT = ".hook-address, #curl, .redirect-url, #password-link-url";

// What the tests do themselves is of today.
const BEFORE = `to=${inSeoul(1)}`;

export const pageStates: PageState[] = [
  { name: "login", path: "/login" },
  { name: "login-error", path: "/login", prepare: refuse },
  { name: "sso", path: "/sso?next=/profile" },
  { name: "sso-refused", path: "/sso", prepare: refusedSignOn },
  { name: "sso-expired", path: "/oauth?state=x&code=x" },
  { name: "sso-handover", path: "/oauth?code=x" },
  { name: "password-refused", path: "/password" },
  { name: "policies", who: ADMIN, path: LIST, prepare: tree },
  { name: "policies-branch", who: ADMIN, path: `${LIST}?sort=name`, prepare: branch },
  { name: "policies-empty", who: ADMIN, path: `${LIST}?q=zzzz`, prepare: tree },
  { name: "policies-deleted", who: ADMIN, path: `${LIST}?status=deleted` },
  { name: "policies-refused", who: ADMIN, path: `${LIST}?q=z`, prepare: tree },
  { name: "policies-at", who: ADMIN, path: `${LIST}?at=2026-12-20` },
  { name: "policies-at-past", who: ADMIN, path: `${LIST}?at=2026-05-01` },
  { name: "policies-at-same", who: ADMIN, path: `${LIST}?at=2026-11-20` },
  { name: "policies-at-empty", who: ADMIN, path: `${LIST}?at=2026-12-20&q=zzzz` },
  { name: "policies-targets", who: ADMIN, path: LIST, prepare: targets },
  { name: "policies-columns", who: ADMIN, path: LIST, prepare: columns },
  { name: "policy-create", who: ADMIN, path: CREATE, prepare: islands },
  { name: "policy-create-workingattitude", who: ADMIN, path: "/policies/workingattitude", prepare: islands },
  { name: "policy-refused", who: ADMIN, path: CREATE, prepare: refusedPolicy },
  { name: "policy-review", who: ADMIN, path: CREATE, prepare: review },
  { name: "policy-reach", who: ADMIN, path: "/policies/communication/1", prepare: reach },
  { name: "policy-target-dialog", who: ADMIN, path: CREATE, prepare: targetDialog },
  { name: "policy-people-dialog", who: ADMIN, path: CREATE, prepare: peopleDialog },
  { name: "policy", who: ADMIN, path: LIST, prepare: planned },
  { name: "policy-workingattitude", who: ADMIN, path: ATTENDANCE_LIST, prepare: planned },
  { name: "policy-past-review", who: ADMIN, path: "/policies/workingattitude/2", prepare: pastReview },
  { name: "policy-recomputations", who: ADMIN, path: "/policies/workingattitude/2/recomputations" },
  { name: "policy-restore", who: ADMIN, path: LIST, prepare: restore },
  { name: "policy-delete", who: ADMIN, path: LIST, prepare: deletion },
  { name: "policy-plan-cancel", who: ADMIN, path: LIST, prepare: cancelling },
  { name: "policy-disable", who: ADMIN, path: LIST, prepare: disabling },
  { name: "policies-picked", who: ADMIN, path: LIST, prepare: picked },
  { name: "checks-empty", who: ADMIN, path: "/policies/communication/checks" },
  { name: "check-new", who: ADMIN, path: "/policies/communication/checks/new", prepare: islands },
  { name: "check-new-workingattitude", who: ADMIN, path: "/policies/workingattitude/checks/new", prepare: islands },
  { name: "managers", who: ADMIN, path: MANAGERS },
  { name: "managers-register", who: ADMIN, path: `${MANAGERS}?new=1`, prepare: islands },
  { name: "managers-refused", who: ADMIN, path: `${MANAGERS}?new=1`, prepare: refusedViewer },
  { name: "managers-people", who: ADMIN, path: `${MANAGERS}?new=1`, prepare: individuals },
  { name: "managers-delete", who: ADMIN, path: MANAGERS, prepare: leaving },
  { name: "hidden-users", who: ADMIN, path: HIDDEN_USERS },
  { name: "hidden-users-empty", who: ADMIN, path: `${HIDDEN_USERS}?q=zzzz` },
  { name: "hidden-users-hide", who: ADMIN, path: `${HIDDEN_USERS}?new=1`, prepare: hiding },
  { name: "hidden-users-refused", who: ADMIN, path: `${HIDDEN_USERS}?new=1`, prepare: refusedHiding },
  { name: "hidden-users-question", who: ADMIN, path: `${HIDDEN_USERS}?new=1&user_ids=33`, prepare: hidingQuestion },
  { name: "status", who: ADMIN, path: STATUS, prepare: tree },
  { name: "status-departments", who: ADMIN, path: `${STATUS}?view=departments`, prepare: tree },
  { name: "status-at", who: ADMIN, path: `${STATUS}?at=2026-05-01`, prepare: tree },
  { name: "status-comparison", who: ADMIN, path: `${STATUS}/comparison?user_id=4&user_id=9&user_id=12` },
  { name: "status-comparison-search", who: ADMIN, path: `${STATUS}/comparison?user_id=4&q=김지` },
  { name: "status-inherit", who: ADMIN, path: `${STATUS}?source=own`, prepare: inheriting },
  { name: "status-empty", who: ADMIN, path: `${STATUS}?q=zzzz`, prepare: tree },
  { name: "status-reason", who: ADMIN, path: `${STATUS}?source=inherited`, prepare: reason },
  { name: "status-workingattitude", who: ADMIN, path: "/policies/workingattitude/status", prepare: tree },
  { name: "notices-reader", who: EMPLOYEE, path: "/notice" },
  { name: "notice-reader", who: EMPLOYEE, path: "/notice", prepare: readNotice },
  { name: "files", who: ADMIN, path: FILES },
  { name: "files-deceptive", who: ADMIN, path: `${FILES}?deceptive=1&from=2000-01-01` },
  { name: "files-search", who: ADMIN, path: `${FILES}?q=pdf` },
  { name: "files-empty", who: ADMIN, path: `${FILES}?q=zzzz` },
  { name: "files-refused", who: ADMIN, path: `${FILES}?q=z` },
  { name: "file", who: ADMIN, path: `${FILES}?deceptive=1`, prepare: savedFile },
  { name: "installation", who: ADMIN, path: INSTALLATION, prepare: rules },
  { name: "installation-refused", who: ADMIN, path: INSTALLATION, prepare: refusedRules },
  { name: "installations-pc", who: ADMIN, path: `${PC_CLIENTS}?departments=1`, prepare: opened },
  { name: "installations-outdated", who: ADMIN, path: `${PC_CLIENTS}?state=outdated` },
  { name: "installations-empty", who: ADMIN, path: `${PC_CLIENTS}?q=zzzz` },
  { name: "installations-refused", who: ADMIN, path: `${PC_CLIENTS}?q=z` },
  { name: "installations-mobile", who: ADMIN, path: "/manage/use/agent/mobile" },
  { name: "notices", who: ADMIN, path: NOTICES },
  { name: "notices-empty", who: ADMIN, path: `${NOTICES}?q=zzzz` },
  { name: "notices-deleted", who: ADMIN, path: `${NOTICES}?status=deleted` },
  { name: "notice-new", who: ADMIN, path: `${NOTICES}/new` },
  { name: "notice-readers", who: ADMIN, path: `${NOTICES}?status=published`, prepare: noticeReaders },
  { name: "notice-files", who: ADMIN, path: `${NOTICES}?status=published`, prepare: noticeFiles },
  { name: "notice-history", who: ADMIN, path: `${NOTICES}?status=published`, prepare: noticeHistory },
  { name: "notice-conflict", who: ADMIN, path: `${NOTICES}?status=reserved`, prepare: noticeConflict },
  { name: "bot", who: ADMIN, path: "/manage/use/webhook", random: PORT },
  { name: "access", who: ADMIN, path: `${ACCESS}?${BEFORE}` },
  { name: "access-open", who: ADMIN, path: `${ACCESS}?pattern=failures&${BEFORE}`, prepare: openAccess },
  { name: "access-password-link", who: ADMIN, path: `${ACCESS}?user_id=3&${BEFORE}`, random: PORT, prepare: passwordLink },
  { name: "locks-empty", who: ADMIN, path: "/manage/security/locks" },
  { name: "tokens", who: ADMIN, path: TOKENS },
  { name: "token-create", who: ADMIN, path: `${TOKENS}?create=1` },
  { name: "token-rotate", who: ADMIN, path: TOKENS, prepare: rotateToken },
  { name: "access-empty", who: ADMIN, path: `${ACCESS}?q=zzzz` },
  { name: "access-refused", who: ADMIN, path: `${ACCESS}?q=z` },
  { name: "changes", who: ADMIN, path: `${CHANGES}?${BEFORE}` },
  { name: "changes-open", who: ADMIN, path: `${CHANGES}?${BEFORE}`, prepare: openChange },
  { name: "changes-empty", who: ADMIN, path: `${CHANGES}?object=webhook` },
  { name: "changes-search", who: ADMIN, path: `${CHANGES}?q=정책&${BEFORE}` },
  { name: "changes-search-refused", who: ADMIN, path: `${CHANGES}?q=x&${BEFORE}` },
  { name: "reads", who: ADMIN, path: `${READS}?reader=1&${BEFORE}` },
  { name: "backups-off", who: ADMIN, path: BACKUPS },
  { name: "retention", who: ADMIN, path: RETENTION },
  { name: "map-services", who: ADMIN, path: "/manage/use/map" },
  { name: "map-services-refused", who: ADMIN, path: "/manage/use/map", prepare: refusedMapService },
  { name: "holidays", who: ADMIN, path: HOLIDAYS },
  { name: "holiday-create", who: ADMIN, path: `${HOLIDAYS}?create=1` },
  { name: "holiday-refused", who: ADMIN, path: `${HOLIDAYS}?create=1`, prepare: refusedHoliday },
  { name: "holiday-records", who: ADMIN, path: `${HOLIDAYS}?create=1`, prepare: holidayOfThePast },
  { name: "retention-confirm", who: ADMIN, path: RETENTION, prepare: shortened },
  { name: "factor-rule", who: ADMIN, path: FACTOR_RULE },
  { name: "factor-rule-refused", who: ADMIN, path: FACTOR_RULE, prepare: refusedRule },
  { name: "factors", who: EMPLOYEE, path: FACTORS },
  { name: "factors-enrol", who: VIEWER, path: FACTORS, random: ".qr, #app-key", prepare: enrolApp },
  { name: "proof", who: ADMIN, path: "/proof?next=/profile" },
  { name: "reads-empty", who: ADMIN, path: `${READS}?kind=people` },
  { name: "providers-empty", who: ADMIN, path: PROVIDERS },
  { name: "providers-new", who: ADMIN, path: `${PROVIDERS}?new=oidc`, random: PORT },
  { name: "providers-new-saml", who: ADMIN, path: `${PROVIDERS}?new=saml`, random: PORT },
  { name: "providers-refused", who: ADMIN, path: `${PROVIDERS}?new=oidc`, random: PORT, prepare: refusedProvider },
  { name: "webhook-empty", who: ADMIN, path: WEBHOOK },
  { name: "webhook-new", who: ADMIN, path: `${WEBHOOK}?new=1` },
  { name: "links", who: ADMIN, path: LINKS },
  { name: "links-preview", who: ADMIN, path: `${LINKS}?preview=1` },
  { name: "links-empty", who: ADMIN, path: `${LINKS}?q=zzzz` },
  { name: "links-deleted", who: ADMIN, path: `${LINKS}?status=deleted` },
  { name: "links-search-refused", who: ADMIN, path: `${LINKS}?q=z` },
  { name: "links-new", who: ADMIN, path: `${LINKS}?new=1`, prepare: newLink },
  { name: "links-refused", who: ADMIN, path: `${LINKS}?new=1`, prepare: refusedLink },
  { name: "services", who: ADMIN, path: SERVICES },
  { name: "services-mobile", who: ADMIN, path: `${SERVICES}?platform=mobile` },
  { name: "services-taken", who: ADMIN, path: SERVICES, prepare: takenService },
  { name: "profile", who: ADMIN, path: "/profile" },
  { name: "profile-employee", who: EMPLOYEE, path: "/profile" },
  { name: "profile-error", who: EMPLOYEE, path: "/profile", prepare: mistype },
  { name: "day", who: EMPLOYEE, path: DAY },
  { name: "day-everybody", who: ADMIN, path: `${DAY}?view=all` },
  { name: "desk", who: ADMIN, path: DAY },
  { name: "desk-open", who: ADMIN, path: DAY, prepare: deskItem },
  { name: "desk-empty", who: ADMIN, path: `${DAY}?view=desk&kind=refused` },
  { name: "desk-question", who: ADMIN, path: DAY, prepare: deskQuestion },
  { name: "day-empty", who: ADMIN, path: `${DAY}?q=zzzz` },
  { name: "day-refused", who: ADMIN, path: `${DAY}?q=z` },
  { name: "log", who: ADMIN, path: LOG },
  { name: "log-edited", who: ADMIN, path: `${LOG}?edited=1` },
  { name: "log-empty", who: ADMIN, path: `${LOG}?q=zzzz` },
  { name: "log-picked", who: ADMIN, path: LOG, prepare: pickedRecords },
  { name: "log-edit", who: ADMIN, path: LOG, prepare: editedRecords },
  { name: "imports", who: ADMIN, path: `${LOG}/imports`, random: ".import-list, .footbar" },
  { name: "imports-wide", who: ADMIN, path: `${LOG}/imports?wide=1`, random: ".import-list, .footbar" },
  { name: "import", who: ADMIN, path: `${LOG}/imports`, prepare: uploadedImport },
  { name: "week", who: ADMIN, path: WEEK, prepare: board },
  { name: "week-own", who: EMPLOYEE, path: WEEK },
  { name: "week-forecast", who: ADMIN, path: WEEK + "/forecast" },
  { name: "week-forecast-empty", who: ADMIN, path: WEEK + "/forecast?level=passed" },
  { name: "month", who: ADMIN, path: MONTH },
  { name: "payroll", who: ADMIN, path: `${MONTH}/payroll` },
  { name: "payroll-refused", who: ADMIN, path: `${MONTH}/payroll?from=2026-11&to=2026-10` },
  { name: "month-own", who: EMPLOYEE, path: MONTH },
  { name: "record", who: ADMIN, path: WEEK, prepare: record },
  { name: "record-refused", who: ADMIN, path: WEEK, prepare: refusedRecord },
  { name: "record-alone", who: EMPLOYEE, path: WEEK, prepare: recordAlone },
  { name: "corrections", who: ADMIN, path: `${DAY}/corrections` },
  { name: "search", who: ADMIN, path: "/search?q=%EC%A0%95%EC%B1%85" },
  { name: "search-refused", who: ADMIN, path: "/search?q=z" },
  { name: "search-own", who: EMPLOYEE, path: "/search" },
  { name: "command", who: ADMIN, path: LIST, prepare: command },
  { name: "not-found", who: ADMIN, path: "/nowhere" },
  { name: "support", who: ADMIN, path: LIST, random: VERSION, prepare: support },
  { name: "support-page", who: ADMIN, path: "/support", random: VERSION },
  { name: "profile-menu", who: ADMIN, path: "/profile", prepare: profileMenu },
  { name: "language-menu", who: ADMIN, path: "/profile", prepare: languageMenu },
  { name: "error-dialog", who: EMPLOYEE, path: DAY, prepare: failure },
  { name: "idle-warning", who: EMPLOYEE, path: DAY, random: "#idle-warning output", prepare: idleness },
  { name: "waiting", who: ADMIN, path: `${CREATE}/5`, random: ".loadbar", prepare: hanging },
  { name: "session-ended", who: EMPLOYEE, path: DAY, prepare: ended },
];

// openState opens the page in a state.
export async function openState(page: Page, language: Language, state: PageState): Promise<void> {
  if (state.who) await shareSession(page, state.who);
  if (state.prepare === idleness || state.prepare === hanging) await page.clock.install({ time: now() });
  await page.goto(at(language, state.path));
  await state.prepare?.(page, texts[language]);
}

// opened shows what is folded: tables, lists of people and fields.
async function opened(page: Page): Promise<void> {
  for (const summary of await page.locator("main details > summary").all()) await summary.click();
}

async function refusedMapService(page: Page): Promise<void> {
  const added = page.locator(".map-services fieldset").last();
  await added.locator("select").selectOption("custom");
  await added.locator("[name$='.tile_url']").fill("http://tiles.example/{z}");
  await page.locator(".map-services .btn-primary").click();
  await page.getByRole("alert").first().waitFor();
}

async function refusedHoliday(page: Page): Promise<void> {
  await page.locator("[form='holiday-form']").click();
  await page.getByRole("alert").first().waitFor();
}

// The records of last week would change.
async function holidayOfThePast(page: Page): Promise<void> {
  await page.locator("#name").fill("창립기념일");
  await page.locator("#first_date").fill(inSeoul(7));
  await page.locator("[form='holiday-form']").click();
  await page.locator("#holiday .note").waitFor();
}

// rules shows everything that can be changed: the pickers come once they are unfolded.
async function rules(page: Page): Promise<void> {
  await opened(page);
  for (const picker of await page.locator("main [data-island]").all()) await picker.locator(".targets").waitFor();
  await scrollToTop(page);
}

async function refusedRules(page: Page): Promise<void> {
  await opened(page);
  await page.locator("[name='windows.size']").fill("84.1MB");
  await page.locator("[name='windows.minimum']").fill("6.x");
  await page.locator(".savebar [formaction]").click();
  await page.getByRole("alert").first().waitFor();
}

async function command(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("김민"); // the page has other comboboxes
  await page.locator(".command mark").first().waitFor();
}

async function refusedSignOn(page: Page, say: Say): Promise<void> {
  await page.getByLabel(say.ssoEmail).fill("somebody@elsewhere.example");
  await page.getByRole("button", { name: say.ssoContinue }).click();
  await page.getByRole("alert").waitFor();
}

// uploadedImport uploads a file that is read, but not imported.
async function uploadedImport(page: Page): Promise<void> {
  const rows = "사번,이름,근무일,출근,퇴근,비고\n20250132,김서연,2025. 4. 1.,오전 9:05,오후 6:12,외근\nX1,박지민,2025. 4. 1.,9:31,24:00,\n";
  await page.locator("#file").setInputFiles({ name: "근태.csv", mimeType: "text/csv", buffer: Buffer.from(rows) });
  await page.locator(".import-upload .btn-primary").click();
  await page.locator(".raw").waitFor();
}

async function refusedProvider(page: Page, say: Say): Promise<void> {
  await page.getByRole("button", { name: say.saveProvider, exact: true }).click();
  await page.getByRole("alert").waitFor();
}

async function refuse(page: Page, say: Say): Promise<void> {
  // A different e-mail each time, because repeated failures lock an account.
  const who = `nobody.${await page.locator("html").getAttribute("lang")}.${page.viewportSize()!.width}`;
  await page.getByLabel(say.email, { exact: true }).fill(`${who}@hanbit.example`);
  await page.getByLabel(say.password, { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: say.signIn, exact: true }).click();
  await page.getByRole("alert").waitFor();
}

async function passwordLink(page: Page): Promise<void> {
  await page.locator("form[action$=password-link] button").click();
  await page.getByRole("dialog").locator("#password-link-url").waitFor();
}

async function rotateToken(page: Page, say: Say): Promise<void> {
  await page.getByRole("link", { name: say.replaceToken }).first().click();
  await opened(page);
}

async function tree(page: Page, say: Say): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) >= 1280) await page.getByRole("tree", { name: say.departments }).waitFor();
}

async function branch(page: Page, say: Say): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 1280) await page.locator("[popovertarget=departments]").click();
  await page.getByRole("treeitem", { name: /^연구소/ }).click();
  await page.getByRole("link", { name: say.clearDepartment }).waitFor();
}

async function targets(page: Page, say: Say): Promise<void> {
  await tree(page, say);
  await page.locator("button.chip-more:visible").first().click();
  await page.locator(".menu-targets:popover-open").waitFor();
}

async function columns(page: Page, say: Say): Promise<void> {
  await page.getByRole("button", { name: say.columns, exact: true }).click();
  await page.getByRole("checkbox", { name: say.modifiedColumn }).waitFor();
}

// islands waits for what only scripts show: the first picker and the others.
async function islands(page: Page): Promise<void> {
  await page.locator("[data-island] .targets").first().waitFor({ state: "attached" });
}

// hiding waits until the picker of the dialog has the focus.
async function hiding(page: Page): Promise<void> {
  await page.locator("input#user_ids:focus").waitFor();
}

async function refusedHiding(page: Page): Promise<void> {
  await hiding(page);
  await page.locator("#hiding .btn-primary").click();
  await page.locator("#hiding .error-summary:focus").waitFor();
}

async function hidingQuestion(page: Page): Promise<void> {
  await hiding(page);
  await page.locator("#hiding .btn-primary").click();
  await page.locator("#hiding .btn-danger").waitFor();
}

// scrollToTop is for pages whose controls are scrolled into view: how far depends on which
// pickers are there by then.
async function scrollToTop(page: Page): Promise<void> {
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
}

async function refusedPolicy(page: Page, say: Say): Promise<void> {
  await islands(page);
  await page.getByRole("radio", { name: say.listedOnly }).first().check();
  await pasteRanges(page, say, "본사, 203.0.113.0/25\n부산지사, 203.0.113.40\n판교, 198.51.100.300");
  await page.getByLabel(say.sessionTime).fill("0");
  await page.getByRole("button", { name: say.save, exact: true }).click();
  await page.getByRole("alert").filter({ hasText: say.nameRequired }).first().waitFor();
  await islands(page);
  await scrollToTop(page);
}

async function pasteRanges(page: Page, say: Say, lines: string): Promise<void> {
  const ranges = page.getByRole("group", { name: say.ranges, exact: true });
  await ranges.getByRole("button", { name: say.pasteLines }).click();
  await ranges.getByRole("textbox", { name: say.pasteLines }).fill(lines);
  await ranges.getByRole("button", { name: say.addLines }).click();
  await ranges.locator(".ip-paste [role=status] > *").first().waitFor(); // the server has read them
}

// review opens the confirmation of a policy that would lock the administrator
// out.
async function reach(page: Page): Promise<void> {
  await islands(page);
  await page.locator("[name='file_save.mobile'][value=view_only]").check({ force: true });
  await page.locator("[data-reach] button[popovertarget]").click();
  await page.locator("#reach svg[role=img]:visible").waitFor();
  await scrollToTop(page);
}

async function review(page: Page, say: Say): Promise<void> {
  await page.getByLabel(say.policyName).fill("영업본부 사내망");
  await targetDialog(page, say);
  const dialog = page.getByRole("dialog", { name: say.targetsTitle });
  await dialog.getByRole("button", { name: say.choose(3) }).click();
  await page.getByRole("radio", { name: say.listedOnly }).first().check();
  await pasteRanges(page, say, "본사, 203.0.113.0/25\n부산지사, 198.51.100.10-198.51.100.60");
  await page.getByRole("button", { name: say.save, exact: true }).click();
  await page.getByRole("dialog").getByRole("checkbox", { name: say.lockOutConfirm }).waitFor();
  await scrollToTop(page);
}

// targetDialog selects a department, one of another policy, and a person.
async function targetDialog(page: Page, say: Say): Promise<void> {
  await page.getByRole("button", { name: say.chooseTargets }).click();
  const dialog = page.getByRole("dialog", { name: say.targetsTitle });
  await dialog.getByRole("tab", { name: say.people }).click();
  await dialog.getByRole("searchbox", { name: say.findPeople }).fill("김서연");
  await dialog.getByRole("checkbox", { name: /정보보안팀/ }).check();
  await dialog.getByRole("tab", { name: say.departments }).click();
  for (const name of ["부산지사", "전략기획실"]) await dialog.getByRole("treeitem", { name: new RegExp(`^${name}`) }).click();
  await dialog.getByRole("button", { name: say.choose(3) }).waitFor();
}

async function peopleDialog(page: Page, say: Say): Promise<void> {
  await page.getByRole("radio", { name: say.listedOnly }).first().check();
  await page.getByRole("group", { name: say.exempt, exact: true }).getByRole("button").click();
  const dialog = page.getByRole("dialog", { name: say.exempt });
  await dialog.getByRole("searchbox").fill("김민");
  for (const i of [0, 1]) await dialog.getByRole("checkbox").nth(i).check();
}

// readNotice opens a notice that has been read, so that no other state changes.
async function readNotice(page: Page): Promise<void> {
  await page.locator("main a.mail:not([data-unread])").first().click();
  await page.locator("article").waitFor();
}

async function openAccess(page: Page): Promise<void> {
  await page.locator(".list-access td + th a").first().click();
  await page.locator(".access-panel").waitFor();
}

async function savedFile(page: Page): Promise<void> {
  await page.locator(".list-files tbody a[href*='/communication/file/']").first().click();
  await page.locator("#policy").waitFor();
}

async function noticeReaders(page: Page): Promise<void> {
  await page.getByRole("rowheader").getByRole("link").first().click();
  await page.waitForURL(/readers/);
}

// noticeFiles opens the files of the latest notice with any.
async function noticeFiles(page: Page): Promise<void> {
  await page.locator("tbody tr", { has: page.locator(".attach svg") }).first().locator("th a").click();
  await page.locator(".tabs a[href$='/files']").click();
  await page.locator("section.attachments h2").waitFor();
}

async function noticeHistory(page: Page, say: Say): Promise<void> {
  await noticeReaders(page);
  await page.locator(".tabs").getByRole("link", { name: say.noticeHistory, exact: true }).click();
  await page.locator(".history").waitFor();
}

// noticeConflict saves a reservation with a version that nobody has seen, which
// is refused like one that somebody else has replaced.
async function noticeConflict(page: Page, say: Say): Promise<void> {
  await page.getByRole("rowheader").getByRole("link").first().click();
  await page.locator("[data-notice-ready]").waitFor();
  await page.locator("[name=version]").evaluate((input: HTMLInputElement) => (input.value = "99"));
  await page.getByRole("button", { name: say.registerReserved, exact: true }).click();
  await page.locator(".note-edited").waitFor();
  await page.locator("[data-notice-ready]").waitFor();
}

// planned opens the policy with the latest planned change.
async function planned(page: Page): Promise<void> {
  await page.getByRole("row").filter({ has: page.locator("td .badge[data-tone=warning]") }).first().getByRole("rowheader").getByRole("link").click();
  await page.locator(".timeline > [data-plan]").waitFor();
  await islands(page);
}

// pastReview opens the confirmation of a change that starts two weeks ago.
async function pastReview(page: Page): Promise<void> {
  await page.locator("#when").selectOption("time");
  await page.locator("input[name=at]").fill(`${inSeoul(14)}T00:00`);
  await page.locator("input[name=grace_in_min]").fill("10");
  await page.locator(".savebar button[value=review]").click();
  await page.getByRole("dialog").waitFor();
}

async function restore(page: Page): Promise<void> {
  await planned(page);
  await page.locator(".timeline .restore").last().click();
  await page.getByRole("dialog").waitFor();
}

async function deletion(page: Page): Promise<void> {
  await planned(page);
  await page.goto(`${page.url()}/delete`);
  await page.getByRole("dialog").waitFor();
}

async function cancelling(page: Page): Promise<void> {
  await planned(page);
  await page.locator('form[action$="/plan/delete"] button').click();
  await page.getByRole("dialog").waitFor();
}

async function disabling(page: Page): Promise<void> {
  await page.locator("tbody .switch[aria-pressed=true]").nth(1).click();
  await page.getByRole("dialog").waitFor();
}

async function pickedRecords(page: Page): Promise<void> {
  await page.locator("tbody [data-pick]").first().check();
  await page.locator("#bulk").waitFor();
}

async function editedRecords(page: Page): Promise<void> {
  await pickedRecords(page);
  await page.locator("#bulk [value=correct]").click();
  await page.locator(".records-form").waitFor();
}

async function picked(page: Page, say: Say): Promise<void> {
  await tree(page, say);
  for (const i of [1, 2]) await page.locator("tbody [data-pick]").nth(i).check();
  await page.locator("[data-picked]").filter({ hasText: "2" }).waitFor();
}

async function refusedViewer(page: Page, say: Say): Promise<void> {
  await page.getByRole("button", { name: say.registerViewer }).click();
  await page.getByRole("alert").waitFor();
  await islands(page);
}

// individuals selects more people than one registration may have.
async function individuals(page: Page, say: Say): Promise<void> {
  await page.getByRole("radio", { name: say.byPerson }).check();
  await page.getByRole("button", { name: say.choosePeople }).click();
  const dialog = page.getByRole("dialog", { name: say.choosePeople });
  await dialog.getByRole("searchbox").fill("김민");
  for (const i of [0, 1, 2]) await dialog.getByRole("checkbox").nth(i).click();
  await dialog.getByText(say.limit(2)).waitFor();
}

async function newLink(page: Page, say: Say): Promise<void> {
  await page.getByRole("dialog", { name: say.addLink }).waitFor();
}

async function refusedLink(page: Page, say: Say): Promise<void> {
  const dialog = page.getByRole("dialog", { name: say.addLink });
  await dialog.getByLabel(say.linkURL).fill("wiki");
  await dialog.locator("#banner").setInputFiles({ name: "banner.png", mimeType: "image/png", buffer: Buffer.from("text") });
  await dialog.getByRole("button", { name: say.saveLink, exact: true }).click();
  await page.getByRole("alert").filter({ hasText: say.linkScheme }).waitFor();
}

async function takenService(page: Page, say: Say): Promise<void> {
  await page.locator("[data-order-ready] #service-poll [data-order-handle]").focus();
  await page.keyboard.press("Space");
  await page.getByText(say.taken(say.polls)).waitFor({ state: "attached" });
}

async function leaving(page: Page, say: Say): Promise<void> {
  await page.getByRole("row").filter({ hasText: "인사실" }).locator("td").last().getByRole("button").click();
  await page.getByRole("dialog", { name: say.deleteAuthorityTitle }).waitFor();
}

async function reason(page: Page): Promise<void> {
  await page.getByRole("rowheader").first().getByRole("link").click();
  await page.locator(".timeline > [data-now]").waitFor();
}

// board expands the departments, which are collapsed if there are many.
async function board(page: Page): Promise<void> {
  await page.locator(".board").waitFor();
  await page.locator(".board-departments").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
}

async function record(page: Page): Promise<void> {
  await page.locator(`table a[href*="${DAY}/"]`).first().click();
  await page.locator("dialog#record").waitFor();
}

async function deskItem(page: Page): Promise<void> {
  await page.locator("tr[data-key] th a").first().click();
  await page.locator("#peek").waitFor();
}

async function deskQuestion(page: Page): Promise<void> {
  await page.locator(`main a[href*="${DAY}/reviews?"]`).first().click();
  await page.locator("dialog#desk-question").waitFor();
}

async function refusedRecord(page: Page): Promise<void> {
  await record(page);
  await page.locator("#record a[href*='form=edit']").click();
  await page.locator("#record .record-form button").click();
  await page.locator("#record .error").waitFor();
}

async function recordAlone(page: Page): Promise<void> {
  const path = await page.locator(`main a[href*="${DAY}/"]`).first().getAttribute("href");
  await page.goto(path!.split("?")[0]!);
  await page.locator(".record-page").waitFor();
}

async function mistype(page: Page, say: Say): Promise<void> {
  await page.locator("#current").fill("Wrong!20260");
  await page.locator("#new").fill("short");
  await page.locator("#confirmation").fill("other");
  await page.getByRole("button", { name: say.changePassword }).click();
  await page.getByRole("alert").waitFor();
}

async function support(page: Page, say: Say): Promise<void> {
  const menu = page.locator("[popovertarget=side]"); // the side menu is folded if the text is large
  if (await menu.isVisible()) await menu.click();
  await page.getByRole("link", { name: say.support }).click();
  await page.locator("#support [data-browser]:not(:empty)").waitFor();
}

async function profileMenu(page: Page, say: Say): Promise<void> {
  await page.getByRole("button", { name: "김서연" }).click();
  await page.getByRole("button", { name: say.signOut, exact: true }).and(page.locator("#me button")).waitFor();
}

async function languageMenu(page: Page, say: Say): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^${say.language}: `) }).click();
  await page.locator("#lang:popover-open").waitFor();
}

async function failure(page: Page, say: Say): Promise<void> {
  await page.route(`**${DAY}?view=all*`, (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole("link", { name: say.today, exact: true }).click();
  await page.getByRole("dialog", { name: say.failed }).waitFor();
}

async function idleness(page: Page, say: Say): Promise<void> {
  await page.clock.fastForward(3_540_000);
  await page.clock.runFor(1_000);
  await page.getByRole("dialog", { name: say.warning }).waitFor();
}

// hanging sends a form whose response does not come.
async function hanging(page: Page, say: Say): Promise<void> {
  await page.route(`**${CREATE}/5`, () => undefined);
  await page.locator("#session_time_sec").fill("45");
  await page.locator("[data-reach] button[popovertarget]").waitFor();
  const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith(`${CREATE}/5`));
  await page.getByRole("button", { name: say.save, exact: true }).click();
  await sent;
  await page.clock.fastForward(10_000);
  await page.getByRole("dialog", { name: say.waiting }).waitFor();
  await islands(page);
  await scrollToTop(page);
}

async function ended(page: Page, say: Say): Promise<void> {
  await page.context().clearCookies();
  await page.getByRole("link", { name: say.today, exact: true }).click();
  await page.getByRole("dialog", { name: say.ended }).waitFor();
}

async function openChange(page: Page) {
  await page.locator(".list-changes tbody th a").first().click();
  await page.locator(".change-detail").waitFor();
}

// shortened chooses a shorter time for a log, which the page asks to confirm.
async function shortened(page: Page): Promise<void> {
  await page.locator("#files").selectOption("3");
  await page.locator("#retention button").click();
  await page.locator("button[name=confirmed]").waitFor();
}

async function refusedRule(page: Page): Promise<void> {
  await page.locator("#factor-rule").evaluate((form: HTMLFormElement) => (form.noValidate = true));
  await page.locator("#grace_days").fill("400");
  await page.locator("#factor-rule .btn-primary").click();
  await page.locator(".error-summary").waitFor();
}

// enrolApp begins to enrol an authenticator app, which nobody confirms.
async function enrolApp(page: Page): Promise<void> {
  if (!(await page.locator(".qr").isVisible())) await page.locator("form[action$='/app'] button").click();
  await page.locator(".qr").waitFor();
}

async function inheriting(page: Page): Promise<void> {
  await page.locator('a[href*="/status/inherit"]').first().click();
  await page.locator("dialog[open]").waitFor();
}
