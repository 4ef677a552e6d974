import type { Texts } from "./target-texts.ts";
import type { Policy } from "./targets.ts";
import { fill } from "./words.ts";

// PolicyBadge shows which policy has taken a target, or from when it will.
export function PolicyBadge({ policy: { name, from }, texts }: { policy: Policy; texts: Texts }) {
  const said = from ? fill(texts.taken_from, { policy: name, date: from }) : fill(texts.taken, { policy: name });
  return (
    <span className="badge target-policy" data-tone="warning" title={said}>
      <span className="truncate" aria-hidden="true">{from ? said : name}</span>
      <span className="vh">{said}</span>
    </span>
  );
}
