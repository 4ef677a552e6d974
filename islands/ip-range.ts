// IPv4 ranges as the server reads them: a.b.c.d, a.b.c.d/n, a.b.c.d-e.f.g.h or
// a.b.c.*; never all addresses at once.

export type Range = { start: number; end: number }; // both included, as numbers of 32 bits

export type Problem = "missing" | "form" | "reversed" | "all";

const EVERYTHING = 2 ** 32;
const OCTET = /^(0|[1-9]\d{0,2})$/;
const BITS = /^(0|[1-9]\d?)$/;
const SPACE = /^\p{White_Space}+|\p{White_Space}+$/gu;

// parseRange reads a range, or says what is wrong with the text.
export function parseRange(text: string): Range | Problem {
  const plain = trim(narrow(text));
  if (plain === "") return "missing";
  const range = endsOf(plain);
  if (!range) return "form";
  if (range.end < range.start) return "reversed";
  return sizeOf(range) === EVERYTHING ? "all" : range;
}

export function isRange(read: Range | Problem): read is Range {
  return typeof read === "object";
}

function endsOf(text: string): Range | null {
  const [network, bits] = cut(text, "/");
  if (bits !== undefined) return blockOf(network, bits);
  if (text.endsWith(".*")) return pair(parseAddress(text.slice(0, -1) + "0"), parseAddress(text.slice(0, -1) + "255"));
  const [from, to = from] = cut(text, "-");
  return pair(parseAddress(trim(from)), parseAddress(trim(to)));
}

function blockOf(network: string, bits: string): Range | null {
  const address = parseAddress(network);
  if (address === null || !BITS.test(bits) || Number(bits) > 32) return null;
  const size = 2 ** (32 - Number(bits));
  const start = Math.floor(address / size) * size;
  return { start, end: start + size - 1 };
}

function pair(start: number | null, end: number | null): Range | null {
  return start === null || end === null ? null : { start, end };
}

// parseAddress reads a.b.c.d without leading zeros; null for anything else.
export function parseAddress(text: string): number | null {
  const octets = text.split(".");
  if (octets.length !== 4 || !octets.every((octet) => OCTET.test(octet) && Number(octet) <= 255)) return null;
  return octets.reduce((sum, octet) => sum * 256 + Number(octet), 0);
}

// isUnfinished says whether a text that is no range may still become one by
// typing on.
export function isUnfinished(text: string): boolean {
  const plain = narrow(text).replace(/^\p{White_Space}+/u, "");
  const [from, to] = cut(plain, "-");
  if (to !== undefined) return parseAddress(trim(from)) !== null && isBeginning(to.trimStart());
  const [network, bits] = cut(plain, "/");
  if (bits !== undefined) return parseAddress(network) !== null && bits === "";
  return isBeginning(plain) || parseAddress(trim(plain)) !== null;
}

function isBeginning(text: string): boolean {
  const octets = text.split(".");
  const last = octets.pop()!;
  const isOctet = (octet: string) => OCTET.test(octet) && Number(octet) <= 255;
  return octets.length < 4 && octets.every(isOctet) && (last === "" || isOctet(last));
}

// sizeOf is how many addresses a range has.
export function sizeOf({ start, end }: Range): number {
  return end - start + 1;
}

// contains says whether an address is in a range. IPv4 written as IPv6 counts
// as IPv4.
export function contains({ start, end }: Range, address: string): boolean {
  const number = parseAddress(address.replace(/^::ffff:/i, ""));
  return number !== null && start <= number && number <= end;
}

export function overlaps(one: Range, other: Range): boolean {
  return one.start <= other.end && other.start <= one.end;
}

// Addresses that the internet never shows: RFC 1918, 6598, 1122 and 3927.
const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"].map((text) => endsOf(text)!);

// isPrivate says whether a range has an address that no visitor from outside has.
export function isPrivate(range: Range): boolean {
  return PRIVATE.some((one) => overlaps(one, range));
}

// A Line is one of many that were pasted: a place and its range, or what is
// wrong with it. Its number counts empty lines too.
export type Line = { number: number; name: string; range: string; text: string; problem: Problem | null };

// parseLines reads lines of "name<tab or comma>range", "range<tab or comma>name",
// the same with a space or colon as people write it in a mail, or a range alone,
// whose name is then its text. Empty lines are passed over.
export function parseLines(text: string): Line[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, i) => (trim(line) === "" ? [] : [parseLine(i + 1, trim(line))]));
}

function parseLine(number: number, text: string): Line {
  const problem = problemOf(text);
  if (!problem) return { number, name: text, range: text, text, problem };
  const at = text.includes("\t") ? text.lastIndexOf("\t") : text.lastIndexOf(",");
  if (at < 0) return parseWords(number, text) ?? { number, name: "", range: text, text, problem };
  const [before, after] = [trim(text.slice(0, at)), trim(text.slice(at + 1))];
  const [name, range] = problemOf(before) ? [before, after] : [after, before];
  return { number, name: name || range, range, text, problem: problemOf(range) };
}

const WRITTEN = String.raw`([\d.]+(?:\.\*|/\d+|\s*-\s*[\d.]+)?)`;
const NAME_FIRST = new RegExp(String.raw`^(.+?)[\s:]+${WRITTEN}$`);
const RANGE_FIRST = new RegExp(String.raw`^${WRITTEN}[\s:]+(.+)$`);
const LONGEST_LINE = 500; // the patterns look at long ones too often
const ORNAMENTS = /^[-–—·•*:()[\] ]+|[-–—·•*:()[\] ]+$/g;

// parseWords finds a range before or after words. Which of two addresses is meant
// is not guessed.
function parseWords(number: number, text: string): Line | null {
  if (text.length > LONGEST_LINE) return null;
  const [, name, range] = NAME_FIRST.exec(text) ?? [];
  const [, swapped, words] = range ? [] : (RANGE_FIRST.exec(text) ?? []);
  const [place, found] = [name ?? words ?? "", range ?? swapped ?? ""];
  if (problemOf(found) || /\d\.\d+\.\d/.test(place)) return null;
  return { number, name: place.replace(ORNAMENTS, "") || found, range: found, text, problem: null };
}

function problemOf(text: string): Problem | null {
  const read = parseRange(text);
  return isRange(read) ? null : read;
}

// narrow writes full-width letters, digits and signs as plain ones.
function narrow(text: string): string {
  return text.replace(/[\u3000\uff01-\uff5e]/g, (wide) => (wide === "\u3000" ? " " : String.fromCharCode(wide.charCodeAt(0) - 0xfee0)));
}

function trim(text: string): string {
  return text.replace(SPACE, "");
}

// cut splits a text at the first separator; without one there is no second part.
function cut(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
