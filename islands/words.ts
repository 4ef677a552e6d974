// Texts are translated in an island's props; this file fills in their {names}.

// fill replaces the placeholders of a text: {n}, {name}. Numbers are formatted
// in the page's language.
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return typeof value === "number" ? value.toLocaleString(document.documentElement.lang || undefined) : (value ?? place);
  });
}
