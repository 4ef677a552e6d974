import { Icon } from "./icons.tsx";

type Props = { term: string; setTerm: (term: string) => void; label: string };

// SearchField is the search field of a pane of the dialog, which begins with
// the focus on the visible one. Escape clears it first.
export function SearchField({ term, setTerm, label }: Props) {
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
        onChange={(event) => setTerm(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && !event.nativeEvent.isComposing && setTerm("")}
      />
    </label>
  );
}
