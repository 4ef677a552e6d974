import type { InputHTMLAttributes } from "react";
import { Icon } from "./icons.tsx";

export type FieldAttributes = Pick<InputHTMLAttributes<HTMLInputElement>, "id" | "aria-describedby" | "aria-invalid">;

type Props = { term: string; setTerm: (term: string) => void; label: string; attributes?: FieldAttributes | undefined };

// SearchField is the search field of a pane of the dialog, which begins with
// the focus on the visible one. Escape clears it first.
export function SearchField({ term, setTerm, label, attributes }: Props) {
  return (
    <label className="with-icon">
      <Icon name="search" />
      <input
        className="input"
        type="search"
        value={term}
        placeholder={label}
        aria-label={label}
        data-first
        {...attributes}
        onChange={(event) => setTerm(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && !event.nativeEvent.isComposing && setTerm("")}
      />
    </label>
  );
}

// clearBeforeClosing prevents Escape from closing a dialog while it still has a
// search to clear or a composition to end.
export function clearBeforeClosing(event: KeyboardEvent): void {
  const field = event.target as HTMLInputElement;
  if (event.isComposing || (field.type === "search" && field.value !== "")) event.preventDefault();
}
