// Parts of the frame that most pages never use are loaded on demand.
import { visit } from "./boost.ts";
import { loadChunk } from "./chunks.ts";
import { toast } from "./toast.ts";

type Settings = typeof import("./setting.ts");
type Desk = typeof import("./desk.ts");
type Reach = typeof import("./reach.ts");

let settings: Promise<Settings | null> | undefined;
let order: Promise<void> | undefined;
let notices: Promise<void> | undefined;
let rules: Promise<void> | undefined;
let checks: Promise<void> | undefined;
let days: Promise<void> | undefined;
let desk: Promise<Desk | null> | undefined;
let reach: Promise<Reach | null> | undefined;

export function loadOnDemand(): void {
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const button = target.closest<HTMLElement>("[data-copy]");
    if (button) void copy(button);
    if (target.closest("[data-print]")) window.print();
    const link = target.closest<HTMLAnchorElement>("a[data-command], a[data-support]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab
    event.preventDefault();
    void (link.matches("[data-support]") ? support(link) : search(link));
  });
  document.addEventListener("keydown", (event) => {
    const link = isSearchKey(event) && document.querySelector<HTMLAnchorElement>("a[data-command]");
    if (link) event.preventDefault(), void search(link);
  });
  for (const type of ["change", "reset"]) {
    document.addEventListener(type, (event) => {
      const target = event.target as Element;
      if (type === "change" && target.matches("input[type=file][data-picture]")) void loadChunk(() => import("./picture.ts")).then((loaded) => loaded?.showPicture(target as HTMLInputElement));
      if (target.matches("[data-pick], [data-pick-all], #bulk, #bulk [name=all]")) void loadChunk(() => import("./pick.ts")).then((loaded) => loaded?.pick(target));
    });
  }
}

// enhance applies the parts that only some pages need.
export function enhance(): void {
  void enhanceSettings();
  void enhanceCountdowns();
  void enhanceOrder();
  void enhanceNotice();
  void enhanceRules();
  void enhanceChecks();
  void enhanceDays();
  void enhancePasskeys();
  void enhanceDesk();
  void enhanceReach();
  for (const button of document.querySelectorAll("[data-print][hidden]")) button.removeAttribute("hidden");
  document.querySelector<HTMLInputElement>("input[data-select]")?.select();
}

// enhanceSettings lets a form of settings react to what is typed.
async function enhanceSettings(): Promise<void> {
  if (!document.querySelector("[data-setting]")) return;
  (await (settings ??= loadSettings()))?.applySettings();
}

async function loadSettings(): Promise<Settings | null> {
  const loaded = await loadChunk(() => import("./setting.ts"));
  loaded?.watchSettings();
  return loaded;
}

async function enhanceCountdowns(): Promise<void> {
  if (!document.querySelector("[data-countdown]")) return;
  (await loadChunk(() => import("./countdown.ts")))?.countDown();
}

// enhanceOrder lets rows be moved by dragging and by keys. [data-order-ready]
// marks the tables where they can.
async function enhanceOrder(): Promise<void> {
  if (!document.querySelector("[data-order]")) return;
  order ??= loadChunk(() => import("./order.ts")).then((loaded) => loaded?.watchOrder());
  await order;
  for (const rows of document.querySelectorAll("[data-order]")) rows.setAttribute("data-order-ready", "");
}

// enhanceNotice lets the form of a notice preview its text and send its files.
// [data-notice-ready] marks a form where it does.
async function enhanceNotice(): Promise<void> {
  const form = document.querySelector("form[data-notice]");
  if (!form) return;
  notices ??= loadChunk(() => import("./notice.ts")).then((loaded) => loaded?.watchNotices());
  await notices;
  form.setAttribute("data-notice-ready", "");
}

// enhanceRules lets the rules of installation say whom they would make update.
async function enhanceRules(): Promise<void> {
  if (!document.querySelector("form[data-effect]")) return;
  await (rules ??= loadChunk(() => import("./installation.ts")).then((loaded) => loaded?.watchRules()));
}

// enhanceChecks lets the form of a policy check show its sentence.
async function enhanceChecks(): Promise<void> {
  if (!document.querySelector("form[data-check]")) return;
  await (checks ??= loadChunk(() => import("./check.ts")).then((loaded) => loaded?.watchChecks()));
}

// enhanceDays lets the days of a person's month lead to their records.
async function enhanceDays(): Promise<void> {
  if (!document.querySelector("a.heat")) return;
  await (days ??= loadChunk(() => import("./heat.ts")).then((loaded) => loaded?.watchDays()));
}

// enhancePasskeys shows the forms that need a passkey.
async function enhancePasskeys(): Promise<void> {
  if (!document.querySelector("[data-passkey]")) return;
  (await loadChunk(() => import("./passkey.ts")))?.showPasskeyForms();
}

// enhanceDesk lets what needs a person be decided by keys. [data-desk-ready] marks a page
// where it is.
async function enhanceDesk(): Promise<void> {
  const page = document.querySelector("[data-desk]");
  if (!page) return;
  (await (desk ??= loadDesk()))?.resumeDesk();
  page.setAttribute("data-desk-ready", "");
}

async function loadDesk(): Promise<Desk | null> {
  const loaded = await loadChunk(() => import("./desk.ts"));
  loaded?.watchDesk();
  return loaded;
}

// enhanceReach lets a policy's form say whom saving it would affect.
async function enhanceReach(): Promise<void> {
  if (!document.querySelector("[data-reach]")) return;
  (await (reach ??= loadReach()))?.resumeReach();
}

async function loadReach(): Promise<Reach | null> {
  const loaded = await loadChunk(() => import("./reach.ts"));
  loaded?.watchReach();
  return loaded;
}

async function copy(button: HTMLElement): Promise<void> {
  const loaded = await loadChunk(() => import("./copy.ts"));
  if (await loaded?.copyFrom(button)) toast(button.dataset["copied"] ?? "");
}

async function support(link: HTMLAnchorElement): Promise<void> {
  await (await loadChunk(() => import("./support.ts")))?.openSupport(link);
}

// isSearchKey returns whether ⌘K was pressed, or Ctrl+K where the link names it. A
// Korean keyboard reports another letter, but the same place of the key.
function isSearchKey({ key, code, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  const isK = key.toLowerCase() === "k" || (code === "KeyK" && !/^[a-z]$/i.test(key));
  const apple = document.querySelector("[aria-keyshortcuts='Meta+K']") !== null;
  return isK && !shiftKey && !altKey && (apple ? metaKey && !ctrlKey : ctrlKey && !metaKey);
}

// search opens the search of the whole console, unless a modal dialog is open.
async function search(link: HTMLAnchorElement): Promise<void> {
  const loaded = await loadChunk(() => import("./command.ts"));
  if (!document.querySelector("dialog[open], [role=dialog]:not([popover])")) loaded?.openCommand(link, { visit });
}
