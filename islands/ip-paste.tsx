import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "./icons.tsx";
import type { Checked } from "./ip-check.ts";
import type { Texts } from "./ip-texts.ts";
import { fill } from "./words.ts";

type Line = Checked & { text: string }; // text of the whole line

type Outcome = { added: number; left: number; bad: Line[] };

type Props = {
  name: string; // the form sends the remaining text, so that nothing typed is lost
  first: string;
  max: number;
  read: (text: string) => Promise<Checked[]>;
  take: (lines: Checked[]) => { added: number; left: number };
  texts: Texts;
};

const SHOWN = 20;

// IPPaste adds many lines at once. Invalid lines stay in the field, with their
// errors.
export function IPPaste({ name, first, max, read, take, texts }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const id = useId();
  useLayoutEffect(() => field.current?.focus(), []);

  const add = async () => {
    const text = field.current!.value;
    const written = text.split("\n");
    const lines = await read(text).catch(() => null); // the frame has shown the failure
    if (!lines || field.current?.value !== text) return;
    const bad = lines.filter((line) => line.error).map((line) => ({ ...line, text: written[line.number - 1]!.trim() }));
    setOutcome({ ...take(lines.filter((line) => !line.error)), bad });
    field.current!.value = bad.map((line) => line.text).join("\n");
    // Whoever has gone on while the server was asked types elsewhere now.
    const active = document.activeElement;
    if (active === document.body || place.current!.contains(active)) field.current!.focus();
  };

  return (
    <div ref={place} className="field ip-paste">
      <label htmlFor={`${id}-lines`}>{texts.lines}</label>
      <textarea
        ref={field}
        id={`${id}-lines`}
        className="input"
        name={name}
        defaultValue={first}
        rows={6}
        spellCheck={false}
        aria-invalid={(outcome?.bad.length ?? 0) > 0}
        aria-describedby={`${id}-help ${id}-outcome`}
      />
      <p className="help" id={`${id}-help`}>{texts.lines_help}</p>
      <div id={`${id}-outcome`} role="status">{outcome && outcomeOf(outcome, max, texts)}</div>
      <div className="row">
        <button type="button" className="btn btn-small" onClick={() => void add()}>{texts.lines_add}</button>
      </div>
    </div>
  );
}

function outcomeOf({ added, left, bad }: Outcome, max: number, texts: Texts): ReactNode {
  return (
    <>
      <p className="help">{fill(texts.added, { n: added })}</p>
      {left > 0 && <p className="note" data-tone="warning"><Icon name="alert" /><span>{fill(texts.left_out, { n: left, max })}</span></p>}
      {bad.length > 0 && (
        <div className="note" data-tone="danger">
          <Icon name="error" />
          <div>
            <p>{fill(texts.bad, { n: bad.length })}</p>
            <ul>
              {bad.slice(0, SHOWN).map((line) => (
                <li key={line.number}>{fill(texts.bad_line, { n: line.number, text: line.text, problem: line.error })}</li>
              ))}
            </ul>
            {bad.length > SHOWN && <p>{fill(texts.bad_more, { n: bad.length - SHOWN })}</p>}
          </div>
        </div>
      )}
    </>
  );
}
