// Type-ahead in trees and menus: typed letters move the focus to the next name that begins
// with them. A Korean name is found by its letters as they are typed, one after another,
// and by its initial consonants.

const PAUSE = 600; // ms after which typing begins anew
const [INITIALS, FINALS] = ["ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ", "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"];
const FIRST_VOWEL = "ㅏ".charCodeAt(0);

// Vowels and final consonants that are typed as two letters.
const PAIRS: Record<string, string> = Object.fromEntries(
  "ㅘㅗㅏ ㅙㅗㅐ ㅚㅗㅣ ㅝㅜㅓ ㅞㅜㅔ ㅟㅜㅣ ㅢㅡㅣ ㄳㄱㅅ ㄵㄴㅈ ㄶㄴㅎ ㄺㄹㄱ ㄻㄹㅁ ㄼㄹㅂ ㄽㄹㅅ ㄾㄹㅌ ㄿㄹㅍ ㅀㄹㅎ ㅄㅂㅅ".split(" ").map((pair) => [pair[0]!, pair.slice(1)]),
);

let typed = "";
let since = -Infinity;

// isLetter returns whether a key types a letter, rather than moving or choosing.
export function isLetter({ key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">): boolean {
  return [...key].length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;
}

// typeAhead adds a letter to those typed just before, and returns the index of the next name
// that begins with them, or -1. The same letter again moves on to the next such name.
export function typeAhead(letter: string, names: string[], current: number, now = Date.now()): number {
  const [one, begins] = [lettersOf(letter), now - since >= PAUSE];
  typed = begins ? one : typed + one;
  since = now;
  const find = (text: string, from: number) => {
    const order = names.map((_, i) => (i + from) % names.length);
    return order.find((i) => lettersOf(names[i]!).startsWith(text) || initialsOf(names[i]!).startsWith(text)) ?? -1;
  };
  if (begins) return find(one, current + 1);
  const found = find(typed, Math.max(current, 0));
  const isRepeated = typed === one.repeat(typed.length / one.length);
  return found < 0 && isRepeated ? find(one, current + 1) : found;
}

// lettersOf returns a text in the letters of a keyboard, "연구" as "ㅇㅕㄴㄱㅜ".
function lettersOf(text: string): string {
  return [...text.trim().normalize("NFKD").toLowerCase()].map(keysOf).join("");
}

// keysOf returns the keys that type a character. In their decomposed form the parts of
// Hangul syllables have codes of their own.
function keysOf(character: string): string {
  const code = character.charCodeAt(0);
  const at = (first: number, letters: string) => letters[code - first];
  const vowel = code >= 0x1161 && code <= 0x1175 ? String.fromCharCode(FIRST_VOWEL + code - 0x1161) : undefined;
  const letter = at(0x1100, INITIALS) ?? vowel ?? at(0x11a8, FINALS) ?? character;
  return PAIRS[letter] ?? letter;
}

// initialsOf returns the first letters of a text's syllables, "연구" as "ㅇㄱ".
function initialsOf(text: string): string {
  return [...text.trim().normalize("NFC")].map((syllable) => lettersOf(syllable)[0] ?? "").join("");
}
