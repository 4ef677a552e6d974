// Boxes in the rows of a list choose what its bar of actions is about:
// [data-pick] in the rows, [data-pick-all] in the head, and an <output
// data-picked="{n} selected"> in the bar. A [data-matches] in the bar offers what
// more there is than the rows; the text at its address counts it.
//
// Loaded with the first box that is ticked. It imports nothing, because what it
// shared with the main script would become one more request of every page.

// pick follows a change of a box, or of the bar's form.
export function pick(changed: Element): void {
  if (changed instanceof HTMLFormElement) return void setTimeout(show); // a reset comes before its effect
  if (changed instanceof HTMLInputElement && changed.matches("[data-pick-all]")) {
    for (const box of boxes()) box.checked = changed.checked;
    if (changed.checked) void count();
  }
  show();
}

async function count(): Promise<void> {
  const offer = document.querySelector<HTMLElement>("[data-matches]");
  const address = offer?.dataset["matches"];
  if (!offer || !address) return;
  delete offer.dataset["matches"];
  const answer = await fetch(address).catch(() => undefined); // without it, the offer stands as it is
  if (answer?.ok) offer.textContent = await answer.text();
}

function show(): void {
  const all = boxes();
  const picked = all.filter((box) => box.checked).length;
  const head = document.querySelector<HTMLInputElement>("[data-pick-all]");
  if (head) {
    head.checked = picked > 0 && picked === all.length;
    head.indeterminate = picked > 0 && picked < all.length;
  }
  const said = document.querySelector<HTMLElement>("[data-picked]");
  if (!said) return;
  const count = picked.toLocaleString(document.documentElement.lang || undefined);
  said.textContent = (said.dataset["picked"] ?? "").replace("{n}", count);
}

function boxes(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>("[data-pick]")];
}
