// node measure.mjs URL COOKIE writes, as JSON, the cost of a page in Chromium:
// cold, warm, and cold on a slow connection and processor with and without
// scripts.
// Every figure is the median of several visits. It uses the Playwright of e2e/.
import { launch, signedIn } from "./browser.mjs";

const RUNS = 5;
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }; // bytes a second
const SLOWER = 6; // times
const SETTLING = 500; // ms, for the last changes to be painted

const [url, cookie] = process.argv.slice(2);
const browser = await launch();
const runs = { cold: [], warm: [], slow: [], bare: [] };
for (let run = 0; run < RUNS; run++) {
  const [cold, warm] = await visits({}, 2);
  const [slow] = await visits({ slow: true }, 1);
  const [bare] = await visits({ slow: true, bare: true }, 1);
  for (const [name, visit] of Object.entries({ cold, warm, slow, bare })) runs[name].push(visit);
}
await browser.close();
const result = Object.fromEntries(Object.entries(runs).map(([name, list]) => [name, medians(list)]));
result.lcpRatio = runs.slow.map((visit, run) => visit.lcp / runs.bare[run].lcp);
result.blocking = runs.slow.map((visit) => visit.blocking);
process.stdout.write(JSON.stringify(result) + "\n");

// visits opens the page several times in a browser whose cache is empty before.
async function visits({ slow, bare }, times) {
  const context = await signedIn(browser, url, cookie);
  const page = await context.newPage();
  await page.addInitScript(observe);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  if (slow) {
    await session.send("Network.emulateNetworkConditions", SLOW);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  }
  if (bare) await session.send("Network.setBlockedURLs", { urls: ["*.js"] });
  const list = [];
  for (let i = 0; i < times; i++) {
    list.push(await visit(page, session));
    await page.goto("about:blank");
  }
  await context.close();
  return list;
}

async function visit(page, session) {
  const requests = new Map();
  const handlers = {
    "Network.requestWillBeSent": (e) => /^https?:/.test(e.request.url) && requests.set(e.requestId, { url: e.request.url, type: e.type, bytes: 0 }),
    "Network.responseReceived": (e) => note(e.requestId, { cached: e.response.fromDiskCache, status: e.response.status }),
    "Network.requestServedFromCache": (e) => note(e.requestId, { cached: true }),
    "Network.loadingFinished": (e) => note(e.requestId, { bytes: e.encodedDataLength }),
  };
  const note = (id, what) => requests.has(id) && Object.assign(requests.get(id), what);
  for (const [name, handler] of Object.entries(handlers)) session.on(name, handler);
  await page.goto(url, { waitUntil: "networkidle" });
  await page.waitForFunction(() => window.seen.lcp > 0);
  await page.waitForTimeout(SETTLING);
  const seen = await page.evaluate(() => ({
    ...window.seen,
    url: location.href,
    started: performance.getEntriesByType("resource").map((e) => [e.name, e.startTime]),
  }));
  for (const [name, handler] of Object.entries(handlers)) session.off(name, handler);
  if (seen.url !== url) throw new Error(`${url} leads to ${seen.url}`);
  return summary([...requests.values()], seen);
}

function summary(requests, seen) {
  const failed = requests.find((r) => r.status >= 400);
  if (failed) throw new Error(`${failed.url}: ${failed.status}`);
  const sent = requests.filter((r) => r.status && !r.cached);
  const bytes = (list) => list.reduce((sum, r) => sum + r.bytes, 0);
  const of = (type) => sent.filter((r) => r.type === type);
  const started = new Map(seen.started);
  return {
    bytes: bytes(sent),
    requests: sent.length,
    html: bytes(of("Document")),
    script: bytes(of("Script")),
    style: bytes(of("Stylesheet")),
    scriptAfterPaint: bytes(of("Script").filter((r) => (started.get(r.url) ?? 0) > seen.fcp)),
    fcp: seen.fcp,
    lcp: seen.lcp,
    cls: seen.cls,
    blocking: seen.tasks.reduce((sum, [start, duration]) => sum + (start + duration > seen.fcp ? Math.max(0, duration - 50) : 0), 0),
  };
}

// observe runs inside the page, before the page's own scripts.
function observe() {
  const seen = (window.seen = { fcp: 0, lcp: 0, cls: 0, tasks: [] });
  const on = (type, handler) => new PerformanceObserver((list) => list.getEntries().forEach(handler)).observe({ type, buffered: true });
  on("paint", (e) => e.name === "first-contentful-paint" && (seen.fcp = e.startTime));
  on("largest-contentful-paint", (e) => (seen.lcp = e.startTime));
  on("layout-shift", (e) => e.hadRecentInput || (seen.cls += e.value));
  on("longtask", (e) => seen.tasks.push([e.startTime, e.duration]));
}

function medians(list) {
  const median = (key) => list.map((visit) => visit[key]).sort((a, b) => a - b)[Math.floor(list.length / 2)];
  return Object.fromEntries(Object.keys(list[0]).map((key) => [key, median(key)]));
}
