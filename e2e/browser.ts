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
const FONT_PACKAGES = ["@embedpdf/fonts-kr", "@embedpdf/fonts-jp", "@embedpdf/fonts-latin", "@expo-google-fonts/noto-sans-mono", "@expo-google-fonts/noto-sans-math"];

const given = process.env["CHROMIUM_PATH"];

// isPacked reports whether the browser is the one of the npm package.
export const isPacked = !given && process.platform === "linux" && process.arch === "x64";

export async function browser(): Promise<LaunchOptions> {
  if (given && !existsSync(given)) throw new Error(`CHROMIUM_PATH: there is no ${given}`);
  if (isPacked) return { ...(await packed()), chromiumSandbox: false, args: QUIET };
  const installed = given || onPath();
  if (!installed) throw new Error("no Chromium on the PATH: set CHROMIUM_PATH");
  return { executablePath: installed, chromiumSandbox: process.getuid?.() !== 0, args: QUIET }; // the sandbox refuses root
}

function onPath(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync);
}

// packed unpacks the browser of the npm package, once and completely. Its
// libraries are used if the system lacks them. It knows only the fonts of npm
// packages and one language, so that pages look the same on every machine.
async function packed(): Promise<LaunchOptions> {
  if (!existsSync(PACKED)) await inflate();
  const env = { ...process.env } as Record<string, string>;
  if (!hasLibraries()) env["LD_LIBRARY_PATH"] = join(PACKED, "al2023", "lib");
  Object.assign(env, { FONTCONFIG_FILE: FONTS, LANGUAGE: "", LC_ALL: "C.UTF-8" }); // the language of the browser's own controls
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
    writeFileSync(join(partial, "fonts.conf"), fontConfiguration());
    renameSync(partial, PACKED);
  } finally {
    rmSync(partial, { recursive: true, force: true });
    restore({ TMPDIR, AWS_EXECUTION_ENV, LD_LIBRARY_PATH });
  }
}

function fontConfiguration(): string {
  const folders = FONT_PACKAGES.map((name) => `<dir>${join(import.meta.dirname, "node_modules", name)}</dir>`);
  const families = { "sans-serif": "Noto Sans", "system-ui": "Noto Sans", monospace: "Noto Sans Mono" };
  const aliases = Object.entries(families).map(([generic, family]) => `<alias><family>${generic}</family><prefer><family>${family}</family></prefer></alias>`);
  return `<fontconfig>${folders.join("")}<cachedir>${join(PACKED, "font-cache")}</cachedir>${aliases.join("")}</fontconfig>`;
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
