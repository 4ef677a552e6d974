// The two clocks that end a session: eight hours since signing in, and the idle
// time. Pure; times are milliseconds since 1970.

export type Cause = "idle" | "expired";
export type Clock = { expires: number; idle: number; active: number };
export type State =
  | { is: "running" }
  | { is: "warning"; cause: Cause; left: number }
  | { is: "ended"; cause: Cause };

const WARNING = 60_000;
const TELL = 60_000;

// stateAt says where the session stands. Short idle times are warned of in
// their second half.
export function stateAt({ expires, idle, active }: Clock, now: number): State {
  const idleEnd = active + idle;
  const cause: Cause = idleEnd < expires ? "idle" : "expired";
  const left = Math.min(idleEnd, expires) - now;
  if (left <= 0) return { is: "ended", cause };
  const warning = cause === "idle" ? Math.min(WARNING, idle / 2) : WARNING;
  return left <= warning ? { is: "warning", cause, left } : { is: "running" };
}

// isDue says whether the server should hear of activity: at most once a minute,
// and often enough for a short idle time.
export function isDue(active: number, told: number, now: number, idle: number): boolean {
  return active > told && now - told >= Math.min(TELL, idle / 4);
}
