// The browser for the tests: CHROMIUM_PATH, else the one of the npm package, which has
// no windows and takes half as long as an installed Chromium, else a Chromium on the
// PATH where the package has none.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { LaunchOptions } from "@playwright/test";

// The browser sends requests to the console only.
const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

const PACKED = join(import.meta.dirname, "node_modules", ".cache", "chromium");
const FONTS = join(PACKED, "fonts.conf");

export async function browser(): Promise<LaunchOptions> {
  const given = process.env["CHROMIUM_PATH"];
  if (given && !existsSync(given)) throw new Error(`CHROMIUM_PATH: there is no ${given}`);
  const isPacked = process.platform === "linux" && process.arch === "x64";
  if (!given && isPacked) return { ...(await packed()), chromiumSandbox: false, args: QUIET };
  const installed = given || onPath();
  if (!installed) throw new Error("no Chromium on the PATH: set CHROMIUM_PATH");
  return { executablePath: installed, chromiumSandbox: process.getuid?.() !== 0, args: QUIET }; // the sandbox refuses root
}

function onPath(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync);
}

// packed unpacks the browser of the npm package, once and completely. Its
// libraries and fonts are used if the system lacks them.
async function packed(): Promise<LaunchOptions> {
  if (!existsSync(PACKED)) await inflate();
  const env = { ...process.env } as Record<string, string>;
  if (!hasLibraries()) env["LD_LIBRARY_PATH"] = join(PACKED, "al2023", "lib");
  if (!existsSync("/etc/fonts/fonts.conf")) env["FONTCONFIG_FILE"] = FONTS;
  return { executablePath: join(PACKED, "chromium"), env };
}

// The package unpacks into the temporary directory, and unpacks its libraries
// only if it detects Amazon's environment.
async function inflate(): Promise<void> {
  const { TMPDIR, AWS_EXECUTION_ENV, LD_LIBRARY_PATH } = process.env;
  const partial = `${PACKED}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  Object.assign(process.env, { TMPDIR: partial, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" });
  try {
    const { default: chromium } = await import("@sparticuz/chromium");
    await chromium.executablePath();
    writeFileSync(join(partial, "fonts.conf"), `<fontconfig><dir>${join(PACKED, "fonts")}</dir><dir>/usr/share/fonts</dir></fontconfig>`);
    renameSync(partial, PACKED);
  } finally {
    rmSync(partial, { recursive: true, force: true });
    restore({ TMPDIR, AWS_EXECUTION_ENV, LD_LIBRARY_PATH });
  }
}

function restore(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

function hasLibraries(): boolean {
  try {
    return execFileSync("/sbin/ldconfig", ["-p"], { encoding: "utf8" }).includes("libnss3.so");
  } catch {
    return false;
  }
}
