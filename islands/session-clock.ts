// The two limits that end a session: eight hours after signing in, and the idle
// time. Pure functions; times are milliseconds since 1970.

export type Cause = "idle" | "expired";
export type Clock = { expires: number; idle: number; active: number };
export type State =
  | { is: "running" }
  | { is: "warning"; cause: Cause; left: number }
  | { is: "ended"; cause: Cause };

const WARNING = 60_000;
const REPORT_INTERVAL = 60_000;

// stateAt returns the state of the session at a time. For short idle times the
// warning begins in their second half.
export function stateAt({ expires, idle, active }: Clock, now: number): State {
  const idleEnd = active + idle;
  const cause: Cause = idleEnd < expires ? "idle" : "expired";
  const left = Math.min(idleEnd, expires) - now;
  if (left <= 0) return { is: "ended", cause };
  const warning = cause === "idle" ? Math.min(WARNING, idle / 2) : WARNING;
  return left <= warning ? { is: "warning", cause, left } : { is: "running" };
}

// isDue returns whether to report activity to the server: at most once a
// minute, but often enough for a short idle time.
export function isDue(active: number, reported: number, now: number, idle: number): boolean {
  return active > reported && now - reported >= Math.min(REPORT_INTERVAL, idle / 4);
}
