// Submits the form in the "session ended" dialog by script.
import { dialogById } from "./dialogs.ts";
import { explain, messageOf, texts } from "./failure.ts";
import { request } from "./request.ts";
import { session, type Session } from "./session-state.ts";

// signInAgain returns the new session, or null after showing beside the
// password why signing in failed. It never stores the password.
export async function signInAgain(form: HTMLFormElement): Promise<Session | null> {
  if (form.getAttribute("aria-busy") === "true") return null;
  form.setAttribute("aria-busy", "true");
  try {
    return await signIn(form);
  } catch {
    showError(form, explain({ status: 0 }, texts(dialogById("error-dialog"))));
    return null;
  } finally {
    form.removeAttribute("aria-busy");
    const password = passwordOf(form);
    if (password) password.value = "";
  }
}

async function signIn(form: HTMLFormElement): Promise<Session | null> {
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  const headers = { "Console-Person": "" }; // whoever signs in replaces somebody else
  const answer = await request(form.action, { method: "POST", body, headers, quiet: true, expected: [401, 403, 419, 422, 429] });
  if (!answer.ok) {
    const text = await answer.text();
    if (codeOf(text) === "session.factor.required") askForCode(form);
    showError(form, messageOf(text, answer.headers) ?? "");
    return null;
  }
  showError(form, "");
  hideCode(form);
  const next = await request("/session", { quiet: true, expected: [419] });
  return next.ok ? { ...session(), ...((await next.json()) as Session) } : null;
}

// askForCode shows the field for a code of the second factor. It is sent together with
// the password, which is typed again.
function askForCode(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLElement>("[data-factor]");
  const input = field?.querySelector("input");
  if (!field || !input) return;
  field.hidden = input.disabled = false;
  input.required = true;
}

function hideCode(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLElement>("[data-factor]");
  const input = field?.querySelector("input");
  if (!field || !input) return;
  field.hidden = input.disabled = true;
  input.value = "";
}

function codeOf(text: string): string {
  try {
    return String((JSON.parse(text) as { code?: unknown }).code);
  } catch {
    return "";
  }
}

function showError(form: HTMLFormElement, text: string): void {
  const password = passwordOf(form);
  const place = form.querySelector<HTMLElement>(".error");
  if (place) {
    place.hidden = text === "";
    (place.querySelector("[data-text]") ?? place).textContent = text;
  }
  if (text) password?.setAttribute("aria-invalid", "true");
  else password?.removeAttribute("aria-invalid");
  if (text) password?.focus();
}

function passwordOf(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector('input[type="password"]');
}
