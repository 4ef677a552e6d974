import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { $, type Asked, click, fire, json, open, serve, settle } from "./page.test-setup.ts";
import { isDue, stateAt } from "./session-clock.ts";
import { clearSession, home, mirrored, session, type Session } from "./session-state.ts";
import { SessionWatch } from "./session.ts";
import { report } from "./failure.ts";

const START = Date.parse("2026-11-20T09:00:00+09:00");
const MINUTE = 60_000;
const signedIn = { user_id: 7, company_id: 1, expired_at: "2026-11-20T17:00:00+09:00", idle_seconds: 600, locale: "ko", prefix: "/ja" };

let now = START;
let asked: Asked[] = [];
let watch: SessionWatch;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval"] });
  open(`
    <form id="work"><input name="name"></form>
    <dialog id="error-dialog" data-server="{status}" data-timeout="t" data-later="later" data-offline="no connection"><div class="body"></div></dialog>
    <dialog id="idle-warning" data-idle="idle soon" data-expired="eight hours soon">
      <p class="message"></p><output></output><button data-stay>stay</button></dialog>
    <dialog id="session-ended" data-idle="idle" data-expired="expired" data-done="done" data-other="other" data-left="left" data-renew="renew">
      <p class="message"></p>
      <form data-sign-in-again action="/login"><input name="email" value="a@b.example"><input name="password" type="password"><p class="error" hidden></p></form>
      <button data-confirm>confirm</button></dialog>`);
  document.body.dataset["session"] = JSON.stringify(signedIn);
  now = START;
  asked = serve({
    "POST /session/activity": () => new Response(null, { status: 204 }),
    "POST /ja/logout": () => new Response(null, { status: 204 }),
    "POST /login": () => new Response(null, { status: 204 }),
    "GET /session": () => json(200, { ...signedIn, expired_at: "2026-11-20T20:00:00+09:00" }),
  });
  watch = new SessionWatch(() => now);
  watch.start();
  watch.arrived();
});

test("session storage has the page's session and no token", () => {
  assert.deepEqual(mirrored(), signedIn);
  delete document.body.dataset["session"];
  watch.arrived();
  assert.equal(mirrored(), null);
});

test("idle time ends the session with a warning before it", async () => {
  after(9 * MINUTE - 1000);
  assert.equal(isOpen("idle-warning"), false);
  after(1000);
  assert.equal(isOpen("idle-warning"), true);
  assert.equal($("#idle-warning .message").textContent, "idle soon");
  assert.equal($("#idle-warning output").textContent, "60초");
  after(MINUTE);
  assert.equal(isOpen("idle-warning"), false);
  assert.equal(isOpen("session-ended"), true);
  assert.equal($("#session-ended .message").textContent, "idle");
  assert.deepEqual(mirrored(), { locale: "ko", timeout: true });
  await settle();
  assert.deepEqual(asked.map(({ method, url }) => `${method} ${url}`), ["POST /ja/logout"]);
});

test("a click or a key restarts the idle time and is reported once a minute", async () => {
  for (let minute = 1; minute <= 20; minute++) {
    now += MINUTE / 2;
    fire("#work input", "keydown");
    watch.tick();
    now += MINUTE / 2;
    fire("#work", "click");
    watch.tick();
  }
  await settle();
  assert.equal(isOpen("session-ended"), false);
  assert.equal(asked.length, 20);
  assert.ok(asked.every(({ url }) => url === "/session/activity"));
});

test("activity in another tab counts", () => {
  now += 9 * MINUTE;
  localStorage.setItem("session.active", String(now));
  after(5 * MINUTE);
  assert.equal(isOpen("idle-warning"), false);
});

test("signing out in another tab leaves the page at once", () => {
  const led = mock.method(location, "assign", () => undefined);
  window.dispatchEvent(Object.assign(new Event("storage"), { key: "session.left" }));
  assert.deepEqual(led.mock.calls[0]?.arguments, ["/ja/"]);
  assert.equal(mirrored(), null);
  led.mock.restore();
});

test("signing out in another tab leaves what was typed", () => {
  $("#work").setAttribute("data-guard", "");
  $<HTMLInputElement>("#work input").value = "typed";
  const led = mock.method(location, "assign", () => undefined);
  window.dispatchEvent(Object.assign(new Event("storage"), { key: "session.left" }));
  assert.equal(led.mock.callCount(), 0);
  assert.equal(isOpen("session-ended"), true);
  assert.equal($("#session-ended .message").textContent, "left");
  led.mock.restore();
});

test("the other tabs are told once the session has ended at the server", () => {
  document.body.insertAdjacentHTML("beforeend", '<form id="out" action="/ja/logout"></form>');
  fire("#out", "submit");
  assert.equal(localStorage.getItem("session.left"), null);
  watch.arrived(); // the server refused to sign out
  delete document.body.dataset["session"];
  watch.arrived();
  assert.equal(localStorage.getItem("session.left"), null);

  document.body.dataset["session"] = JSON.stringify(signedIn);
  fire("#out", "submit");
  delete document.body.dataset["session"];
  watch.arrived();
  assert.equal(localStorage.getItem("session.left"), String(START));
});

test("staying closes the warning", async () => {
  after(9.5 * MINUTE);
  click("#idle-warning [data-stay]");
  watch.tick();
  assert.equal(isOpen("idle-warning"), false);
  await settle();
  assert.equal(asked.at(-1)?.url, "/session/activity");
});

test("the session ends after eight hours, however active the person is", () => {
  now = START + 8 * 60 * MINUTE - MINUTE;
  fire("#work", "click");
  watch.tick();
  assert.equal($("#idle-warning .message").textContent, "eight hours soon");
  click("#idle-warning [data-stay]");
  assert.equal($("#session-ended .message").textContent, "renew");
  after(MINUTE);
  assert.equal(mirrored()?.timeout, true);
});

test("a 419 answer shows the dialog of the session instead of an error", () => {
  report({ status: 419, message: "over" });
  assert.equal(isOpen("session-ended"), true);
  assert.equal(isOpen("error-dialog"), false);
  assert.equal($("#session-ended .message").textContent, "expired");
});

test("a 419 answer before either limit says that somebody ended the session", () => {
  $("#session-ended").dataset["revoked"] = "revoked";
  now += MINUTE;
  report({ status: 419 });
  assert.equal($("#session-ended .message").textContent, "revoked");
});

test("a 419 answer after a limit says which", () => {
  $("#session-ended").dataset["revoked"] = "revoked";
  now += 10 * MINUTE; // the page was asleep
  report({ status: 419 });
  assert.equal($("#session-ended .message").textContent, "idle");
});

test("a session that ended with what was asked for says that it was done", () => {
  report({ status: 419, done: true });
  assert.equal($("#session-ended .message").textContent, "done");
});

test("signing in again keeps the page", async () => {
  $<HTMLInputElement>("#work input").value = "typed";
  let navigations = 0;
  $("[data-sign-in-again]").addEventListener("submit", () => navigations++);
  report({ status: 419 });
  await signInWith("Console!2026");
  assert.equal(asked.find(({ url }) => url === "/login")?.body, "email=a%40b.example&password=Console%212026");
  assert.equal(isOpen("session-ended"), false);
  assert.equal($<HTMLInputElement>("#work input").value, "typed");
  assert.equal(mirrored()?.expired_at, "2026-11-20T20:00:00+09:00");
  assert.equal(session()?.prefix, "/ja");
  assert.equal(navigations, 0, "boosted navigation never sees the form");
});

test("a page goes on once its person has signed in again in another tab", () => {
  report({ status: 419 });
  signInElsewhere(signedIn); // the session that has ended
  assert.equal(isOpen("session-ended"), true);
  signInElsewhere({ ...signedIn, user_id: 8, expired_at: "2026-11-20T20:00:00+09:00" });
  assert.equal(isOpen("session-ended"), true);
  signInElsewhere({ ...signedIn, expired_at: "2026-11-20T20:00:00+09:00", locale: "en", prefix: "/en" });
  assert.equal(isOpen("session-ended"), false);
  assert.equal(session()?.expired_at, "2026-11-20T20:00:00+09:00");
  assert.equal(session()?.prefix, "/ja");
});

test("a page of somebody else than the one who signed in last cannot be used", () => {
  signInElsewhere({ ...signedIn, expired_at: "2026-11-20T20:00:00+09:00" });
  assert.equal(isOpen("session-ended"), false);
  signInElsewhere({ ...signedIn, user_id: 8 });
  assert.equal(isOpen("session-ended"), true);
  assert.equal($("#session-ended .message").textContent, "other");
});

test("a tab that was told nothing looks when it is shown", () => {
  localStorage.setItem("session.latest", JSON.stringify({ ...signedIn, company_id: 2 }));
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal($("#session-ended .message").textContent, "other");
});

test("a change says for whom the page sends it, and signing in again does not", async () => {
  const sent = mock.method(globalThis, "fetch");
  after(MINUTE);
  fire("#work", "click");
  watch.tick();
  report({ status: 419 });
  await signInWith("Console!2026");
  const people = sent.mock.calls.map(({ arguments: [url, init] }) => [new URL(url as string, location.href).pathname, (init?.headers as Record<string, string>)["Console-Person"]]);
  assert.deepEqual(people, [["/session/activity", "1/7"], ["/login", ""], ["/session", undefined]]);
});

test("a refused password is reported beside the field and cleared", async () => {
  serve({ "POST /login": () => json(422, { message: "not right" }) });
  report({ status: 419 });
  await signInWith("wrong");
  assert.equal(isOpen("session-ended"), true);
  assert.equal($(".error").textContent, "not right");
  assert.equal($(".error").hidden, false);
  assert.equal($("[name=password]").getAttribute("aria-invalid"), "true");
  assert.equal($<HTMLInputElement>("[name=password]").value, "");
});

test("why signing in again failed is beside the field: no response, or no connection", async () => {
  serve({});
  report({ status: 419 });
  await signInWith("Console!2026");
  assert.equal($(".error").textContent, "later");
  mock.getter(navigator, "onLine", () => false);
  await signInWith("Console!2026");
  assert.equal($(".error").textContent, "no connection");
});

test("a missing or expired copy in session storage stops navigation once", () => {
  assert.equal(watch.mayNavigate(), true);
  clearSession();
  assert.equal(watch.mayNavigate(), false);
  watch.arrived();
  now = START + 9 * 60 * MINUTE;
  assert.equal(watch.mayNavigate(), false);
  assert.equal(mirrored(), null);
});

test("a page that was requested before it was opened is reported as activity", async () => {
  after(MINUTE);
  watch.arrived();
  after(1000);
  assert.equal(asked.length, 0, "the server has noted the request of the page");
  after(MINUTE);
  watch.arrived(false);
  after(1000);
  await settle();
  assert.deepEqual(asked.map(({ url }) => url), ["/session/activity"]);
});

test("home is in the page's language", () => {
  assert.equal(home(), "/ja/");
  open("", "https://console.test/en/login");
  assert.equal(home(), "/en/");
  open("", "https://console.test/english");
  assert.equal(home(), "/");
});

test("short idle times have a warning in their second half and more frequent reports", () => {
  const clock = { expires: START + 60 * MINUTE, idle: 8000, active: START };
  assert.deepEqual(stateAt(clock, START + 3999), { is: "running" });
  assert.deepEqual(stateAt(clock, START + 4000), { is: "warning", cause: "idle", left: 4000 });
  assert.deepEqual(stateAt(clock, START + 8000), { is: "ended", cause: "idle" });
  assert.equal(isDue(START + 1, START, START + 1999, 8000), false);
  assert.equal(isDue(START + 1, START, START + 2000, 8000), true);
  assert.equal(isDue(START, START, START + 2000, 8000), false);
});

function after(duration: number): void {
  now += duration;
  watch.tick();
}

function isOpen(id: string): boolean {
  return $<HTMLDialogElement>(`#${id}`).open;
}

// signInElsewhere opens a page of a session in another tab.
function signInElsewhere(latest: Session): void {
  localStorage.setItem("session.latest", JSON.stringify(latest));
  window.dispatchEvent(Object.assign(new Event("storage"), { key: "session.latest" }));
}

async function signInWith(password: string): Promise<void> {
  $<HTMLInputElement>("[name=password]").value = password;
  fire("[data-sign-in-again]", "submit");
  await settle();
  await new Promise((resolve) => setImmediate(resolve));
  await settle();
}
