// The index beside a long form: it marks the section that is read, and searches
// settings by their label, help and options.

const MAX = 12;
const TOP = 140; // px from the top of the window; a section that begins above it is read

let frame = 0;

// watchIndex handles the events of an index, on this page and on later ones.
export function watchIndex(): void {
  document.addEventListener("input", (event) => {
    const field = event.target as HTMLInputElement;
    if (field.matches("[data-index-search]")) search(field.value);
  });
  document.addEventListener("keydown", (event) => {
    const index = (event.target as Element).closest<HTMLElement>("[data-index]");
    if (index && !event.isComposing && press(index, event)) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("[data-index] a");
    if (link) setTimeout(() => arrive(link)); // after the browser has followed the link
  });
  window.addEventListener("scroll", () => void (frame ||= requestAnimationFrame(markCurrent)), { passive: true });
}

// markCurrent marks the last section that begins near the top of the window, or
// at the foot of the page the last of all.
export function markCurrent(): void {
  frame = 0;
  const links = [...document.querySelectorAll<HTMLAnchorElement>("[data-index-sections] a")];
  const visible = links.filter((link) => sectionOf(link)?.checkVisibility?.() ?? true);
  const { scrollTop, clientHeight, scrollHeight } = document.documentElement;
  const atFoot = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
  const current = atFoot ? visible.at(-1) : visible.findLast((link) => (sectionOf(link)?.getBoundingClientRect().top ?? Infinity) < TOP) ?? visible[0];
  for (const link of links) {
    link.parentElement!.hidden = !visible.includes(link);
    if (link === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function sectionOf(link: HTMLAnchorElement): HTMLElement | null {
  return document.getElementById(link.hash.slice(1));
}

type Hit = { href: string; label: string; note: string };

function search(text: string): void {
  const words = normalized(text).split(/\s+/).filter(Boolean);
  const hits = words.length ? find(words) : [];
  const list = document.querySelector<HTMLElement>("[data-index-hits]")!;
  list.hidden = words.length === 0;
  list.replaceChildren(...hits.slice(0, MAX).map(item));
  document.querySelector<HTMLElement>("[data-index-sections]")!.hidden = words.length > 0;
  const status = document.querySelector<HTMLElement>("[data-index-status]")!;
  const { one = "", other = "", none = "" } = status.dataset;
  status.textContent = words.length === 0 ? "" : hits.length === 0 ? none : (hits.length === 1 ? one : other).replace("{n}", String(hits.length));
}

// find returns the fields with all words, those with them in their label first.
function find(words: string[]): Hit[] {
  const inLabel: Hit[] = [];
  const elsewhere: Hit[] = [];
  for (const field of document.querySelectorAll<HTMLElement>("main [data-label]")) {
    const has = (text: string) => words.every((word) => text.includes(word));
    if (has(normalized(field.dataset["label"]!))) inLabel.push(hit(field));
    else if (has(normalized(field.textContent ?? ""))) elsewhere.push(hit(field));
  }
  return [...inLabel, ...elsewhere];
}

// hit leads to a field, or for a hidden one to the setting that shows it.
function hit(field: HTMLElement): Hit {
  const label = field.dataset["label"]!;
  const group = field.closest("section")?.querySelector("h2")?.textContent ?? "";
  if (!field.hidden) return { href: `#${field.id || field.querySelector("input, select, textarea")?.id}`, label, note: group };
  const condition = Object.keys(JSON.parse(field.dataset["when"]!) as object)[0];
  return { href: `#setting-${condition}`, label, note: field.querySelector(".unscripted")?.textContent ?? group };
}

function item({ href, label, note }: Hit): HTMLElement {
  const link = Object.assign(document.createElement("a"), { href, textContent: label });
  link.append(Object.assign(document.createElement("small"), { textContent: note }));
  const row = document.createElement("li");
  row.append(link);
  return row;
}

function normalized(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

// press handles a key in the index, and returns whether it did.
function press(index: HTMLElement, { key, target }: KeyboardEvent): boolean {
  const links = [...index.querySelectorAll<HTMLAnchorElement>("ul:not([hidden]) li:not([hidden]) a")];
  const field = index.querySelector<HTMLInputElement>("[data-index-search]");
  const at = links.indexOf(target as HTMLAnchorElement);
  if (key === "ArrowDown") links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (key === "ArrowUp") (links[at - 1] ?? field)?.focus();
  else if (key === "Enter" && target === field) links[0]?.click();
  else if (key === "Escape" && field?.value) {
    field.value = "";
    search("");
    field.focus();
  } else return false;
  return true;
}

// arrive moves the focus to the field that a link led to, and closes the menu
// that the index is on narrow screens.
function arrive(link: HTMLAnchorElement): void {
  const menu = link.closest<HTMLElement>("[popover]");
  if (menu?.matches(":popover-open")) menu.hidePopover();
  const field = sectionOf(link);
  if (!link.closest("[data-index-hits]") || !field) return;
  const control = field.matches("input, select, textarea") ? field : field.querySelector<HTMLElement>("input:not([type=hidden]):not([hidden]), select, textarea, button");
  control?.focus({ preventScroll: true });
}
