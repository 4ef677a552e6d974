// The content of the target dialog: what can be selected on the left, the
// selection on the right. It has no effect before it is applied.
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { Icon } from "./icons.tsx";
import type { Frame } from "./mount.tsx";
import type { Directory } from "./target-directory.ts";
import { Limit, TargetList } from "./target-list.tsx";
import { TargetPeople } from "./target-people.tsx";
import type { Texts } from "./target-texts.ts";
import { TargetTree } from "./target-tree.tsx";
import { usePaneHeight } from "./use-pane-height.ts";
import { type Chosen, isFixed, keyOf, marks, moves, pathOf, type Target, type TargetType, without } from "./targets.ts";
import { fill } from "./words.ts";

type Props = {
  initial: Chosen;
  types: readonly TargetType[];
  max: number | null;
  directory: Directory;
  reload: () => void;
  usersURL: string;
  request: Frame["request"];
  texts: Texts;
  apply: (chosen: Chosen) => void;
  cancel: () => void;
};

export function TargetPicker({ initial, types, max, directory, reload, usersURL, request, texts, apply, cancel }: Props) {
  const { items, departments, taken } = directory;
  const [draft, setChosen] = useState(initial);
  const [refused, setRefused] = useState(false);
  const [tab, setTab] = useState<TargetType>(types[0]!);
  const height = usePaneHeight();
  const left = useRef<HTMLElement>(null);
  const id = useId();

  // The taken targets may arrive after the dialog has opened.
  const chosen = useMemo<Chosen>(() => new Map([...draft].map(([key, target]) => [key, { ...target, taken: taken.get(key) ?? target.taken }])), [draft, taken]);
  const markOf = useMemo(() => (items ? marks(items, chosen, taken) : () => ({ state: "none" as const })), [items, chosen, taken]);

  const moving = [...chosen.values()].filter(moves).length;
  const fixed = [...chosen.values()].filter(isFixed).length;

  const remove = (target: Target) => (setRefused(false), setChosen(without(chosen, (other) => keyOf(other) === keyOf(target))));
  const change = (target: Target) => setChosen(new Map(chosen).set(keyOf(target), target));
  const toggle = (target: Target) => {
    if (chosen.has(keyOf(target))) return remove(target);
    if (max !== null && chosen.size >= max) return setRefused(true);
    change(target);
  };
  const toggleDepartment = (key: string) => {
    const department = departments.get(key);
    if (items && department) toggle({ type: "department", id: department.id, name: department.name, path: pathOf(items, departments, key), include_children: true });
  };
  const leaveOut = (leaves: (target: Target) => boolean) => (setChosen(without(chosen, leaves)), first()?.focus());
  const first = () => left.current?.querySelector<HTMLElement>("[role=tabpanel]:not([hidden]) [data-first]");

  return (
    <>
      <div className="body target-body">
        <section ref={left}>
          <Tabs types={types} tab={tab} setTab={setTab} id={id} texts={texts} />
          {types.includes("department") && (
            <div id={`${id}-department`} role="tabpanel" className="target-pane" aria-label={texts.departments} hidden={tab !== "department"}>
              <TargetTree items={items} height={height} markOf={markOf} taken={taken} chosen={chosen} toggle={toggleDepartment} texts={texts}>
                {directory.failed ? <Failed retry={reload} texts={texts} /> : <p className="target-none" role="status">{texts.loading}</p>}
              </TargetTree>
            </div>
          )}
          {types.includes("user") && (
            <div id={`${id}-user`} role="tabpanel" className="target-pane" aria-label={texts.people} hidden={tab !== "user"}>
              <TargetPeople url={usersURL} request={request} chosen={chosen} taken={taken} toggle={toggle} height={height} texts={texts} />
            </div>
          )}
        </section>
        <section aria-labelledby={`${id}-chosen`}>
          <header className="row row-between">
            <h3 id={`${id}-chosen`}>{texts.chosen} <span className="count" aria-hidden="true">{max === null ? chosen.size : `${chosen.size}/${max}`}</span></h3>
            <span className="vh" role="status">{fill(texts.chosen_count, { n: chosen.size })}</span>
            {chosen.size > 0 && <button type="button" className="btn btn-quiet btn-small" onClick={() => (setRefused(false), setChosen(new Map()), first()?.focus())}>{texts.clear}</button>}
          </header>
          <div className="target-pane target-chosen" ref={(pane) => void (pane && (pane.style.height = `${height + 58}px`))}>
            <TargetList chosen={chosen} change={change} remove={remove} fallback={first} texts={texts} />
          </div>
        </section>
        <Limit refused={refused} max={max} texts={texts} />
        <div role="status">
          {moving > 0 && (
            <div className="note" data-tone="warning">
              <Icon name="alert" />
              <span>{fill(moving === 1 ? texts.moves_one : texts.moves, { n: moving })}</span>
              <button type="button" className="btn btn-small" onClick={() => leaveOut(moves)}>{texts.skip}</button>
            </div>
          )}
          {fixed > 0 && (
            <div className="note" data-tone="warning">
              <Icon name="clock" />
              <span>{fill(fixed === 1 ? texts.fixed_one : texts.fixed_count, { n: fixed })}</span>
              <button type="button" className="btn btn-small" onClick={() => leaveOut(isFixed)}>{texts.leave_out}</button>
            </div>
          )}
        </div>
      </div>
      <footer>
        <button type="button" className="btn" onClick={cancel}>{texts.cancel}</button>
        <button type="button" className="btn btn-primary" onClick={() => apply(chosen)}>{fill(texts.apply, { n: chosen.size })}</button>
      </footer>
    </>
  );
}

type TabsProps = { types: readonly TargetType[]; tab: TargetType; setTab: (tab: TargetType) => void; id: string; texts: Texts };

// Tabs are shown if both departments and people can be selected.
function Tabs({ types, tab, setTab, id, texts }: TabsProps) {
  const words = { department: texts.departments, user: texts.people };
  if (types.length < 2) return <header className="row"><h3>{words[tab]}</h3></header>;
  const key = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = types[(types.indexOf(tab) + step + types.length) % types.length]!;
    setTab(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <div role="tablist" className="target-tabs" aria-label={texts.title} onKeyDown={key}>
      {types.map((type) => (
        <button key={type} type="button" role="tab" data-tab={type} aria-selected={type === tab} aria-controls={`${id}-${type}`} tabIndex={type === tab ? 0 : -1} onClick={() => setTab(type)}>
          {words[type]}
        </button>
      ))}
    </div>
  );
}

function Failed({ retry, texts }: { retry: () => void; texts: Texts }) {
  return (
    <div className="target-none" role="alert">
      <p>{texts.failed}</p>
      <button type="button" className="btn btn-small" onClick={retry}>{texts.retry}</button>
    </div>
  );
}
