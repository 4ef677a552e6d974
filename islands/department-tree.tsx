// The department tree beside a list: selecting a department shows the list of
// its subtree. Only visible rows are rendered, so 10,000 departments are no
// problem.
import { type CSSProperties, type FocusEvent, forwardRef, type HTMLAttributes, type KeyboardEvent, type MouseEvent, type RefObject, useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { type NodeApi, type RowRendererProps, Tree, type TreeApi } from "react-arborist";
import { ancestorsOf, branchURL, type Department, type Item, type Items, itemsOf, matchesName } from "./departments.ts";
import type { Frame } from "./mount.tsx";
import { rem } from "./rem.ts";
import { isLetter, typeAhead } from "./type-ahead.ts";
import { useAvailableHeight } from "./use-available-height.ts";

type Texts = { label: string; filter: string; none: string; found: string };

type Props = {
  url?: string; // URL of the departments, unless they are given
  departments?: Department[];
  current?: number | string | null;
  href: string; // URL of a department's list; the id is appended
  texts: Texts; // found contains {n}
  frame: Frame;
};

const ROW = rem(1.75); // as .tree-name
const INDENT = rem(0.75);
const SHORTEST = 2;
const OPEN = "departments.open";

// prepare loads the departments; the browser caches them by their ETag.
export async function prepare({ url, departments }: Props, { request }: Frame): Promise<object> {
  if (departments || !url) return {};
  const response = await request(url);
  const { data } = (await response.json()) as { data: Department[] };
  return { departments: data };
}

export default function DepartmentTree({ departments = [], current, href, texts, frame }: Props) {
  const items = useMemo(() => itemsOf(departments), [departments]);
  const tree = useRef<TreeApi<Item> | null>(null);
  const [term, setTerm] = useState("");
  const [initial, toggled] = useOpenState(tree, items, current, frame);
  const { rows, found } = useShown(tree);
  const [box, availableHeight] = useAvailableHeight();

  const choose = useCallback((id: string) => frame.visit(branchURL(href, id, location.href)), [frame, href]);
  const chosen = useRef(choose);
  chosen.current = choose;
  const [Row] = useState(() => rowFor((id) => chosen.current(id))); // a new component would lose the focus
  const searched = [...term.trim()].length >= SHORTEST ? term.trim() : "";

  return (
    <div className="tree-island" onKeyDownCapture={(event) => keys(event, tree.current, choose)} onFocusCapture={(event) => enter(event, tree.current, current)}>
      <input className="input" type="search" value={term} placeholder={texts.filter} aria-label={texts.filter} onChange={(event) => setTerm(event.target.value)} />
      <p className="vh" role="status">{searched && texts.found.replace("{n}", String(found))}</p>
      <div ref={box}>
        <Tree<Item>
          ref={tree}
          data={items.roots}
          width="100%"
          height={Math.max(ROW, Math.min(rows * ROW, availableHeight))}
          rowHeight={ROW}
          indent={INDENT}
          overscanCount={8}
          openByDefault={false}
          initialOpenState={initial}
          selection={current == null ? undefined : String(current)}
          searchTerm={searched}
          searchMatch={matchesItem}
          aria-label={texts.label}
          onToggle={toggled}
          renderRow={Row}
          outerElementType={Scroller}
          disableDrag
          disableDrop
          disableEdit
          disableMultiSelection
          disableDeselectOnClick
        >
          {Name}
        </Tree>
        {searched && rows === 0 && <p className="sub">{texts.none}</p>}
      </div>
    </div>
  );
}

// useOpenState stores which departments are expanded, until the tab is closed.
function useOpenState(tree: RefObject<TreeApi<Item> | null>, items: Items, current: Props["current"], frame: Frame) {
  const [, again] = useReducer((n: number) => n + 1, 0);
  const [initial] = useState(() => ({
    ...Object.fromEntries(items.roots.map((root) => [root.id, true])),
    ...frame.read<Record<string, boolean>>(sessionStorage, OPEN),
    ...Object.fromEntries(ancestorsOf(items, current).map((id) => [id, true])),
  }));
  const toggled = useCallback(() => {
    const api = tree.current;
    if (api && !api.isFiltered) frame.write(sessionStorage, OPEN, api.openState);
    again();
  }, [tree, frame]);
  useEffect(() => ancestorsOf(items, current).forEach((id) => tree.current?.open(id)), [tree, items, current]);
  return [initial, toggled] as const;
}

// useShown returns the number of visible rows and, while searching, of the
// departments found.
export function useShown(tree: RefObject<TreeApi<Item> | null>) {
  const [shown, setShown] = useState({ rows: 1, found: 0 });
  useEffect(() => {
    const [rows, found] = [tree.current?.visibleNodes.length ?? 0, tree.current?.filteredCount ?? 0];
    if (rows !== shown.rows || found !== shown.found) setShown({ rows, found });
  });
  return shown;
}

// rowFor returns a row component with ARIA attributes that react-arborist
// lacks: leaves are not expandable, and every row has its position among its
// siblings.
function rowFor(choose: (id: string) => void) {
  return function Row({ node, attrs, innerRef, children }: RowRendererProps<Item>) {
    const click = (event: MouseEvent) => {
      node.focus();
      if ((event.target as Element).closest("[data-toggle]")) node.toggle();
      else choose(node.id);
    };
    return (
      <div
        {...attrs}
        ref={innerRef}
        className="tree-row"
        style={{ ...attrs.style, minWidth: 0 }}
        aria-expanded={node.isLeaf ? undefined : node.isOpen}
        aria-setsize={node.data.size}
        aria-posinset={node.data.position}
        aria-current={node.isSelected ? "true" : undefined}
        onFocus={(event) => event.stopPropagation()}
        onClick={click}
      >
        {children}
      </div>
    );
  };
}

// Scroller is the scrolling element around the rows. By default a browser would
// make it a Tab stop.
export const Scroller = forwardRef<HTMLDivElement, HTMLAttributes<HTMLDivElement>>(function Scroller(props, ref) {
  return <div {...props} ref={ref} role="group" tabIndex={-1} />;
});

function Name({ node, style }: { node: NodeApi<Item>; style: CSSProperties }) {
  const { name, count } = node.data;
  return (
    <span className="tree-name" style={style}>
      <span className="tree-toggle" data-toggle={node.isLeaf ? undefined : ""} aria-hidden="true">
        {!node.isLeaf && (
          <svg className="icon" viewBox="0 0 16 16">
            <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />
          </svg>
        )}
      </span>
      <span className="truncate" title={name}>{name}</span>
      {count !== undefined && <small>{count.toLocaleString(document.documentElement.lang || undefined)}</small>}
    </span>
  );
}

export function matchesItem(node: NodeApi<Item>, term: string): boolean {
  return matchesName(node.data.name, term);
}

// keys selects a row with Enter or Space, moves to the row whose name begins with the
// typed letters, and lets Tab leave the tree like any other control.
export function keys(event: KeyboardEvent<HTMLElement>, tree: TreeApi<Item> | null, choose: (id: string) => void): void {
  const root = (event.target as Element).closest<HTMLElement>('[role="tree"]');
  if (!root) return;
  if (event.key === "Tab") {
    event.stopPropagation();
    root.tabIndex = -1;
    setTimeout(() => (root.tabIndex = 0));
  } else if ((event.key === "Enter" || event.key === " ") && tree?.focusedNode) {
    event.preventDefault();
    event.stopPropagation();
    choose(tree.focusedNode.id);
  } else if (tree && isLetter(event)) {
    event.preventDefault();
    event.stopPropagation(); // the tree's own search knows names with Latin letters only
    const nodes = tree.visibleNodes;
    const found = nodes[typeAhead(event.key, nodes.map(({ data }) => data.name), nodes.indexOf(tree.focusedNode!))];
    if (found) tree.focus(found.id);
  }
}

// enter focuses the current department, not the first.
function enter(event: FocusEvent<HTMLElement>, tree: TreeApi<Item> | null, current: Props["current"]): void {
  const isTree = event.target.getAttribute("role") === "tree";
  if (!isTree || !tree || tree.focusedNode || current == null || !tree.get(String(current))) return;
  event.stopPropagation();
  tree.focus(String(current));
}
