// [data-copy="ID"] copies what that element says and confirms it with the text
// of data-copied. Loaded with the first click on one.

// copyFrom says whether the text of the button's element is in the clipboard now.
export async function copyFrom(button: HTMLElement): Promise<boolean> {
  const source = document.getElementById(button.dataset["copy"]!);
  return source !== null && copy(textOf(source));
}

// textOf writes a list of terms as one line a term.
export function textOf(source: HTMLElement): string {
  const terms = [...source.querySelectorAll("dt")];
  if (terms.length === 0) return clean(source);
  return terms.map((term) => `${clean(term)}: ${clean(term.nextElementSibling)}`).join("\n");
}

function clean(element: Element | null): string {
  return (element?.textContent ?? "").replace(/\s+/g, " ").trim();
}

// The clipboard needs a secure address; a console on plain http has the older way.
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
