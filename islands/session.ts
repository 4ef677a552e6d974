// Watches the session: warns before it ends, shows when it has ended, and lets
// the person sign in again without leaving the page, so that unsaved input is
// not lost.
import { dialogById } from "./dialogs.ts";
import { FAILED, type Failure } from "./failure.ts";
import { allowLeaving, dirtyForm } from "./guard.ts";
import { request } from "./request.ts";
import { type Cause, isDue, type State, stateAt } from "./session-clock.ts";
import { clearSession, home, isOf, markTimeout, mirror, mirrored, renew, session, type Session } from "./session-state.ts";
import { signInAgain } from "./sign-in-again.ts";
import { read, remove, write } from "./store.ts";

const ACTIVE = "session.active"; // time of the last click or key, in any tab
const REPORTED = "session.told"; // time of the last report to the server
const LATEST = "session.latest"; // the session of the page that was loaded last, in any tab
const LEAVING = "session.leaving"; // of this tab: its person is signing out
const LEFT = "session.left"; // time of the last sign-out, for the other tabs

export class SessionWatch {
  #over: string | undefined; // the ended session, as in the page
  #dismissed = ""; // the end whose warning was dismissed
  #noted = 0;
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  start(): void {
    for (const type of ["click", "keydown"]) document.addEventListener(type, () => this.#note(), { capture: true, passive: true });
    document.addEventListener(FAILED, (event) => this.#failed(event as CustomEvent<Failure>));
    document.addEventListener("click", (event) => this.#click(event.target as Element));
    document.addEventListener("submit", (event) => this.#submit(event), true); // before boosted navigation handles it
    document.addEventListener("cancel", (event) => (event.target as Element).id === "session-ended" && event.preventDefault(), true);
    window.addEventListener("storage", ({ key }) => {
      if (key === LATEST) this.#follow();
      if (key === LEFT && session()) this.#signedOutElsewhere();
    });
    document.addEventListener("visibilitychange", () => this.#follow()); // a sleeping tab is told nothing
    setInterval(() => this.tick(), 1000);
  }

  // arrived is called for every page: loading a page is activity. The server does not
  // know of it if the page was requested before it was opened.
  arrived(noted = true): void {
    if (this.#ended) return;
    const here = session();
    if (here && !(Date.parse(here.expired_at) > this.#now())) return this.#end("expired");
    mirror();
    this.#tellOthers(here);
    if (!here) return remove(localStorage, LATEST);
    write(localStorage, LATEST, here);
    this.#noted = 0;
    this.#note();
    if (noted) write(localStorage, REPORTED, this.#now());
  }

  // mayNavigate checks the copy in session storage before a page is requested.
  // If it is missing or expired it is cleared, and the server decides where to
  // go.
  mayNavigate(): boolean {
    if (!session() || this.#ended) return true;
    const stored = mirrored();
    if (stored && Date.parse(stored.expired_at ?? "") > this.#now()) return true;
    clearSession();
    return false;
  }

  tick(): void {
    const here = session();
    if (!here || this.#ended) return;
    const state = this.#state(here);
    if (state.is === "ended") return this.#end(state.cause);
    if (state.is === "warning") this.#warn(state.cause, state.left, here);
    else this.#calm();
    const now = this.#now();
    if (isDue(this.#active, read<number>(localStorage, REPORTED) ?? 0, now, here.idle_seconds * 1000)) this.#report(now);
  }

  // active is the time of the last activity in any tab.
  get #active(): number {
    return read<number>(localStorage, ACTIVE) ?? this.#noted;
  }

  #state(here: Session): State {
    return stateAt({ expires: Date.parse(here.expired_at), idle: here.idle_seconds * 1000, active: this.#active }, this.#now());
  }

  // tellOthers lets the other tabs leave their pages once the server has ended the
  // session of a person who signed out here.
  #tellOthers(here: Session | null): void {
    if (!here && read(sessionStorage, LEAVING)) write(localStorage, LEFT, this.#now());
    remove(sessionStorage, LEAVING);
  }

  get #ended(): boolean {
    return this.#over !== undefined && this.#over === document.body.dataset["session"];
  }

  #note(): void {
    if (!session() || this.#ended || this.#now() - this.#noted < 1000) return;
    this.#noted = this.#now();
    write(localStorage, ACTIVE, this.#noted);
  }

  #report(now: number): void {
    write(localStorage, REPORTED, now);
    request("/session/activity", { method: "POST", quiet: true }).catch(() => undefined);
  }

  #warn(cause: Cause, left: number, here: Session): void {
    const dialog = dialogById("idle-warning");
    if (!dialog || this.#dismissed === here.expired_at + cause) return;
    const seconds = new Intl.NumberFormat(here.locale, { style: "unit", unit: "second", unitDisplay: "long" });
    const output = dialog.querySelector("output");
    output?.setAttribute("aria-live", "off"); // screen readers read it once with the dialog, not every second
    if (output) output.textContent = seconds.format(Math.ceil(left / 1000));
    if (dialog.open) return;
    fill(dialog, dialog.dataset[cause]);
    dialog.dataset["cause"] = cause;
    dialog.addEventListener("close", () => cause === "expired" && (this.#dismissed = here.expired_at + cause), { once: true });
    dialog.showModal();
  }

  #calm(): void {
    const dialog = dialogById("idle-warning");
    if (dialog?.open) dialog.close();
  }

  // end ends the session for a cause, and says why: "done" where a change that was applied
  // has ended it, as a policy may, "revoked" where somebody else has, "other" where
  // somebody else has signed in with this browser, and "left" where the person has signed
  // out in another tab.
  #end(cause: Cause, reason: Cause | "done" | "revoked" | "other" | "left" = cause): void {
    if (this.#ended) return;
    this.#over = document.body.dataset["session"];
    markTimeout();
    this.#calm();
    if (cause === "idle") request(`${session()?.prefix ?? ""}/logout`, { method: "POST", quiet: true }).catch(() => undefined);
    this.#offer(reason);
  }

  // offer shows that the session has ended or will end, and asks for the
  // password.
  #offer(reason: Cause | "done" | "revoked" | "other" | "left" | "renew"): void {
    const dialog = dialogById("session-ended");
    if (!dialog) return this.#leave();
    fill(dialog, dialog.dataset[reason] ?? dialog.dataset["expired"]);
    if (!dialog.open) dialog.showModal();
    dialog.querySelector<HTMLInputElement>('input[type="password"]')?.focus();
  }

  #failed(event: CustomEvent<Failure>): void {
    if (event.detail.status !== 419 || !session()) return;
    event.preventDefault();
    this.#follow();
    if (!this.#ended) this.#end("expired", event.detail.done ? "done" : this.#causeOfRefusal());
  }

  // causeOfRefusal returns why the server no longer knows the session. Where neither limit
  // was reached, somebody has ended it: an administrator, or the person elsewhere.
  #causeOfRefusal(): Cause | "revoked" {
    const state = this.#state(session()!);
    return state.is === "ended" ? state.cause : "revoked";
  }

  #click(target: Element): void {
    if (target.closest("#session-ended [data-confirm]")) return this.#leave();
    const stay = target.closest("#idle-warning [data-stay]");
    if (!stay) return;
    const expires = dialogById("idle-warning")?.dataset["cause"] === "expired";
    this.#noted = 0;
    this.#note();
    this.#calm();
    if (expires) this.#offer("renew");
    else this.#report(this.#now());
  }

  #submit(event: Event): void {
    const form = event.target as HTMLFormElement;
    if (form.matches('[action$="/logout"]')) write(sessionStorage, LEAVING, true);
    if (!form.matches("[data-sign-in-again]")) return;
    event.preventDefault();
    event.stopPropagation();
    void signInAgain(form).then((next) => next && this.#renewed(next));
  }

  #renewed(next: Session): void {
    if (!isOf(next, session()!)) return reload();
    this.#resume(next);
  }

  #resume(next: Session): void {
    renew(next);
    this.#over = undefined;
    dialogById("session-ended")?.close();
    this.arrived();
  }

  // follow compares the session with that of the page that was loaded last. A page whose
  // person has signed in again can be used again. One of somebody else may not: what was
  // typed would be saved in the wrong name.
  #follow(): void {
    const [here, latest] = [session(), read<Session>(localStorage, LATEST)];
    if (!here || !latest) return;
    if (!isOf(latest, here)) return this.#end("expired", "other");
    const isLater = Date.parse(latest.expired_at) - Date.parse(here.expired_at) >= 1000; // pages have whole seconds
    if (isLater) this.#resume({ ...here, expired_at: latest.expired_at, idle_seconds: latest.idle_seconds });
  }

  // signedOutElsewhere leaves the page, unless something is typed into it.
  #signedOutElsewhere(): void {
    if (dirtyForm()) this.#end("expired", "left");
    else this.#leave();
  }

  #leave(): void {
    clearSession();
    allowLeaving();
    location.assign(home());
  }
}

function reload(): void {
  allowLeaving();
  location.reload();
}

function fill(dialog: HTMLElement, text: string | undefined): void {
  const place = dialog.querySelector(".message");
  if (place && text) place.textContent = text;
}
