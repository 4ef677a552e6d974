// Requests of the scripts themselves. A failure is shown to the person and
// thrown; the caller handles the statuses in `expected`.
import { messageOf, report } from "./failure.ts";
import { personHeader } from "./session-state.ts";

// An event on the document before a request that changes something.
export const CHANGING = "console:changing";

const WAIT = 30_000;

export type Options = RequestInit & { expected?: number[]; quiet?: boolean };

export async function request(url: string, { expected = [], quiet = false, ...init }: Options = {}): Promise<Response> {
  const isChange = init.method !== undefined && init.method !== "GET";
  const headers = { Accept: "application/json", ...(isChange && personHeader()), ...init.headers };
  if (isChange) document.dispatchEvent(new Event(CHANGING));
  let response: Response;
  try {
    response = await fetch(url, { credentials: "same-origin", signal: AbortSignal.timeout(WAIT), ...init, headers });
  } catch (error) {
    if (!quiet) report({ status: 0, timeout: (error as Error).name === "TimeoutError" });
    throw error;
  }
  if (response.ok || expected.includes(response.status)) return response;
  const message = messageOf(await response.text(), response.headers);
  if (!quiet || response.status === 419) report({ status: response.status, ...(message !== undefined && { message }) });
  throw new Error(`${response.status} ${url}`);
}
