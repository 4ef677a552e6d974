// Who is signed in, from the page's <body data-session>, and a copy of it in
// session storage under "auth.local". Neither contains a token.
import { remove, read, write } from "./store.ts";

export type Session = {
  user_id: number;
  company_id: number;
  expired_at: string; // RFC 3339
  idle_seconds: number;
  locale: string;
  prefix: string; // "", "/en" or "/ja"
};

const KEY = "auth.local";

export function session(): Session | null {
  try {
    return JSON.parse(document.body.dataset["session"] ?? "null") as Session | null;
  } catch {
    return null;
  }
}

// isOf returns whether a session belongs to the same person as another.
export function isOf(one: Session, other: Session): boolean {
  return one.company_id === other.company_id && one.user_id === other.user_id;
}

// personHeader says for whom a page sends a change. The server refuses it once somebody else
// has signed in with the browser.
export function personHeader(): Record<string, string> {
  const here = session();
  return here ? { "Console-Person": `${here.company_id}/${here.user_id}` } : {};
}

// mirror copies the page's session to session storage.
export function mirror(): void {
  const now = session();
  if (now) write(sessionStorage, KEY, now);
  else remove(sessionStorage, KEY);
}

export function mirrored(): (Partial<Session> & { timeout?: boolean }) | null {
  return read(sessionStorage, KEY);
}

export function renew(next: Session): void {
  document.body.dataset["session"] = JSON.stringify(next);
  mirror();
}

// markTimeout stores only that the session timed out.
export function markTimeout(): void {
  write(sessionStorage, KEY, { locale: session()?.locale, timeout: true });
}

export function clearSession(): void {
  remove(sessionStorage, KEY);
}

// home returns the home page in the page's language.
export function home(): string {
  const prefix = session()?.prefix ?? /^\/(en|ja)(?=\/|$)/.exec(location.pathname)?.[0] ?? "";
  return `${prefix}/`;
}
