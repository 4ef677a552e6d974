// The people in the target dialog: search results with checkboxes.
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import type { Frame } from "./mount.tsx";
import { type Found, type Person, useSearch } from "./target-search.ts";
import { type FieldAttributes, SearchField } from "./target-field.tsx";
import type { Texts } from "./target-texts.ts";
import { PolicyBadge } from "./target-policy.tsx";
import type { Chosen, Taken, Target } from "./targets.ts";
import { fill } from "./words.ts";

type Props = { url: string; request: Frame["request"]; chosen: Chosen; taken: Taken; toggle: (target: Target) => void; height?: number; field?: FieldAttributes; texts: Texts };

// TargetPeople has the height that the stylesheet gives its list without one.
export function TargetPeople({ url, request, chosen, taken, toggle, height, field, texts }: Props) {
  const { term, setTerm, hold, found, more, again } = useSearch(url, request);
  const box = useRef<HTMLDivElement>(null);
  return (
    <div className="target-people" ref={box} onInput={hold} onCompositionEnd={hold} onKeyDown={(event) => moveFocus(event, box.current!)}>
      <SearchField term={term} setTerm={setTerm} label={texts.search} attributes={field} />
      <div className="target-hits" ref={(list) => void (list && height && (list.style.height = `${height}px`))} aria-busy={found.state === "waiting"}>
        <p className="target-none" role="status">{stateOf(found, texts)}</p>
        {found.state === "failed" && <button type="button" className="btn btn-small" onClick={again}>{texts.retry}</button>}
        {found.people.length > 0 && (
          <ul aria-label={texts.people}>
            {found.people.map((person, i) => (
              <Hit key={person.id} person={person} first={i === 0} checked={chosen.has(`user:${person.id}`)} onChange={() => toggle(targetOf(person))}>
                {taken.has(`user:${person.id}`) && <PolicyBadge policy={taken.get(`user:${person.id}`)!} texts={texts} />}
              </Hit>
            ))}
          </ul>
        )}
        {found.cursor && found.people.length > 0 && (
          <button type="button" className="btn btn-small btn-quiet target-more" aria-disabled={found.state === "waiting"} onClick={() => found.state !== "waiting" && more()}>
            {texts.search_more}
          </button>
        )}
      </div>
    </div>
  );
}

function stateOf({ state, people, cursor, ignored }: Found, texts: Texts): ReactNode {
  switch (state) {
    case "idle":
      return texts.search_hint;
    case "short":
      return texts.search_short;
    case "waiting":
      return texts.searching;
    case "failed":
      return texts.failed;
    case "found":
      return (
        <>
          {people.length === 0 ? texts.search_none : fill(cursor ? texts.search_further : texts.search_found, { n: people.length })}
          {ignored && ` ${texts.search_ignored}`}
        </>
      );
  }
}

type HitProps = { person: Person; first: boolean; checked: boolean; onChange: () => void; children: ReactNode };

function Hit({ person, first, checked, onChange, children }: HitProps) {
  return (
    <li>
      <label className="person target-hit">
        <input type="checkbox" className="check" checked={checked} tabIndex={first ? 0 : -1} onChange={onChange} onFocus={makeTabStop} />
        <Avatar person={person} />
        <span className="name">
          <span>{person.name}</span>
          <small>{placeOf(person)}</small>
        </span>
        {children}
      </label>
    </li>
  );
}

function Avatar({ person }: { person: Person }) {
  return (
    <span className="avatar" aria-hidden="true">
      {person.image ? <img src={person.image.thumbnail_url} alt="" loading="lazy" /> : [...person.name][0]}
    </span>
  );
}

function targetOf(person: Person): Target {
  return { type: "user", id: person.id, name: person.name, path: placeOf(person), include_children: true };
}

function placeOf({ department, position }: Person): string {
  return [department?.name, position].filter(Boolean).join(" · ");
}

// makeTabStop makes the focused checkbox the one that Tab returns to.
function makeTabStop({ currentTarget }: { currentTarget: HTMLInputElement }): void {
  for (const box of currentTarget.closest("ul")!.querySelectorAll<HTMLInputElement>(".check")) box.tabIndex = box === currentTarget ? 0 : -1;
}

// moveFocus moves through the people with the arrow keys, starting from the
// search field.
function moveFocus(event: KeyboardEvent, box: HTMLElement): void {
  if (event.nativeEvent.isComposing) return;
  const search = box.querySelector<HTMLElement>("input[type=search]")!;
  const boxes = [...box.querySelectorAll<HTMLElement>(".check")];
  const at = boxes.indexOf(event.target as HTMLElement);
  if (at < 0 && (event.target !== search || event.key !== "ArrowDown")) return;
  const next = { ArrowDown: boxes[at + 1] ?? boxes[at], ArrowUp: boxes[at - 1] ?? search, Home: boxes[0], End: boxes.at(-1) }[event.key];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
