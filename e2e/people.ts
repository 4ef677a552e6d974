// The users of the demo company, and how they sign in.
import type { BrowserContext, Page } from "@playwright/test";
import { now } from "./clock.ts";
import { type Language, prefixes, texts } from "./texts.ts";

export const PASSWORD = "Console!2026";

export const ADMIN = "admin@hanbit.example";
export const EMPLOYEE = "employee@hanbit.example";
export const VIEWER = "viewer@hanbit.example";
export const MANAGER = "manager@hanbit.example";
export const HIDDEN = "hidden@hanbit.example";
// Of the demo's other company; used by tests that end sessions on all devices.
export const OTHER_ADMIN = "admin@other.example";

// signIn signs a user in by request, in the page's browser.
export async function signIn(page: Page, email: string, base = ""): Promise<void> {
  const answer = await page.request.post(`${base}/login`, { form: { email, password: PASSWORD }, maxRedirects: 0 });
  if (answer.status() !== 303) throw new Error(`${email} is not signed in: ${answer.status()} ${await answer.text()}`);
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

export type Sessions = Record<string, Cookies>; // by the e-mail of the person

const sessions = new Map<string, { cookies: Cookies; since: number }>();

// After ten minutes the console asks again who somebody is before dangerous acts.
const SHARED = 8 * 60_000;

// shareSession signs in like signIn, and gives every page of a worker the same
// session of a person, since a password takes long to check. A page that ends
// its session at the server must not share it.
export async function shareSession(page: Page, email: string): Promise<void> {
  const shared = sessions.get(email);
  if (shared && now() - shared.since < SHARED) return page.context().addCookies(shared.cookies);
  await signIn(page, email);
  sessions.set(email, { cookies: await page.context().cookies(), since: now() });
}

// useSessions gives shareSession sessions that exist.
export function useSessions(existing: Sessions): void {
  for (const [email, cookies] of Object.entries(existing)) sessions.set(email, { cookies, since: now() });
}

// signInByForm signs in by the form, in the language of the page.
export async function signInByForm(page: Page, language: Language, email: string, password: string): Promise<void> {
  const say = texts[language];
  await page.getByLabel(say.email, { exact: true }).fill(email);
  await page.getByLabel(say.password, { exact: true }).fill(password);
  await page.getByRole("button", { name: say.signIn, exact: true }).click();
}

// at returns a path in a language.
export function at(language: Language, path: string): string {
  return path === "/" ? `${prefixes[language]}/` : prefixes[language] + path;
}

// ask calls the API as the signed-in user; path is relative to their URL. An
// answer without content is undefined.
export async function ask(page: Page, method: "GET" | "POST" | "PUT" | "DELETE", path: string, data?: object, base = "") {
  const me = (await (await page.request.get(`${base}/api/v1/profile`)).json()) as { id: number; company_id: number };
  const answer = await page.request.fetch(`${base}/api/v1/companies/${me.company_id}/users/${me.id}${path}`, { method, ...(data && { data }) });
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
  return answer.status() === 204 ? undefined : answer.json();
}
