// The page of a link is requested while the pointer rests on the link or the link has the
// focus, and shown if the link is followed soon after. There is at most one such page, and
// any change drops it. Which pages may be requested so is up to the server: it answers 204
// for all others, see prefetchable in handlers/prefetch.go.
import { CHANGING } from "./request.ts";

const REST = 80; // ms on a link
const FRESH = 5_000; // ms since its page was requested

type Prefetched = { url: string; since: number; response: Promise<Response | undefined>; abort: () => void };

const refused = new Set<string>(); // kinds of pages, see kindOf
let prefetched: Prefetched | undefined;
let resting: Element | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

// prefetchLinks watches the links of this page and of later ones.
export function prefetchLinks(): void {
  document.addEventListener("pointerover", (event) => event.pointerType !== "touch" && rest(event.target as Element));
  document.addEventListener("focusin", (event) => rest(event.target as Element));
  document.addEventListener(CHANGING, dropPrefetched);
  // The pointer or the focus may be on a link already: this script is loaded then.
  const links = window.matchMedia("(hover: hover)").matches ? "a:hover, a:focus" : "a:focus";
  rest(document.querySelector(links) ?? document.body);
}

// dropPrefetched forgets the requested page, because what it shows may have changed.
export function dropPrefetched(): void {
  clearTimeout(timer);
  prefetched?.abort();
  prefetched = undefined;
}

// fetchPrefetched returns a function like fetch that answers with the requested page, or
// undefined if another page was requested. It requests a page again that the server refused.
export function fetchPrefetched(url: string): typeof fetch | undefined {
  const taken = prefetched;
  prefetched = undefined;
  clearTimeout(timer);
  if (!taken) return undefined;
  if (taken.url !== address(url) || Date.now() - taken.since >= FRESH) return taken.abort(), undefined;
  return async (input, init) => {
    init?.signal?.addEventListener("abort", taken.abort);
    return (await taken.response) ?? fetch(input, init);
  };
}

function rest(target: Element): void {
  const link = target.closest("a") ?? undefined;
  if (link === resting) return;
  resting = link;
  clearTimeout(timer);
  if (link && leadsToPage(link)) timer = setTimeout(() => request(address(link.href)), REST);
}

// leadsToPage returns whether a link leads to another page of the console.
function leadsToPage(link: HTMLAnchorElement): boolean {
  const isPlain = link.hasAttribute("href") && link.origin === location.origin && !link.matches("[target], [download], [data-hx-boost=false]");
  return isPlain && address(link.href) !== address(location.href) && !refused.has(kindOf(link.href)) && !savesData();
}

function request(url: string): void {
  if (prefetched?.url === url && Date.now() - prefetched.since < FRESH) return;
  dropPrefetched();
  const aborter = new AbortController();
  const headers = { "HX-Request": "true", "HX-Request-Type": "full", Purpose: "prefetch" };
  const response = fetch(url, { headers, signal: aborter.signal }).then((response) => {
    if (response.status === 204) refused.add(kindOf(url));
    return response.status === 200 ? response : undefined;
  }, () => undefined);
  prefetched = { url, since: Date.now(), response, abort: () => aborter.abort() };
}

function address(url: string): string {
  return new URL(url, location.href).href.split("#")[0]!;
}

// kindOf returns the path without the numbers of its objects.
function kindOf(url: string): string {
  return new URL(url).pathname.replace(/\d[\d-]*/g, "0");
}

function savesData(): boolean {
  return (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
