// The meaning of address ranges. The server parses them, so that there is only
// one parser.
import { useEffect, useRef, useState } from "react";
import type { Frame } from "./mount.tsx";

const DELAY = 300;
const WAIT = 30_000;

// Checked is the server's result for a row or a line, in the page's language.
export type Checked = {
  number: number; // number of the row or line, from 1
  location_name: string;
  range: string; // as it was typed
  addresses: number;
  is_own: boolean; // the reader's own address is in the range
  error: string; // why the range is refused; "" if it is valid
  is_unfinished: boolean; // it may become a valid range when more is typed
  warnings: string[];
};

type Asked = { ranges: { range: string }[] } | { lines: string };

// check sends ranges to the server. A quiet failure is not shown.
export async function check(url: string, request: Frame["request"], asked: Asked, init: { quiet?: boolean; signal?: AbortSignal } = {}): Promise<Checked[]> {
  const headers = { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang };
  const response = await request(url, { method: "POST", headers, body: JSON.stringify(asked), ...init });
  return ((await response.json()) as { data: Checked[] }).data;
}

// useChecked checks rows 300 ms after the last key. A newer request aborts an
// older one. Until there is a response, a row has the earlier result for its
// text, if any.
export function useChecked(url: string, request: Frame["request"], ranges: readonly string[], first: readonly Checked[]): (Checked | undefined)[] {
  const [answers, setAnswers] = useState(first);
  const answered = useRef(JSON.stringify(first.map(({ range }) => range)));
  const texts = JSON.stringify(ranges);

  useEffect(() => {
    if (texts === answered.current) return;
    const asking = new AbortController();
    const ask = async () => {
      const asked = { ranges: (JSON.parse(texts) as string[]).map((range) => ({ range })) };
      const found = await check(url, request, asked, { quiet: true, signal: AbortSignal.any([asking.signal, AbortSignal.timeout(WAIT)]) });
      if (asking.signal.aborted) return;
      answered.current = texts;
      setAnswers(found);
    };
    const timer = setTimeout(() => ask().catch(() => undefined), DELAY); // saving reports errors, too
    return () => (clearTimeout(timer), asking.abort());
  }, [url, request, texts]);

  return ranges.map((range, i) => (answers[i]?.range === range ? answers[i] : answers.find((answer) => answer.range === range)));
}
