// node dialog.mjs URL COOKIE writes, as JSON, the response times of the target
// dialog of a page in Chromium: milliseconds for each visit.
import { launch, signedIn } from "./browser.mjs";

const RUNS = 7;
const PEOPLE = ["김민", "kim", "이서", "박지", "최유", "hanbit", "정하"];

const [url, cookie] = process.argv.slice(2);
const browser = await launch();
const times = { Open: [], Again: [], Filter: [], People: [], Busy: [] };
for (const people of PEOPLE.slice(0, RUNS)) {
  const context = await signedIn(browser, url, cookie);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.addInitScript(watch);
  await page.goto(url, { waitUntil: "networkidle" });
  const choose = page.locator(".targets > button.btn:visible").first();
  await choose.waitFor();
  for (const list of [times.Open, times.Again]) {
    await page.evaluate(() => watchFor("click", ".target-dialog [role=treeitem]"));
    await choose.click();
    list.push(await painted(page));
    if (list === times.Open) await page.locator(".target-dialog footer .btn").first().click();
  }
  const [filter, search] = [page.locator(".target-tree input[type=search]"), page.locator(".target-people input[type=search]")];
  await filter.fill("영");
  await page.evaluate(() => watchFor("input", ".target-dialog [role=treeitem]"));
  await filter.fill("영업");
  times.Filter.push(await painted(page));
  await page.locator(".target-dialog [data-tab=user]").click();
  await page.evaluate(() => watchFor("/organizations/users", ".target-dialog .target-hit"));
  const before = await busy(session);
  await search.fill(people);
  times.People.push(await painted(page));
  times.Busy.push((await busy(session)) - before);
  await context.close();
}
await browser.close();
process.stdout.write(JSON.stringify(times) + "\n");

// busy returns the processor time, in ms, of scripts, styles and layout so far.
async function busy(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  const kinds = ["ScriptDuration", "RecalcStyleDuration", "LayoutDuration"];
  return metrics.filter(({ name }) => kinds.includes(name)).reduce((sum, { value }) => sum + 1000 * value, 0);
}

async function painted(page) {
  await page.waitForFunction(() => window.painted !== undefined);
  return page.evaluate(() => window.painted);
}

// watch runs inside the page. watchFor waits until the selected elements have
// changed and are painted, and measures the time since an event, or since the end
// of the response from an address.
function watch() {
  window.watchFor = (since, selector) => {
    window.painted = undefined;
    let began = 0;
    if (!since.startsWith("/")) addEventListener(since, (event) => (began = event.timeStamp), { capture: true, once: true });
    const observer = new MutationObserver(() => {
      if (!document.querySelector(selector) || (began === 0 && !since.startsWith("/"))) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          const now = performance.now();
          const answers = performance.getEntriesByType("resource").filter(({ name }) => name.includes(since));
          window.painted = now - (since.startsWith("/") ? answers.at(-1).responseEnd : began);
        };
        channel.port2.postMessage(undefined);
      });
    });
    observer.observe(document, { childList: true, subtree: true, characterData: true });
  };
}
