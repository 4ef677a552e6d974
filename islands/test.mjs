// Runs the tests: bundles each *.test.ts for Node and runs node --test.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "node_modules/.tests");
const tests = readdirSync(here).filter((name) => /\.test\.tsx?$/.test(name));

rmSync(out, { recursive: true, force: true });
await build({
  absWorkingDir: here,
  entryPoints: tests,
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  mainFields: ["module", "main"],
  target: "node20",
  jsx: "automatic",
  external: ["happy-dom"],
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  sourcemap: "inline",
  logLevel: "warning",
});

const files = tests.map((name) => join(out, name.replace(/\.tsx?$/, ".mjs")));
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", "--test-timeout=60000", ...files], { cwd: here, stdio: "inherit" });
process.exit(status ?? 1);
