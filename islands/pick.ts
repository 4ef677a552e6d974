// Checkboxes in the rows of a list select what its bar of actions applies to:
// [data-pick] in the rows, [data-pick-all] in the head, and an <output
// data-picked="{n} selected"> in the bar. A [data-matches] in the bar offers to
// select all matching rows of every page; the text at its URL has their number.
//
// Loaded with the first checkbox that is ticked. It imports nothing, because
// code shared with the main script would become a separate file that every page
// requests.

let latest: HTMLInputElement | undefined; // the last of the rows that were picked

// pick handles a change of a checkbox, or of the bar's form.
export function pick(changed: Element): void {
  if (changed instanceof HTMLFormElement) return void setTimeout(() => clear(changed)); // the event precedes the reset itself
  if (changed instanceof HTMLInputElement && changed.matches("[data-pick-all]")) {
    for (const box of boxes()) box.checked = changed.checked;
    if (changed.checked) void count();
  }
  show();
}

// clear follows the reset of the bar, which picks the rows again that were picked when the page
// was rendered. The bar is then hidden with the button that had the focus, so the focus moves
// back to the rows.
function clear(bar: HTMLFormElement): void {
  show();
  for (const box of [...boxes(), ...bar.querySelectorAll<HTMLInputElement>("[name=all]")]) box.checked = false;
  show();
  const focus = document.activeElement;
  const [first] = boxes();
  if (focus === document.body || bar.contains(focus)) (latest?.isConnected ? latest : first)?.focus();
}

async function count(): Promise<void> {
  const offer = document.querySelector<HTMLElement>("[data-matches]");
  const address = offer?.dataset["matches"];
  if (!offer || !address) return;
  delete offer.dataset["matches"];
  const answer = await fetch(address).catch(() => undefined); // without a response the offer is unchanged
  if (answer?.ok) offer.textContent = await answer.text();
}

function show(): void {
  const all = boxes();
  const checked = all.filter((box) => box.checked);
  const picked = checked.length;
  latest = checked.at(-1) ?? latest;
  const head = document.querySelector<HTMLInputElement>("[data-pick-all]");
  if (head) {
    head.checked = picked > 0 && picked === all.length;
    head.indeterminate = picked > 0 && picked < all.length;
  }
  const said = document.querySelector<HTMLElement>("[data-picked]");
  if (!said) return;
  said.textContent = (said.dataset["picked"] ?? "").replace("{n}", number(picked)).replace("{people}", number(peopleOf(all)));
}

// peopleOf is the sum of the people of the picked rows, which have none in common.
function peopleOf(all: HTMLInputElement[]): number {
  return all.reduce((sum, box) => (box.checked ? sum + Number(box.dataset["people"] ?? 0) : sum), 0);
}

function number(n: number): string {
  return n.toLocaleString(document.documentElement.lang || undefined);
}

function boxes(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>("[data-pick]")];
}
