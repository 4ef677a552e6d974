import { type ClipboardEvent, type KeyboardEvent, memo, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "./icons.tsx";
import type { Checked } from "./ip-check.ts";
import type { Texts } from "./ip-texts.ts";
import { fill } from "./words.ts";

export type Row = {
  key: number; // unchanged when earlier rows are removed
  name: string;
  range: string;
  error: string | undefined; // the server's error of the range, until something is typed
  nameError: string | undefined;
  isNew: boolean;
};

// Given is a row as the server sends it.
export type Given = { location_name: string; range: string; error?: string; name_error?: string };

const LONGEST = 50;

// rowsOf returns rows with consecutive keys from a first one.
export function rowsOf(ranges: readonly Given[], first: number, isNew = false): Row[] {
  return ranges.map(({ location_name, range, error, name_error }, i) => ({ key: first + i, name: location_name, range, error, nameError: name_error, isNew }));
}

type Props = {
  id: string;
  name: string; // prefix of the field names; ids are the same, so that errors can link to them
  index: number;
  row: Row;
  view: Checked | undefined; // result of the check; undefined until the server has answered
  disabled: boolean;
  texts: Texts;
  actions: RefObject<Actions>; // the current actions; a row is not rendered again for them
};

export type Actions = {
  change: (row: Row) => void;
  remove: (index: number) => void;
  next: () => void;
  paste: ((lines: string) => void) | undefined;
};

// Typing in one of 200 rows renders only the rows that change.
export const IPRow = memo(PlainIPRow, (before, after) => {
  const { view: old, ...others } = before;
  const isSame = (Object.keys(others) as (keyof typeof others)[]).every((name) => before[name] === after[name]);
  return isSame && (old === after.view || JSON.stringify(old) === JSON.stringify(after.view));
});

function PlainIPRow({ id, name, index, row, view, disabled, texts, actions }: Props) {
  const place = useRef<HTMLInputElement>(null);
  const [left, setLeft] = useState({ name: !row.isNew, range: !row.isNew });
  useLayoutEffect(() => void (row.isNew && place.current?.focus()), [row.isNew]);

  const isBlank = row.name.trim() === "" && row.range.trim() === "";
  const refusal = row.error ?? (isBlank ? "" : rangeRefusal(view, left.range));
  const nameRefusal = row.nameError ?? (isBlank ? "" : placeRefusal(row, left.name && left.range, texts));
  const n = index + 1;

  return (
    <tr id={name} tabIndex={-1}>
      <td className="end">{n}</td>
      <td>
        <input
          ref={place}
          className="input"
          id={`${name}.location_name`}
          name={`${name}.location_name`}
          value={row.name}
          disabled={disabled}
          autoComplete="off"
          aria-label={fill(texts.name_of, { n })}
          aria-invalid={nameRefusal !== ""}
          aria-describedby={nameRefusal ? `${id}-name` : undefined}
          onChange={(event) => actions.current.change({ ...row, name: event.target.value, nameError: undefined })}
          onBlur={() => setLeft((before) => ({ ...before, name: true }))}
          onKeyDown={(event) => enter(event, actions.current.next)}
          onPaste={(event) => pasteLines(event, actions.current.paste)}
        />
        <Refusal id={`${id}-name`} text={nameRefusal} />
      </td>
      <td>
        <input
          className="input ip-text"
          id={`${name}.range`}
          name={`${name}.range`}
          value={row.range}
          disabled={disabled}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-label={fill(texts.range_of, { n })}
          aria-invalid={refusal !== ""}
          aria-describedby={`${id}-range ${id}-notes`}
          onChange={(event) => actions.current.change({ ...row, range: event.target.value, error: undefined })}
          onBlur={() => setLeft((before) => ({ ...before, range: true }))}
          onFocus={() => setLeft((before) => ({ ...before, range: false }))}
          onKeyDown={(event) => enter(event, actions.current.next)}
          onPaste={(event) => pasteLines(event, actions.current.paste)}
        />
        <Refusal id={`${id}-range`} text={refusal} />
        <span id={`${id}-notes`} className="ip-notes">
          {view?.is_own && <span className="badge" data-tone="success"><Icon name="check" />{texts.here}</span>}
          {view?.warnings.map((note) => <span key={note} className="help">{note}</span>)}
        </span>
      </td>
      <td className="end">{view?.addresses ? fill("{n}", { n: view.addresses }) : "–"}</td>
      <td className="end">
        <button type="button" className="btn btn-quiet btn-small btn-icon" data-remove disabled={disabled} aria-label={fill(texts.remove, { name: row.name.trim() || n })} onClick={() => actions.current.remove(index)}>
          <Icon name="trash" />
        </button>
      </td>
    </tr>
  );
}

// The element of an error exists before its text, so that screen readers read
// the text.
function Refusal({ id, text }: { id: string; text: string }): ReactNode {
  return (
    <span id={id} role="alert" className="ip-refusal">
      {text && <span className="error"><Icon name="error" />{text}</span>}
    </span>
  );
}

// A range that is still being typed is not refused for being incomplete.
function rangeRefusal(view: Checked | undefined, isLeft: boolean): string {
  return view?.is_unfinished && !isLeft ? "" : (view?.error ?? "");
}

function placeRefusal(row: Row, isLeft: boolean, texts: Texts): string {
  if ([...row.name.trim()].length > LONGEST) return texts.name_long;
  return isLeft && row.name.trim() === "" ? texts.name_missing : "";
}

// enter moves to the next row instead of submitting the form; after the last
// one it adds a row.
function enter(event: KeyboardEvent<HTMLInputElement>, next: () => void): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  const column = event.currentTarget.closest("td")!.cellIndex;
  const below = event.currentTarget.closest("tr")!.nextElementSibling as HTMLTableRowElement | null;
  if (below) below.cells[column]?.querySelector("input")?.focus();
  else next();
}

// pasteLines passes several lines to the field for many lines; the browser
// would join them into one.
function pasteLines(event: ClipboardEvent, paste: Actions["paste"]): void {
  const text = event.clipboardData.getData("text/plain").trim();
  if (!paste || !text.includes("\n")) return;
  event.preventDefault();
  paste(text);
}
