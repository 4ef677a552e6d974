// Bundles the islands and the stylesheets into static/built: hashed files, each
// precompressed, manifest.json {logical name: hashed file}, and packages.json,
// the npm packages that they contain.
//
//   node bundle.mjs            bundle once
//   node bundle.mjs --watch    bundle again whenever a source changes
import { build } from "esbuild";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const built = join(here, "../static/built");
const watching = process.argv.includes("--watch");

// The lazy import that a click may wait for is one file, without shared chunks.
const ALONE = "navigation.ts";

const options = {
  absWorkingDir: here,
  outdir: built,
  publicPath: "/static/",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  minify: true,
  legalComments: "eof",
  footer: { js: "/*! Licenses: /static/NOTICE.txt */" },
  metafile: true,
  define: { "process.env.NODE_ENV": '"production"' },
  loader: { ".svg": "copy" },
  logLevel: "info",
};

await bundle();
if (watching) watchSources();

async function bundle() {
  const lazy = await buildLazy();
  const entries = await buildEntries(lazy);
  const outputs = { ...lazy, ...entries };
  const names = Object.keys(outputs).map((path) => basename(path));
  await removeOthers(names);
  await Promise.all(names.map(compress));
  await writeJSON("packages.json", packages(outputs));
  await writeJSON("manifest.json", manifest(entries));
}

// The lazy imports of main are built first, as entry points that share chunks
// with each other. If they were built together with main, the chunk shared with
// main would be one more request before the script of every page could run.
async function buildLazy() {
  const sources = await lazySources();
  const { metafile } = await build({ ...options, entryPoints: sources.filter((path) => path !== ALONE), splitting: true });
  await removeEmptyImports(metafile.outputs);
  const alone = await build({ ...options, entryPoints: [ALONE] });
  return { ...metafile.outputs, ...alone.metafile.outputs };
}

// esbuild puts its own functions, which CommonJS packages need, into a chunk that every
// entry point imports for its side effects. It has none, and would be one more request
// on each page.
async function removeEmptyImports(outputs) {
  const isRuntime = ({ inputs }) => Object.keys(inputs).length === 0;
  const runtime = Object.keys(outputs).filter((path) => isRuntime(outputs[path]));
  for (const path of Object.keys(outputs)) {
    const file = resolve(here, path);
    const code = await readFile(file, "utf8");
    const shorter = runtime.reduce((code, chunk) => code.replace(`import"/static/${basename(chunk)}";`, ""), code);
    if (shorter !== code) await writeFile(file, shorter);
  }
}

async function buildEntries(lazy) {
  const { metafile } = await build({
    ...options,
    entryPoints: {
      main: "main.tsx",
      console: "../static/css/console.css",
      policies: "../static/css/policies.css",
      records: "../static/css/records.css",
      notices: "../static/css/notices.css",
      links: "../static/css/links.css",
      usage: "../static/css/usage.css",
      security: "../static/css/security.css",
      favicon: "../static/images/favicon.svg",
    },
    plugins: [hashedImports(lazy)],
  });
  return metafile.outputs;
}

// lazySources returns the files that main and its imports load with import().
async function lazySources() {
  const { metafile } = await build({ ...options, entryPoints: ["main.tsx"], splitting: true, packages: "external", write: false, logLevel: "silent" });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const lazy = imports.filter(({ kind, external }) => kind === "dynamic-import" && !external);
  return [...new Set(lazy.map(({ path }) => path))].sort();
}

// hashedImports replaces import("./file.tsx") by the URL of its bundle.
function hashedImports(outputs) {
  const addresses = new Map(
    Object.entries(outputs)
      .filter(([, output]) => output.entryPoint)
      .map(([path, output]) => [join(here, output.entryPoint), `/static/${basename(path)}`]),
  );
  return {
    name: "hashed-imports",
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const address = addresses.get(resolve(resolveDir, path));
        return address ? { path: address, external: true } : { errors: [{ text: `${path} was not bundled` }] };
      });
    },
  };
}

// A file's logical name is its name without the hash.
function manifest(outputs) {
  const names = Object.keys(outputs).map((path) => basename(path));
  return Object.fromEntries(names.sort().map((name) => [name.replace(/-[A-Z0-9]{8}(?=\.\w+$)/, ""), name]));
}

// packages returns the npm packages that the outputs contain parts of.
function packages(outputs) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const names = used.map(([path]) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return [...new Set(names.filter(Boolean))].sort();
}

async function writeJSON(name, value) {
  await writeFile(join(built, name), JSON.stringify(value, null, 2) + "\n");
}

async function removeOthers(names) {
  const keep = new Set([".keep", "NOTICE.txt", ...names]);
  const old = (await readdir(built)).filter((name) => !keep.has(name));
  await Promise.all(old.map((name) => rm(join(built, name))));
}

async function compress(name) {
  const data = await readFile(join(built, name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: watching ? 4 : constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: data.length };
  const br = await promisify(brotliCompress)(data, { params });
  const gz = await promisify(gzip)(data, { level: watching ? 1 : 9 });
  await Promise.all([writeFile(join(built, name + ".br"), br), writeFile(join(built, name + ".gz"), gz)]);
}

function watchSources() {
  let timer;
  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(() => bundle().catch(() => undefined), 100); // esbuild has printed the error
  };
  for (const dir of [here, join(here, "../static/css"), join(here, "../static/images")]) {
    watch(dir, (_, name) => /\.(tsx?|css|svg)$/.test(name ?? "") && again());
  }
}
