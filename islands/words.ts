// Texts come translated in an island's props; {names} in them are filled here.

// fill puts values in the places of a text: {n}, {name}. Numbers are written as
// the page's language writes them.
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return typeof value === "number" ? value.toLocaleString(document.documentElement.lang || undefined) : (value ?? place);
  });
}
