// [data-copy="ID"] copies the text of that element and confirms it with the
// text of data-copied. Loaded with the first click on one.

// copyFrom copies the text of the button's element. It returns false if the
// clipboard is not available.
export async function copyFrom(button: HTMLElement): Promise<boolean> {
  const source = document.getElementById(button.dataset["copy"]!);
  return source !== null && copy(textOf(source));
}

// textOf writes a description list as one line per term, and preformatted text
// as it is: line breaks have a meaning in a command.
export function textOf(source: HTMLElement): string {
  if (source.matches("pre")) return source.textContent ?? "";
  const terms = [...source.querySelectorAll("dt")];
  if (terms.length === 0) return clean(source);
  return terms.map((term) => `${clean(term)}: ${clean(term.nextElementSibling)}`).join("\n");
}

function clean(element: Element | null): string {
  return (element?.textContent ?? "").replace(/\s+/g, " ").trim();
}

// navigator.clipboard needs https; on plain http a selection is copied instead.
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  const dialogs = document.querySelectorAll("dialog[open]");
  (dialogs[dialogs.length - 1] ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
