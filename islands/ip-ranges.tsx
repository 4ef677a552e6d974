// The allowed address ranges: rows with a place and its range, checked while
// typing, and a field to paste many lines. The form submits
// NAME.0.location_name, NAME.0.range, NAME.1.location_name and so on.
import { useId, useRef, useState } from "react";
import { Field } from "./field.tsx";
import { Icon } from "./icons.tsx";
import { check, type Checked, useChecked } from "./ip-check.ts";
import { IPPaste } from "./ip-paste.tsx";
import type { Frame } from "./mount.tsx";
import { type Actions, type Given, IPRow, type Row, rowsOf } from "./ip-row.tsx";
import type { Texts } from "./ip-texts.ts";
import { useFocusNeighbor } from "./use-focus-neighbor.ts";
import { fill } from "./words.ts";

type Props = {
  name: string;
  ranges: Given[];
  address: string; // the reader's own address
  checkURL: string;
  max: number;
  lines?: string; // pasted lines that were refused
  disabled?: boolean;
  texts: Texts;
  checked?: Checked[]; // the results for the initial ranges
  frame: Frame;
};

export async function prepare({ checkURL, ranges }: Props, { request }: Frame): Promise<object> {
  if (ranges.length === 0) return {};
  const checked = await check(checkURL, request, { ranges: ranges.map(({ range }) => ({ range })) }, { quiet: true }).catch(() => []);
  return { checked };
}

// Props of the next page replace what was typed on this one.
export default function IPRanges(props: Props) {
  return <Editor key={JSON.stringify([props.name, props.ranges, props.lines])} {...props} />;
}

function Editor({ name, ranges, address, checkURL, max, lines = "", disabled = false, texts, checked = [], frame }: Props) {
  const [rows, setRows] = useState<Row[]>(() => rowsOf(ranges, 0));
  const [pasting, setPasting] = useState(lines === "" ? null : lines); // initial text of the field for many lines; null while it is closed
  const [said, setSaid] = useState("");
  const add = useRef<HTMLButtonElement>(null);
  const [body, removed] = useFocusNeighbor<HTMLTableSectionElement>(() => add.current);
  const views = useChecked(checkURL, frame.request, rows.map((row) => row.range), checked);
  const repeated = repeatedWarnings(views);
  const id = useId();

  const change = (row: Row) => setRows((all) => all.map((one) => (one.key === row.key ? row : one)));
  const remove = (i: number) => {
    removed(i);
    setSaid(fill(texts.removed, { name: rows[i]!.name || i + 1, n: rows.length - 1 }));
    setRows(rows.filter((_, at) => at !== i));
  };
  const key = 1 + Math.max(-1, ...rows.map((row) => row.key));
  const append = () => rows.length < max && setRows([...rows, ...rowsOf([{ location_name: "", range: "" }], key, true)]);
  const latest = useRef(rows); // rows may change while pasted lines are checked
  latest.current = rows;
  const take = (pasted: Checked[]) => {
    const kept = latest.current.filter((row) => row.name.trim() !== "" || row.range.trim() !== "");
    const room = Math.max(0, max - kept.length);
    const free = 1 + Math.max(-1, ...latest.current.map((row) => row.key));
    setRows([...kept, ...rowsOf(pasted.slice(0, room).map((line) => ({ location_name: line.location_name, range: line.range })), free)]);
    return { added: Math.min(room, pasted.length), left: Math.max(0, pasted.length - room) };
  };

  const actions = useRef<Actions>(null!);
  actions.current = { change, remove, next: append, paste: pasting === null ? setPasting : undefined };

  return (
    <div className="ip-ranges">
      <Field value={JSON.stringify(rows.map((row) => [row.name, row.range]))} />
      <Match address={address} rows={rows} views={views} texts={texts} />
      {[...repeated].map(([note, n]) => <p key={note} className="help">{fill(texts.repeated, { note, n })}</p>)}
      {rows.length === 0 ? (
        <p className="sub">{texts.empty}</p>
      ) : (
        <table className="table ip-table">
          <caption className="vh">{texts.caption}</caption>
          <thead>
            <tr>
              <th scope="col" className="end">{texts.number}</th>
              <th scope="col">{texts.name}</th>
              <th scope="col">{texts.range}</th>
              <th scope="col" className="end">{texts.addresses}</th>
              <th><span className="vh">{texts.action}</span></th>
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row, i) => (
              <IPRow
                key={row.key}
                id={`${id}-${row.key}`}
                name={`${name}.${i}`}
                index={i}
                row={row}
                view={without(views[i], repeated)}
                disabled={disabled}
                texts={texts}
                actions={actions}
              />
            ))}
          </tbody>
        </table>
      )}
      {!disabled && (
        <div className="row">
          <button ref={add} type="button" className="btn btn-small" aria-disabled={rows.length >= max} onClick={append}>
            <Icon name="plus" />
            {texts.add}
          </button>
          <button type="button" className="btn btn-small" aria-expanded={pasting !== null} onClick={() => setPasting(pasting === null ? "" : null)}>
            <Icon name="paste" />
            {texts.paste}
          </button>
          <span className="help">{fill(texts.count, { n: rows.length, max })}</span>
          {rows.length >= max && <span className="help">{fill(texts.full, { max })}</span>}
        </div>
      )}
      {pasting !== null && !disabled && <IPPaste name={`${name}.lines`} first={pasting} max={max} read={(text) => check(checkURL, frame.request, { lines: text })} take={take} texts={texts} />}
      <p className="vh" role="status">{said}</p>
    </div>
  );
}

// Match shows whether the reader could still sign in, once all rows are
// checked.
function Match({ address, rows, views, texts }: { address: string; rows: Row[]; views: (Checked | undefined)[]; texts: Texts }) {
  const at = views.findIndex((view) => view?.is_own);
  if (at < 0 && views.some((view) => view === undefined)) return null;
  const name = rows[at]?.name.trim() || rows[at]?.range.trim() || "";
  return (
    <p className="note" role="status" data-tone={at < 0 ? "warning" : "success"}>
      <Icon name={at < 0 ? "alert" : "check"} />
      <span>{fill(at < 0 ? texts.matches_none : texts.matches, { address, name })}</span>
    </p>
  );
}

const SHOWN = 3; // rows that may have the same warning; for more of them it is shown once

// repeatedWarnings counts the warnings that too many rows have.
function repeatedWarnings(views: (Checked | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const note of views.flatMap((view) => view?.warnings ?? [])) counts.set(note, (counts.get(note) ?? 0) + 1);
  return new Map([...counts].filter(([, n]) => n > SHOWN));
}

function without(view: Checked | undefined, repeated: Map<string, number>): Checked | undefined {
  return view && repeated.size ? { ...view, warnings: view.warnings.filter((note) => !repeated.has(note)) } : view;
}
