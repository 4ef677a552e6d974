// Selected targets, and the state of each department in the selection.
import { ancestorsOf, type Department, type Items } from "./departments.ts";

export type TargetType = "department" | "user";

export type Policy = {
  id: number | string;
  name: string;
  from?: string | undefined; // the date from which it holds a target, if it does not yet
  has_plan?: boolean | undefined; // the target cannot move, because of a planned change
};

export type Target = {
  type: TargetType;
  id: number | string;
  name: string;
  path?: string | undefined; // distinguishes it from others with the same name
  include_children: boolean;
  taken?: Policy | undefined; // another policy, which holds it or will
};

// Chosen has the order of selection; its keys come from keyOf.
export type Chosen = ReadonlyMap<string, Target>;

export type Taken = ReadonlyMap<string, Policy>;

export function keyOf({ type, id }: Pick<Target, "type" | "id">): string {
  return `${type}:${id}`;
}

export function chosenOf(targets: readonly Target[]): Chosen {
  return new Map(targets.map((target) => [keyOf(target), target]));
}

// without returns a selection without some targets.
export function without(chosen: Chosen, leaves: (target: Target) => boolean): Chosen {
  return new Map([...chosen].filter(([, target]) => !leaves(target)));
}

// posted returns the value that a form sends: a JSON array of {type, id,
// include_children}.
export function posted(chosen: Chosen): string {
  return JSON.stringify([...chosen.values()].map(({ type, id, include_children }) => ({ type, id, include_children })));
}

// postedIDs returns the value that a form of settings sends for people: "7, 9".
export function postedIDs(chosen: Chosen): string {
  return [...chosen.values()].map(({ id }) => id).join(", ");
}

// moves returns whether a target would leave another policy.
export function moves({ taken }: Target): boolean {
  return taken !== undefined && !taken.has_plan;
}

// isFixed returns whether a target cannot leave another policy, which has a planned
// change: saving would be refused.
export function isFixed({ taken }: Target): boolean {
  return taken?.has_plan === true;
}

export function isMoving(chosen: Chosen): boolean {
  return [...chosen.values()].some(moves);
}

// pathOf returns the names of a department's ancestors, from the root down.
export function pathOf(items: Items, departments: ReadonlyMap<string, Department>, id: string): string {
  return ancestorsOf(items, id).reverse().map((above) => departments.get(above)?.name).join(" / ");
}

// A department is selected itself, or covered by a selected ancestor, or some
// of its descendants are selected, or none.
export type Mark = { state: "chosen" | "covered" | "part" | "none"; by?: Target };

// marks returns the mark of each department. The nearest policy applies: a
// department that another policy has taken already is not covered, and neither
// are those below it.
export function marks(items: Items, chosen: Chosen, taken: Taken): (id: string) => Mark {
  const held = new Set([...taken].filter(([, policy]) => !policy.from).map(([key]) => key));
  const above = new Set<string>();
  for (const { type, id } of chosen.values()) {
    if (type === "department") ancestorsOf(items, id).forEach((ancestor) => above.add(ancestor));
  }
  return (id) => {
    const key = `department:${id}`;
    if (chosen.has(key)) return { state: "chosen" };
    const by = held.has(key) ? undefined : covering(items, chosen, held, id);
    if (by) return { state: "covered", by };
    return { state: above.has(id) ? "part" : "none" };
  };
}

function covering(items: Items, chosen: Chosen, held: ReadonlySet<string>, id: string): Target | undefined {
  for (const ancestor of ancestorsOf(items, id)) {
    const target = chosen.get(`department:${ancestor}`);
    if (target?.include_children) return target;
    if (!target && held.has(`department:${ancestor}`)) return undefined;
  }
  return undefined;
}
