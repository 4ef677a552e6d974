// The browser that pages are measured in, by the Playwright of e2e/.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const e2e = fileURLToPath(new URL("../../e2e/", import.meta.url));
const { chromium } = createRequire(join(e2e, "package.json"))("@playwright/test");

const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

export function launch() {
  return chromium.launch({ executablePath: installed(), chromiumSandbox: process.getuid?.() !== 0, args: QUIET });
}

// signedIn returns a browser with an empty cache and a session's cookie.
export async function signedIn(browser, url, cookie) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "ko-KR" });
  const [name, value] = cookie.split("=");
  await context.addCookies([{ name, value, url: new URL(url).origin }]);
  return context;
}

// installed returns the path of the browser: CHROMIUM_PATH, else one on the PATH,
// else the one that the tests of e2e/ have unpacked.
function installed() {
  const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
  const onPath = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const candidates = [process.env.CHROMIUM_PATH ?? "", ...onPath, join(e2e, "node_modules/.cache/chromium/chromium")];
  const found = candidates.find((path) => path !== "" && existsSync(path));
  if (!found) throw new Error("no Chromium: set CHROMIUM_PATH, or run make test-e2e once");
  return found;
}
