// Toasts confirm actions. The server may render one into <div class="toasts"
// role="status">; scripts add others.

const SHOWN = 5000;
const SHOWN_WITH_BUTTON = 10_000;

const timers = new WeakMap<Element, ReturnType<typeof setTimeout>>();

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

// undoByKey makes Ctrl+Z, or ⌘Z, undo what the toast confirms. In a field it undoes
// typing, as usual.
export function undoByKey(): void {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.code !== "KeyZ") return;
    if ((event.target as Element).closest("input:not([type=checkbox]), select, textarea, [contenteditable], dialog")) return;
    const button = document.querySelector<HTMLElement>(".toasts form button");
    if (button) event.preventDefault(), event.repeat || button.click(); // a held key would undo what the undoing confirms
  });
}

// toasts starts the timers that remove the toasts of the page.
export function toasts(): void {
  document.querySelectorAll<HTMLElement>(".toasts > .toast:not([data-expires])").forEach(expire);
}

// A toast under the pointer or with the focus stays. A page that is swapped in may turn the
// toast of the page before into its own, which then has its whole time.
function expire(box: HTMLElement): void {
  box.dataset["expires"] = "";
  const removeAfter = (time: number) => {
    clearTimeout(timers.get(box));
    timers.set(box, setTimeout(remove, time));
  };
  const remove = () => (box.matches(":hover, :focus-within") ? removeAfter(1000) : box.remove());
  removeAfter(box.querySelector("button, a") ? SHOWN_WITH_BUTTON : SHOWN);
}
