// Departments as the API lists them, and as a tree.

export type Department = {
  id: number | string;
  name: string;
  parent_id: number | string; // "#" for the root of the company
  user_count?: number;
};

// An item has its position among its siblings, from 1.
export type Item = { id: string; name: string; count: number | undefined; children: Item[] | null; position: number; size: number };

export type Items = { roots: Item[]; parents: Map<string, string> };

// itemsOf converts a list to a tree. Siblings have the order of the list. A
// department whose parent is not in the list is a root, because a person may
// see only a subtree.
export function itemsOf(departments: readonly Department[]): Items {
  const items = new Map<string, Item>();
  for (const { id, name, user_count } of departments) {
    items.set(String(id), { id: String(id), name, count: user_count, children: null, position: 1, size: 1 });
  }
  const roots: Item[] = [];
  const parents = new Map<string, string>();
  for (const { id, parent_id } of departments) {
    const item = items.get(String(id))!;
    const parent = items.get(String(parent_id));
    if (parent) (parent.children ??= []).push(item), parents.set(item.id, parent.id);
    else roots.push(item);
  }
  for (const siblings of [roots, ...[...items.values()].map((item) => item.children ?? [])]) {
    siblings.forEach((item, i) => Object.assign(item, { position: i + 1, size: siblings.length }));
  }
  return { roots, parents };
}

// ancestorsOf returns the ids of a department's ancestors, nearest first.
export function ancestorsOf({ parents }: Items, id: number | string | null | undefined): string[] {
  const above: string[] = [];
  let parent = parents.get(String(id));
  while (parent !== undefined && !above.includes(parent)) {
    above.push(parent);
    parent = parents.get(parent);
  }
  return above;
}

const PLACES = ["cursor", "after", "before", "page"];

// branchURL returns the URL of a department's list. It preserves the other
// filters, but not the cursor.
export function branchURL(href: string, id: string, here: string): string {
  const now = new URL(here);
  const next = new URL(href + encodeURIComponent(id), here);
  if (next.pathname === now.pathname) {
    for (const [key, value] of now.searchParams) {
      if (!PLACES.includes(key) && !new URL(href, here).searchParams.has(key)) next.searchParams.append(key, value);
    }
  }
  return next.pathname + next.search;
}

const INITIALS = [..."ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"];

// matchesName reports whether a name contains the term, or whether its initial
// consonants do if it is Korean.
export function matchesName(name: string, term: string): boolean {
  const wanted = term.toLowerCase();
  return name.toLowerCase().includes(wanted) || (isInitials(wanted) && initialsOf(name).includes(wanted));
}

function isInitials(term: string): boolean {
  return [...term].every((letter) => INITIALS.includes(letter));
}

// Hangul syllables begin at U+AC00 in Unicode, 588 for each initial consonant.
function initialsOf(name: string): string {
  return [...name].map((letter) => INITIALS[Math.floor((letter.codePointAt(0)! - 0xac00) / 588)] ?? letter).join("");
}
