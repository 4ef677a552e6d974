// The selected targets, as a list in the dialog and as chips on the page.
import { useState } from "react";
import { Icon } from "./icons.tsx";
import { useFocusNeighbor } from "./use-focus-neighbor.ts";
import type { Texts } from "./target-texts.ts";
import { type Chosen, keyOf, type Policy, type Target } from "./targets.ts";
import { fill } from "./words.ts";

const CHIPS = 40;

type ListProps = { chosen: Chosen; change: (target: Target) => void; remove: (target: Target) => void; fallback: () => HTMLElement | null | undefined; texts: Texts };

export function TargetList({ chosen, change, remove, fallback, texts }: ListProps) {
  const [list, removed] = useFocusNeighbor<HTMLUListElement>(fallback);
  if (chosen.size === 0) return <p className="target-none">{texts.chosen_empty}</p>;
  return (
    <ul ref={list} className="target-list">
      {[...chosen.values()].map((target, i) => (
        <li key={keyOf(target)}>
          <Icon name={target.type === "user" ? "user" : "building"} />
          <span className="name">
            <span title={target.name}>{target.name}</span>
            {target.path && <small title={target.path}>{target.path}</small>}
          </span>
          <RemoveButton target={target} texts={texts} onClick={() => (removed(i), remove(target))} />
          {target.type === "department" && texts.include && (
            <label className="option">
              <input
                type="checkbox"
                role="switch"
                className="switch"
                checked={target.include_children}
                aria-label={fill(texts.include_of, { name: target.name })}
                onChange={(event) => change({ ...target, include_children: event.target.checked })}
              />
              {texts.include}
            </label>
          )}
          {target.taken && <span className="target-moved"><Leaving policy={target.taken} texts={texts} /></span>}
        </li>
      ))}
    </ul>
  );
}

type ChipsProps = { chosen: Chosen; remove?: ((target: Target) => void) | undefined; limit?: number; withPath?: boolean; showAll?: () => void; fallback: () => HTMLElement | null | undefined; texts: Texts };

// TargetChips are read-only without remove. Up to limit of them are shown, with where they
// belong if withPath is true.
export function TargetChips({ chosen, remove, limit = CHIPS, withPath = false, showAll, fallback, texts }: ChipsProps) {
  const [list, removed] = useFocusNeighbor<HTMLUListElement>(fallback);
  const [said, setSaid] = useState("");
  const shown = [...chosen.values()].slice(0, limit);
  const drop = (target: Target, i: number) => {
    removed(i);
    setSaid(fill(texts.removed, { name: target.name, n: chosen.size - 1 }));
    remove?.(target);
  };
  return (
    <>
      {chosen.size === 0 && <p className="sub">{texts.empty}</p>}
      <ul ref={list} className="chips" aria-label={texts.label} hidden={chosen.size === 0}>
        {shown.map((target, i) => (
          <li key={keyOf(target)} className="chip" data-tone={target.taken && "warning"}>
            <Icon name={target.type === "user" ? "user" : "building"} />
            <span title={target.path}>{target.name}</span>
            {withPath && target.path && <small title={target.path}>{target.path}</small>}
            {target.type === "department" && target.include_children && <small>{texts.children}</small>}
            {target.taken && <small className="target-moved"><Leaving policy={target.taken} texts={texts} /></small>}
            {remove && <RemoveButton target={target} texts={texts} onClick={() => drop(target, i)} />}
          </li>
        ))}
        {chosen.size > limit && (
          <li>
            <button type="button" className="chip chip-more" disabled={!remove} onClick={showAll}>{fill(texts.more, { n: chosen.size - limit })}</button>
          </li>
        )}
      </ul>
      <p className="vh" role="status">{said}</p>
    </>
  );
}

// Limit says how many can be selected once one more was refused.
export function Limit({ refused, max, texts }: { refused: boolean; max: number | null; texts: Texts }) {
  return <div role="alert">{refused && <p className="note" data-tone="danger"><Icon name="error" /><span>{fill(texts.limit, { max: max! })}</span></p>}</div>;
}

// Leaving says which policy a selected target leaves, or why it cannot.
function Leaving({ policy: { name, from, has_plan }, texts }: { policy: Policy; texts: Texts }) {
  const said = from ? fill(texts.taken_from, { policy: name, date: from }) : fill(has_plan ? texts.fixed : texts.moved, { policy: name });
  return <><Icon name={has_plan ? "clock" : "move"} />{said}</>;
}

function RemoveButton({ target, texts, onClick }: { target: Target; texts: Texts; onClick: () => void }) {
  return (
    <button type="button" className="target-remove" data-remove aria-label={fill(texts.remove, { name: target.name })} onClick={onClick}>
      <Icon name="x" />
    </button>
  );
}
