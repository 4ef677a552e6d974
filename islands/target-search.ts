// Search for people. The rules are those of the server: at least two characters
// where there is one keyword, and of more than three keywords three are used.
import { useCallback, useEffect, useRef, useState } from "react";
import { kana } from "./kana.ts";
import type { Frame } from "./mount.tsx";

export const DELAY = 300;
const SHORTEST = 2;
const KEYWORDS = 3;
const PAGE = 50;
const WAIT = 30_000;

export type Person = {
  id: number | string;
  name: string;
  bot?: boolean;
  position?: string;
  department?: { id: number | string; name: string } | null;
  image?: { thumbnail_url: string } | null;
};

export type Found = {
  state: "idle" | "waiting" | "found" | "failed" | "short";
  ignored?: boolean; // whether the search has words that were not used
  people: Person[];
  cursor: string | null; // cursor of the next page
};

type Page = { data: Person[]; meta: { next_cursor: string | null } };

const NOTHING: Found = { state: "idle", people: [], cursor: null };

function keywordsOf(term: string): string[] {
  return term.normalize("NFKC").split(/[\s,、]+/).filter((keyword) => keyword !== "");
}

// isTooShort reports whether a search text is a single keyword of one character.
export function isTooShort(term: string): boolean {
  const keywords = keywordsOf(term);
  return keywords.length === 1 && [...keywords[0]!].length < SHORTEST;
}

// hasIgnored reports whether a search text has more keywords than are used.
export function hasIgnored(term: string): boolean {
  return keywordsOf(term).length > KEYWORDS;
}

// searchURL returns the URL of a page of people.
export function searchURL(url: string, term: string, cursor: string | null, here: string): string {
  const address = new URL(url, here);
  address.searchParams.set("q", term.trim());
  address.searchParams.set("limit", String(PAGE));
  if (cursor) address.searchParams.set("cursor", cursor);
  return address.pathname + address.search;
}

// useSearch searches 300 ms after the last key, and not before a word in kana is finished,
// which hold is told by the events of the field. A newer search aborts an older one; earlier
// results stay until there is a response.
export function useSearch(url: string, request: Frame["request"]) {
  const [term, setTerm] = useState("");
  const [found, setFound] = useState<Found>(NOTHING);
  const [isUnfinished] = useState(kana);
  const [held, setHeld] = useState(false);
  const asking = useRef<AbortController | null>(null);

  const ask = useCallback(async (wanted: string, cursor: string | null) => {
    asking.current?.abort();
    const { signal } = (asking.current = new AbortController());
    setFound((before) => ({ ...before, state: "waiting" }));
    try {
      const response = await request(searchURL(url, wanted, cursor, location.href), { quiet: true, signal: AbortSignal.any([signal, AbortSignal.timeout(WAIT)]) });
      const { data, meta } = (await response.json()) as Page;
      if (signal.aborted) return;
      const people = data.filter(({ bot }) => !bot); // bots have no policy and cannot be viewers
      setFound((before) => ({ state: "found", ignored: hasIgnored(wanted), people: cursor ? [...before.people, ...people] : people, cursor: meta.next_cursor }));
    } catch {
      if (!signal.aborted) setFound((before) => ({ ...before, state: "failed" }));
    }
  }, [url, request]);

  useEffect(() => {
    asking.current?.abort();
    if (held) return;
    if (term.trim() === "") return setFound(NOTHING);
    if (isTooShort(term)) return setFound((before) => ({ ...before, state: "short" }));
    const timer = setTimeout(() => void ask(term, null), DELAY);
    return () => clearTimeout(timer);
  }, [term, held, ask]);
  useEffect(() => () => asking.current?.abort(), []);

  const more = useCallback(() => void ask(term, found.cursor), [ask, term, found.cursor]);
  const again = useCallback(() => void ask(term, null), [ask, term]);
  const hold = useCallback((event: { nativeEvent: Event }) => setHeld(isUnfinished(event.nativeEvent)), [isUnfinished]);
  return { term, setTerm, hold, found, more, again };
}
