// The departments in the target dialog: a tree with checkboxes.
import { createContext, type CSSProperties, forwardRef, type HTMLAttributes, type KeyboardEvent, type MouseEvent, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { type NodeApi, type RowRendererProps, Tree, type TreeApi } from "react-arborist";
import { keys, matchesItem, useShown } from "./department-tree.tsx";
import { ancestorsOf, type Item, type Items } from "./departments.ts";
import { Icon } from "./icons.tsx";
import { rem } from "./rem.ts";
import { SearchField } from "./target-field.tsx";
import { PolicyBadge } from "./target-policy.tsx";
import type { Texts } from "./target-texts.ts";
import type { Chosen, Mark, Taken } from "./targets.ts";
import { fill } from "./words.ts";

type Rows = { markOf: (id: string) => Mark; taken: Taken; toggle: (id: string) => void; chosen: Chosen; texts: Texts };

type Props = Rows & { items: Items | null; height: number; children: ReactNode };

const ROW = rem(1.75); // as .tree-name
const INDENT = rem(1);
const SHORTEST = 2;

// Rows are rendered by components that never change, so that none loses the
// focus; their data comes from this context.
const RowsContext = createContext<Rows | null>(null);

// TargetTree shows its children until the departments are loaded.
export function TargetTree({ items, height, children, ...rows }: Props) {
  const { texts } = rows;
  const [term, setTerm] = useState("");
  return (
    <div className="target-tree">
      <SearchField term={term} setTerm={setTerm} label={texts.filter} />
      {items ? (
        <RowsContext.Provider value={rows}>
          <Branches items={items} height={height} term={[...term.trim()].length >= SHORTEST ? term.trim() : ""} />
        </RowsContext.Provider>
      ) : (
        children
      )}
    </div>
  );
}

function Branches({ items, height, term }: { items: Items; height: number; term: string }) {
  const { texts, chosen, markOf, toggle } = useContext(RowsContext)!;
  const tree = useRef<TreeApi<Item> | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const [initial] = useState(() => openAt(items, chosen));
  const { rows, found } = useShown(tree);
  const tick = (id: string) => markOf(id).state !== "covered" && toggle(id);

  useEffect(() => void (box.current!.querySelector<HTMLElement>('[role="tree"]')!.tabIndex = -1), []);

  return (
    <div ref={box} onKeyDownCapture={(event) => event.key === "Tab" ? leaveTree(event) : keys(event, tree.current, tick)}>
      <p className="vh" role="status">{term && fill(texts.filter_found, { n: found })}</p>
      <Tree<Item>
        ref={tree}
        data={items.roots}
        width="100%"
        height={height}
        rowHeight={ROW}
        indent={INDENT}
        overscanCount={8}
        openByDefault={false}
        initialOpenState={initial}
        searchTerm={term}
        searchMatch={matchesItem}
        aria-label={texts.departments}
        renderRow={Row}
        outerElementType={Scroller}
        disableDrag
        disableDrop
        disableEdit
        disableMultiSelection
      >
        {Name}
      </Tree>
      {term && rows === 0 && <p className="target-none">{texts.filter_none}</p>}
    </div>
  );
}

// openAt returns the open departments: the root and the ancestors of each
// selected department.
function openAt(items: Items, chosen: Chosen): Record<string, boolean> {
  const open = items.roots.map(({ id }) => id);
  for (const { type, id } of chosen.values()) if (type === "department") open.push(...ancestorsOf(items, id));
  return Object.fromEntries(open.map((id) => [id, true]));
}

// Scroller is the scrolling element around the rows. It takes the place of the
// tree in the tab order, because a scrolling element must be reachable by
// keyboard; the row takes the focus from there.
const Scroller = forwardRef<HTMLDivElement, HTMLAttributes<HTMLDivElement>>(function Scroller(props, ref) {
  return <div {...props} ref={ref} role="group" tabIndex={0} />;
});

// leaveTree lets Tab leave the tree: otherwise Shift+Tab would enter it again.
function leaveTree(event: KeyboardEvent<HTMLElement>): void {
  const scroller = (event.target as Element).closest<HTMLElement>('[role="group"]');
  if (!scroller) return;
  event.stopPropagation();
  scroller.tabIndex = -1;
  setTimeout(() => (scroller.tabIndex = 0));
}

function Row({ node, attrs, innerRef, children }: RowRendererProps<Item>) {
  const { markOf, toggle } = useContext(RowsContext)!;
  const { state } = markOf(node.id);
  const click = (event: MouseEvent) => {
    node.focus();
    if ((event.target as Element).closest("[data-toggle]")) node.toggle();
    else if (state !== "covered") toggle(node.id);
  };
  return (
    <div
      {...attrs}
      ref={innerRef}
      className="tree-row"
      style={{ ...attrs.style, minWidth: 0 }}
      aria-selected={undefined}
      aria-expanded={node.isLeaf ? undefined : node.isOpen}
      aria-setsize={node.data.size}
      aria-posinset={node.data.position}
      aria-checked={state === "part" ? "mixed" : state !== "none"}
      aria-disabled={state === "covered" || undefined}
      onFocus={(event) => event.stopPropagation()}
      onClick={click}
    >
      {children}
    </div>
  );
}

function Name({ node, style }: { node: NodeApi<Item>; style: CSSProperties }) {
  const { markOf, taken, chosen, texts } = useContext(RowsContext)!;
  const { name, count } = node.data;
  const key = `department:${node.id}`;
  const { state, by } = markOf(node.id);
  const policy = taken.get(key);
  return (
    <span className="tree-name" style={style}>
      <span className="tree-toggle" data-toggle={node.isLeaf ? undefined : ""} aria-hidden="true">
        {!node.isLeaf && <Icon name="chevron" />}
      </span>
      <input
        className="check"
        type="checkbox"
        ref={(box) => void (box && (box.indeterminate = state === "part"))}
        checked={state === "chosen" || state === "covered"}
        disabled={state === "covered"}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <span className="truncate" title={name}>{name}</span>
      {by && <span className="vh">{fill(texts.covered, { name: by.name })}</span>}
      {!node.isLeaf && chosen.get(key)?.include_children && <span className="badge">{texts.children}</span>}
      {policy && <PolicyBadge policy={policy} texts={texts} />}
      {count !== undefined && <small>{count.toLocaleString(document.documentElement.lang || undefined)}</small>}
    </span>
  );
}
