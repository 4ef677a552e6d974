// Compares pictures of pages with the last accepted ones, of which pictures/ has the
// fingerprints, a file for each state of a page.
//
// A picture that differs, and one that is new, is written to changed-pictures/, with a
// copy in which the changed cells are outlined. Whoever has looked at it runs make
// accept-pictures, which writes the fingerprints of what is in that folder, and commits
// them with what changed the page.
//
// The fonts and the browser decide how a page looks, so only the browser of the npm
// package is compared.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Page, test } from "@playwright/test";
import { PNG } from "pngjs";
import { isPacked } from "./browser.ts";
import { changedCells, decode, encode, type Fingerprint, fingerprint, outline } from "./fingerprint.ts";
import { type PageState, pageStates } from "./pages.ts";
import type { Language } from "./texts.ts";

const ACCEPTED = join(import.meta.dirname, "pictures");
const CHANGED = join(import.meta.dirname, "changed-pictures");
const OUTLINED = "-outlined.png";

// How many milliseconds a page may take until it looks as accepted: fewer if it has
// changed in another picture already, or if many pages have.
const [PATIENCE, IMPATIENCE] = [15_000, 1_000];
const MANY = 20;

// changedPictures takes the pictures of a page at its present size, light and dark, and
// returns where they differ from the accepted ones.
export async function changedPictures(page: Page, state: PageState, language: Language): Promise<string[]> {
  if (!isPacked) return [];
  const accepted = acceptedPictures(state.name);
  const changed: string[] = [];
  await hide(page, state.random);
  await page.mouse.move(0, 0); // where it does not hover over anything that has moved
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const name = `${language} ${page.viewportSize()!.width} ${colorScheme}`;
    const before = accepted.get(name);
    const { file, cells } = await take(page, before, patience(state.name));
    if (!before || cells.length > 0) changed.push(await report(`${state.name} ${name}`, file, cells));
  }
  return changed;
}

// hide hides the caret, which blinks, and what is random.
async function hide(page: Page, random = ""): Promise<void> {
  await page.evaluate((selector) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { caret-color: transparent !important } ${selector ? `${selector} { visibility: hidden !important }` : ""}`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]; // dialogs have adopted theirs
  }, random);
}

// take takes pictures until one looks as accepted, and returns which cells differ. If
// none does, or none is accepted, the page is finished once two pictures are the same.
async function take(page: Page, accepted: Fingerprint | undefined, patience: number): Promise<{ file: Buffer; cells: number[] }> {
  const session = await page.context().newCDPSession(page); // faster than page.screenshot
  let last = "";
  let cells: number[] = [];
  const [start, end] = [Date.now(), Date.now() + (accepted ? patience : 0)];
  for (;;) {
    const { data } = await session.send("Page.captureScreenshot", { format: "png", optimizeForSpeed: true });
    const file = Buffer.from(data, "base64");
    const isSame = data === last;
    if (accepted && !isSame) cells = changedCells(accepted, fingerprint(PNG.sync.read(file)));
    const isAccepted = accepted && cells.length === 0;
    if (isAccepted || (isSame && Date.now() > end) || Date.now() > start + PATIENCE) {
      await session.detach();
      return { file, cells };
    }
    last = data;
  }
}

function patience(state: string): number {
  return changedFiles().length > MANY || changedFilesOf(state).length > 0 ? IMPATIENCE : PATIENCE;
}

// report writes a picture that is not as accepted, and says where it differs. The results of
// the test have it, too, because another try forgets what is in changed-pictures/.
async function report(name: string, file: Buffer, cells: number[]): Promise<string> {
  mkdirSync(CHANGED, { recursive: true });
  const path = join(CHANGED, name.replaceAll(" ", "-"));
  writeFileSync(`${path}.png`, file);
  await test.info().attach(name, { path: `${path}.png` });
  if (cells.length === 0) return `${path}.png is new`;
  const picture = PNG.sync.read(file);
  const where = outline(picture, cells);
  writeFileSync(path + OUTLINED, PNG.sync.write(picture));
  return `${path}.png differs in ${cells.length} cells, the first at ${where}`;
}

// forgetChanged removes the pictures of an earlier run.
export function forgetChanged(): void {
  rmSync(CHANGED, { recursive: true, force: true });
}

// forgetChangedState removes the pictures of a state, before it is tried again.
export function forgetChangedState(state: string): void {
  for (const file of changedFilesOf(state)) rmSync(join(CHANGED, file));
}

// accept writes the fingerprints of the changed pictures, and returns their number. It
// removes those of states that no longer exist.
export function accept(): number {
  const pictures = changedFiles().filter((file) => !file.endsWith(OUTLINED));
  const byState = new Map<string, Map<string, Fingerprint>>();
  for (const file of pictures) {
    const [, state, name] = /^(.+)-(\w+-\w+-\w+)\.png$/.exec(file) as string[] as [string, string, string];
    const accepted = byState.get(state) ?? acceptedPictures(state);
    accepted.set(name.replaceAll("-", " "), fingerprint(PNG.sync.read(readFileSync(join(CHANGED, file)))));
    byState.set(state, accepted);
  }
  for (const [state, accepted] of byState) writeFileSync(acceptedFile(state), encode(accepted));
  const files = new Set(pageStates.map(({ name }) => acceptedFile(name)));
  for (const file of readdirSync(ACCEPTED)) if (!files.has(join(ACCEPTED, file))) rmSync(join(ACCEPTED, file));
  forgetChanged();
  return pictures.length;
}

function changedFiles(): string[] {
  return existsSync(CHANGED) ? readdirSync(CHANGED) : [];
}

// changedFilesOf returns the files of a state, of which "policy" is one and
// "policy-reach" another.
function changedFilesOf(state: string): string[] {
  return changedFiles().filter((file) => /^-[a-z]+-\d+-/.test(file.slice(state.length)) && file.startsWith(state));
}

// acceptedPictures returns the fingerprints of a state by language, width and theme.
function acceptedPictures(state: string): Map<string, Fingerprint> {
  const file = acceptedFile(state);
  return existsSync(file) ? decode(readFileSync(file, "utf8")) : new Map();
}

function acceptedFile(state: string): string {
  return join(ACCEPTED, `${state}.txt`);
}
