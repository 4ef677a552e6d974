// Toasts confirm what was done. The server may render one into
// <div class="toasts" role="status">; scripts add theirs.

const SHOWN = 5000;
const SHOWN_WITH_BUTTON = 10_000;

export function toast(text: string): void {
  const place = document.querySelector(".toasts");
  if (!place || !text) return;
  const line = document.createElement("span");
  line.textContent = text;
  const box = document.createElement("div");
  box.className = "toast";
  box.append(line);
  place.append(box);
  expire(box);
}

// toasts lets the toasts that came with the page go again.
export function toasts(): void {
  document.querySelectorAll<HTMLElement>(".toasts > .toast:not([data-expires])").forEach(expire);
}

// A toast in use (under the pointer, with the focus) stays.
function expire(box: HTMLElement): void {
  box.dataset["expires"] = "";
  const remove = () => (box.matches(":hover, :focus-within") ? setTimeout(remove, 1000) : box.remove());
  setTimeout(remove, box.querySelector("button, a") ? SHOWN_WITH_BUTTON : SHOWN);
}
