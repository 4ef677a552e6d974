// Every page, and every state of one that looks different: how to bring it up.
import type { Page } from "@playwright/test";
import { ADMIN, at, EMPLOYEE, PASSWORD, signIn } from "./people.ts";
import { type Language, texts } from "./texts.ts";

type Say = (typeof texts)[Language];

export type Place = {
  name: string;
  who?: string; // nobody when left out
  path: string;
  prepare?: (page: Page, say: Say) => Promise<void>;
};

const LIST = "/policies/communication/management";
const STATUS = "/policies/communication/status";
const MANAGERS = "/policies/workingattitude/manager";
const DAY = "/logs/workingattitude/day";

export const places: Place[] = [
  { name: "login", path: "/login" },
  { name: "login-error", path: "/login", prepare: refuse },
  { name: "policies", who: ADMIN, path: LIST, prepare: tree },
  { name: "policies-branch", who: ADMIN, path: `${LIST}?sort=name`, prepare: branch },
  { name: "policies-empty", who: ADMIN, path: `${LIST}?q=zzzz`, prepare: tree },
  { name: "policies-refused", who: ADMIN, path: `${LIST}?q=z`, prepare: tree },
  { name: "policies-targets", who: ADMIN, path: LIST, prepare: targets },
  { name: "policies-columns", who: ADMIN, path: LIST, prepare: columns },
  { name: "policy-create", who: ADMIN, path: "/policies/communication" },
  { name: "policy-create-workingattitude", who: ADMIN, path: "/policies/workingattitude" },
  { name: "managers", who: ADMIN, path: MANAGERS },
  { name: "managers-register", who: ADMIN, path: `${MANAGERS}?new=1` },
  { name: "status", who: ADMIN, path: STATUS, prepare: tree },
  { name: "status-departments", who: ADMIN, path: `${STATUS}?view=departments`, prepare: tree },
  { name: "status-empty", who: ADMIN, path: `${STATUS}?q=zzzz`, prepare: tree },
  { name: "status-reason", who: ADMIN, path: `${STATUS}?source=inherited`, prepare: reason },
  { name: "status-workingattitude", who: ADMIN, path: "/policies/workingattitude/status", prepare: tree },
  { name: "profile", who: ADMIN, path: "/profile" },
  { name: "profile-employee", who: EMPLOYEE, path: "/profile" },
  { name: "profile-error", who: EMPLOYEE, path: "/profile", prepare: mistype },
  { name: "day", who: EMPLOYEE, path: DAY },
  { name: "not-found", who: ADMIN, path: "/nowhere" },
  { name: "support", who: ADMIN, path: LIST, prepare: support },
  { name: "profile-menu", who: ADMIN, path: "/profile", prepare: profileMenu },
  { name: "language-menu", who: ADMIN, path: "/profile", prepare: languageMenu },
  { name: "error-dialog", who: EMPLOYEE, path: DAY, prepare: failure },
  { name: "idle-warning", who: EMPLOYEE, path: DAY, prepare: idleness },
  { name: "session-ended", who: EMPLOYEE, path: DAY, prepare: ended },
];

// bring shows the page to be looked at.
export async function bring(page: Page, language: Language, place: Place): Promise<void> {
  if (place.who) await signIn(page, place.who);
  if (place.prepare === idleness) await page.clock.install();
  await page.goto(at(language, place.path));
  await place.prepare?.(page, texts[language]);
}

async function refuse(page: Page, say: Say): Promise<void> {
  // Another address each time: one that is tried too often is locked.
  const who = `nobody.${await page.locator("html").getAttribute("lang")}.${page.viewportSize()!.width}`;
  await page.getByLabel(say.email, { exact: true }).fill(`${who}@hanbit.example`);
  await page.getByLabel(say.password, { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: say.signIn, exact: true }).click();
  await page.getByRole("alert").waitFor();
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

async function reason(page: Page): Promise<void> {
  await page.getByRole("rowheader").first().getByRole("link").click();
  await page.locator(".timeline > [data-now]").waitFor();
}

async function mistype(page: Page, say: Say): Promise<void> {
  await page.locator("#current").fill("Wrong!20260");
  await page.locator("#new").fill("short");
  await page.locator("#confirmation").fill("other");
  await page.getByRole("button", { name: say.changePassword }).click();
  await page.getByRole("alert").waitFor();
}

async function support(page: Page, say: Say): Promise<void> {
  await page.getByRole("button", { name: say.support }).click();
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
  await page.route(`**${DAY}`, (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole("link", { name: say.today, exact: true }).click();
  await page.getByRole("dialog", { name: say.failed }).waitFor();
}

async function idleness(page: Page, say: Say): Promise<void> {
  await page.clock.fastForward(3_570_000);
  await page.clock.runFor(1_000);
  await page.getByRole("dialog", { name: say.warning }).waitFor();
}

async function ended(page: Page, say: Say): Promise<void> {
  await page.context().clearCookies();
  await page.getByRole("link", { name: say.today, exact: true }).click();
  await page.getByRole("dialog", { name: say.ended }).waitFor();
}
