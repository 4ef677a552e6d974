// Boosted navigation by htmx 4. A requested page is morphed into the current one, so the
// focus, the scroll position and mounted islands stay. A failed request leaves the page
// unchanged. A request for a page ends when the next one begins; a change is waited for,
// because ending its request would lose it.
import htmx from "htmx.org";
import { announceList } from "./announce.ts";
import { report, messageOf } from "./failure.ts";
import { rememberFocus, rememberOpener, restoreFocus, watchQuestions } from "./focus.ts";
import { endLeaving, dirtyForm, allowLeaving, isLeavingAllowed, mayLeave } from "./guard.ts";
import type { Loadbar } from "./loadbar.ts";
import { isSameKind, keepLiveState, resetControls, closeOverlays } from "./morph.ts";
import { dropPrefetched, fetchPrefetched, prefetchLinks } from "./prefetch.ts";
import { personHeader } from "./session-state.ts";
import { withStyles } from "./styles.ts";
import { beginWait } from "./waiting.ts";

// The used part of htmx's request context, which htmx's own types leave open.
type Context = {
  sourceElement: Element;
  target?: Element | string;
  swap?: string;
  replace?: string;
  push?: string;
  text: string;
  failed?: boolean;
  transition?: boolean;
  fetch?: typeof fetch;
  wasPrefetched?: boolean;
  after?: Context | undefined; // the change that was being sent when this was asked for
  ended?: Promise<void>; // of a change
  end?: () => void;
  request: Request;
  response?: { raw: Response; status: number; headers: Headers };
};
type Request = {
  action: string;
  anchor?: string;
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal: AbortSignal;
  abort?: () => void; // missing if htmx restores history: it aborts those requests itself
  submitter?: HTMLElement;
};
type Swap = { fragment: DocumentFragment; swapSpec: { show?: string } };
type HtmxEvent = CustomEvent<{ ctx?: Context; error?: unknown; task?: () => Promise<void>; tasks?: Swap[] }>;

// Error statuses that are shown as pages when a link leads to them.
const ERROR_PAGES = [403, 404];

// Statuses of a form that the server renders again: a value was refused, or
// somebody else saved first.
const RENDERED = [409, 422];

// What the frame does for navigation. Each swap is reported with whether it was the whole
// page, and whether the server has noted the request of it as activity. updateIsland passes
// the props of the next page to an island, and returns whether it is mounted.
export type Hooks = {
  mayNavigate: () => boolean;
  arrived: (whole: boolean, noted: boolean) => void;
  updateIsland: (place: Element, next: Element) => boolean;
};

// navigation begins to handle the links and forms of the page. It is loaded on demand, and
// keeps its state to itself: modules that the main script contains, too, are copies here.
export function navigation(loadbar: Loadbar, { mayNavigate, arrived, updateIsland }: Hooks): void {
  const waits = new WeakMap<Context, () => void>();
  const shown = new WeakSet<Context>();
  let here = location.href;
  let pending: Context | undefined; // the latest page request
  const sent = new WeakMap<Element, string>(); // what a form with [data-several] was submitted with last
  watchQuestions();
  prefetchLinks();

  on("config:request", (event, ctx) => {
    if (isLeaving(ctx)) return event.preventDefault(), void confirmLeaving(ctx, () => here);
    if (isBusy(ctx, sent)) return event.preventDefault();
    if (isPage(ctx) && !mayNavigate()) return event.preventDefault(), location.assign(ctx.request.action);
    prepare(ctx);
    if (isChange(ctx)) {
      markBusy(ctx);
      sent.set(ctx.sourceElement, fieldsOf(ctx));
      ctx.ended = new Promise((resolve) => (ctx.end = resolve));
    }
    if (!isBody(ctx)) return;
    (document as { activeViewTransition?: { skipTransition(): void } }).activeViewTransition?.skipTransition();
    ctx.after = pending && isChange(pending) ? pending : pending?.after;
    if (pending && !isChange(pending)) pending.request.abort?.();
    pending = ctx;
  });
  on("before:request", (_, ctx) => {
    const endBar = loadbar.begin();
    if (isChange(ctx)) dropPrefetched();
    else if (isPage(ctx) && !ctx.after) usePrefetched(ctx);
    if (ctx.after) ctx.fetch = fetchAfter(ctx.after);
    if (isBody(ctx)) ctx.fetch = withStyles(ctx.fetch ?? window.fetch.bind(window));
    if (!isChange(ctx)) return void waits.set(ctx, endBar);
    const endWait = beginWait(() => ctx.request.abort?.());
    waits.set(ctx, () => (endBar(), endWait()));
    markBusy(ctx); // a swap since may have removed it
  });
  on("finally:request", (_, ctx) => {
    waits.get(ctx)?.();
    if (isChange(ctx)) {
      ctx.sourceElement.removeAttribute("aria-busy");
      dropPrefetched(); // it may be a page from before the change
      ctx.end?.();
    }
    if (pending === ctx) pending = undefined;
  });
  on("before:response", (event, ctx) => {
    const type = ctx.response?.headers.get("Content-Type") ?? "";
    if (isPage(ctx) && ctx.response?.raw.ok && !type.includes("html")) event.preventDefault(), location.assign(ctx.request.action);
  });
  on("response:error", (_, ctx) => handleRefusal(ctx));
  on("before:swap", (event, ctx) => {
    if (ctx.failed) return event.preventDefault();
    if (!isBody(ctx)) return;
    if (isNewRelease(ctx)) return event.preventDefault(), allowLeaving(), location.assign(finalURL(ctx));
    if (finalURL(ctx) === location.href) ctx.replace ??= "true";
    rememberOpener(ctx.request.submitter ?? ctx.sourceElement, new URL(here));
    const page = event.detail.tasks?.[0];
    if (page && isSamePlace(ctx, page)) page.swapSpec.show = "none";
    rememberFocus();
    closeOverlays();
    resetControls(isRestore(ctx));
    ctx.transition = isMove(ctx, here);
    setLanguage(/<html[^>]*\slang="?([\w-]+)/.exec(ctx.text)?.[1]);
  });
  // The page is ready when it is there, and not only when its transition ends.
  on("before:viewTransition", ({ detail }, ctx) => {
    const swap = detail.task!;
    detail.task = async () => (await swap(), show(ctx));
  });
  on("after:swap", (_, ctx) => show(ctx));
  function show(ctx: Context): void {
    if (shown.has(ctx)) return;
    shown.add(ctx);
    const moved = new URL(here).pathname !== location.pathname;
    const isAsked = isPage(ctx) && !moved && here !== location.href;
    here = location.href;
    if (isBody(ctx)) endLeaving();
    if (isBody(ctx) && !ctx.request?.anchor) restoreFocus(moved);
    arrived(isBody(ctx), !ctx.wasPrefetched);
    if (isAsked) announceList();
  }
  document.addEventListener("htmx:error", (event) => handleNoResponse((event as HtmxEvent).detail.ctx));

  htmx.registerExtension("console", {
    init(api: { isSoftMatch: (old: Node, next: Node) => boolean }) {
      const isSoftMatch = api.isSoftMatch;
      api.isSoftMatch = (old, next) => isSoftMatch(old, next) && isSameKind(old as Element, next as Element);
    },
    htmx_before_morph_node: (_: Element, { oldNode, newNode }: { oldNode: Element; newNode: Element }) => !updateIsland(oldNode, newNode) && keepLiveState(oldNode, newNode),
  });
  htmx.initialize(); // it would wait for a timer
}

// visit navigates to a page of the console like a link.
export function visit(url: string): void {
  void htmx.ajax("GET", url, { target: document.body, push: "true" } as never);
}

function on(name: string, handle: (event: HtmxEvent, ctx: Context) => void): void {
  document.addEventListener(`htmx:${name}`, (event) => {
    const { ctx } = (event as HtmxEvent).detail;
    if (ctx) handle(event as HtmxEvent, ctx);
  });
}

// prepare builds the URL as the browser would: a form's fields replace the
// query of its action. Empty fields are left out. A change says who sends it.
function prepare(ctx: Context): void {
  const { request } = ctx;
  if (isBody(ctx)) ctx.swap = "outerMorph";
  if (isChange(ctx)) Object.assign(request.headers, personHeader());
  if (request.method !== "GET" || !(ctx.sourceElement instanceof HTMLFormElement)) return;
  request.action = (request.action || location.pathname).split("?")[0]!;
  const fields = request.body as FormData;
  for (const [key, value] of [...fields]) if (value === "") fields.delete(key);
}

// usePrefetched answers a request with the page that was requested when the pointer rested
// on its link.
function usePrefetched(ctx: Context): void {
  const fetch = fetchPrefetched(ctx.request.action);
  if (!fetch) return;
  ctx.fetch = fetch;
  ctx.wasPrefetched = true;
}

// fetchAfter returns a fetch that waits for a change. If the change fails, it requests nothing,
// so that the message about it stays.
function fetchAfter(change: Context): typeof fetch {
  return async (...request) => {
    await change.ended;
    if (!change.response || change.response.status >= 400) throw new DOMException("the change failed", "AbortError");
    return fetch(...request);
  };
}

// isMove returns whether a swap leads to another page, which then fades in. A page that is
// filtered, sorted or saved changes at once.
function isMove(ctx: Context, here: string): boolean {
  const url = new URL(finalURL(ctx));
  return url.pathname !== new URL(here).pathname && !url.hash && ctx.request.method === "GET" && window.matchMedia("(prefers-reduced-motion: no-preference)").matches;
}

// isSamePlace returns whether a swap shows the same page with something saved, or with a
// question above it or none any more: it is then not scrolled to its top.
function isSamePlace({ request }: Context, { fragment }: Swap): boolean {
  const hasQuestion = [document, fragment].some((page) => page.querySelector("dialog[data-question]"));
  const [old, next] = [document, fragment].map((page) => page.querySelector("main h1")?.textContent);
  return (request.method !== "GET" || hasQuestion) && next !== undefined && next === old;
}

// setLanguage leaves the same language alone: the browser would compute all styles again.
function setLanguage(lang: string | undefined): void {
  if (lang && lang !== document.documentElement.lang) document.documentElement.lang = lang;
}

// handleRefusal prevents the swap of a failed response, except for a form that
// the server renders again and for error pages. A message that only scripts get
// is shown in a dialog, also for a page request.
function handleRefusal(ctx: Context): void {
  const { status, headers } = ctx.response!;
  const isHTML = headers.get("Content-Type")?.includes("html");
  if (RENDERED.includes(status) && isHTML) return void (ctx.push = ctx.replace = "false");
  const hasPage = ERROR_PAGES.includes(status) && isPage(ctx);
  if (hasPage && isHTML) return;
  ctx.failed = true;
  if (hasPage) return allowLeaving(), location.assign(ctx.request.action);
  const message = messageOf(ctx.text, headers);
  report({ status, done: isChange(ctx) && ctx.response!.raw.redirected, ...(message !== undefined && { message }) });
}

// handleNoResponse handles a request without a response. (An exception while
// swapping comes from the page's scripts, not from the server; it is in the
// browser's console.)
function handleNoResponse(ctx: Context | undefined): void {
  if (ctx && !ctx.response) report({ status: 0, timeout: (ctx.request.signal.reason as unknown) === "timeout" });
}

// isLeaving returns whether a request would lose unsaved changes: those of any
// form but the one that is submitted. A link with [data-unguarded] keeps them.
function isLeaving({ sourceElement, ...ctx }: Context): boolean {
  return isBody(ctx) && !isLeavingAllowed() && !sourceElement.closest("[data-unguarded]") && dirtyForm(sourceElement) !== undefined;
}

// confirmLeaving delays a request until the person agrees to lose unsaved
// changes. If they stay after going back in history, the URL is restored, unless a save
// that was under way has led to another page meanwhile.
async function confirmLeaving(ctx: Context, here: () => string): Promise<void> {
  const { request, sourceElement } = ctx;
  const left = here();
  if (await mayLeave()) {
    allowLeaving();
    if (sourceElement instanceof HTMLFormElement) sourceElement.requestSubmit(request.submitter);
    else if (sourceElement instanceof HTMLAnchorElement) sourceElement.click();
    else location.assign(request.action);
  } else if (isRestore({ request }) && here() === left) {
    history.pushState({ htmx: true }, "", left);
  }
}

// A form that waits for its response is not submitted twice. One with [data-several] changes
// several things, each with its own fields, and is not submitted twice for one of them.
function isBusy(ctx: Context, sent: WeakMap<Element, string>): boolean {
  const { sourceElement } = ctx;
  if (!isChange(ctx) || sourceElement.getAttribute("aria-busy") !== "true") return false;
  return !sourceElement.hasAttribute("data-several") || sent.get(sourceElement) === fieldsOf(ctx);
}

function markBusy({ sourceElement }: Context): void {
  sourceElement.setAttribute("aria-busy", "true");
}

function fieldsOf({ request }: Context): string {
  return JSON.stringify([...(request.body as FormData)]);
}

function isChange({ request }: Context): boolean {
  return request.method !== "GET";
}

function isBody(ctx: Pick<Context, "target">): boolean {
  return ctx.target === document.body;
}

// isRestore returns whether a request follows from going back or forward in history.
function isRestore({ request }: Pick<Context, "request">): boolean {
  return "HX-History-Restore-Request" in request.headers;
}

function isPage(ctx: Context): boolean {
  return isBody(ctx) && ctx.request.method === "GET";
}

function finalURL({ response, request }: Context): string {
  const url = new URL(response?.raw.url || request.action, location.href);
  if (request.anchor) url.hash = request.anchor;
  return url.href;
}

// A page with another main script comes from another release: the browser loads
// it whole, with its own scripts and styles.
function isNewRelease(ctx: Context): boolean {
  const asked = /\/static\/main-\w+\.js/.exec(ctx.text)?.[0];
  const running = document.querySelector<HTMLScriptElement>('script[src*="/static/main-"]')?.getAttribute("src");
  const isRead = ctx.request.method === "GET" || ctx.response?.raw.redirected;
  return Boolean(isRead && asked && running && asked !== running);
}
