// Rows of a table that people put in order: tbody[data-order], rows
// tr[data-order-id], and in each a button [data-order-handle] with a popover of
// forms that move the row one step. Dragging the handle, or Space, arrows and
// Enter, move the row on the page; dropping it sends the row's form with the row
// that it follows now. The server answers with the page and an Undo.

const ANNOUNCER = "order-announcer";

type Taken = { row: HTMLTableRowElement; before: Element | null };

let taken: Taken | undefined;

// watchOrder listens for handles, now and on later pages.
export function watchOrder(): void {
  document.addEventListener("keydown", keyed);
  document.addEventListener("keyup", (event) => {
    if (event.key === " " && handleOf(event)) event.preventDefault(); // Firefox would open the menu
  });
  document.addEventListener("pointerdown", pressed);
  document.addEventListener("focusin", (event) => {
    if (handleOf(event)) announcer(); // screen readers read changes of a region that is already there
  });
  document.addEventListener("focusout", (event) => {
    if (handleOf(event) && !moving && !isDragged) putBack(); // the answer to an earlier drop may come during a drag
  });
}

function handleOf(event: Event): HTMLElement | null {
  return (event.target as Element).closest<HTMLElement>("[data-order-handle]");
}

let moving = false; // a row that moves loses the focus for a moment
let isDragged = false; // the taken row follows the pointer

function keyed(event: KeyboardEvent): void {
  const handle = handleOf(event);
  if (!handle) return;
  if (!taken?.row.isConnected) taken = undefined; // another page replaced the row
  const act = taken ? steps[event.key] : event.key === " " ? () => take(handle) : undefined;
  if (!act) return;
  event.preventDefault();
  act(handle);
}

const steps: Record<string, (handle: HTMLElement) => void> = {
  ArrowUp: () => moveTo(index() - 1),
  ArrowDown: () => moveTo(index() + 1),
  Home: () => moveTo(0),
  End: () => moveTo(rows().length - 1),
  Enter: drop,
  " ": drop,
  Escape: cancel,
};

function take(handle: HTMLElement): void {
  const row = handle.closest("tr");
  if (!row) return;
  putBack();
  taken = { row, before: row.nextElementSibling };
  row.dataset["taken"] = "";
  announce("taken");
}

// rows are those that can be moved; a locked row has no data-order-id.
function rows(): HTMLTableRowElement[] {
  return taken ? [...taken.row.parentElement!.querySelectorAll<HTMLTableRowElement>("tr[data-order-id]")] : [];
}

function index(): number {
  return taken ? rows().indexOf(taken.row) : -1;
}

function moveTo(to: number): void {
  const all = rows();
  const from = index();
  if (!taken || to < 0 || to >= all.length || to === from) return;
  moving = true;
  const focused = document.activeElement as HTMLElement | null;
  if (to > from) all[to]!.after(taken.row);
  else all[to]!.before(taken.row);
  focused?.focus();
  moving = false;
  taken.row.scrollIntoView?.({ block: "nearest" });
  announce("moved");
}

function drop(): void {
  if (!taken) return;
  const { row, before } = taken;
  announce("dropped");
  release();
  if (row.nextElementSibling === before) return;
  const form = row.querySelector<HTMLFormElement>("[popover] form");
  const after = form?.querySelector<HTMLInputElement>("[name=after]");
  if (!form || !after) return;
  after.value = predecessor(row);
  form.requestSubmit();
}

// predecessor is the id of the row before a row, "0" for the first one. A locked
// row has its id in the attribute id only, such as service-chat.
function predecessor(row: Element): string {
  const previous = row.previousElementSibling;
  if (!previous) return "0";
  return previous.getAttribute("data-order-id") ?? previous.id.replace(/^.*?-/, "");
}

function cancel(handle: HTMLElement): void {
  moving = true;
  putBack();
  handle.focus();
  moving = false;
}

function putBack(): void {
  if (!taken) return;
  const { row, before } = taken;
  if (row.nextElementSibling !== before) row.parentElement!.insertBefore(row, before);
  announce("cancelled");
  release();
}

function release(): void {
  delete taken?.row.dataset["taken"];
  taken = undefined;
}

function announce(what: "taken" | "moved" | "dropped" | "cancelled"): void {
  const row = taken?.row;
  const text = row?.parentElement?.getAttribute(`data-order-${what}`);
  if (!row || !text) return;
  const name = row.querySelector("th a, th .name > span")?.textContent?.trim() ?? "";
  const position = [...row.parentElement!.children].indexOf(row) + 1;
  const values: Record<string, string> = { name, position: String(position), count: String(row.parentElement!.children.length) };
  announcer().textContent = text.replace(/\{(\w+)\}/g, (all, key: string) => values[key] ?? all);
}

function announcer(): HTMLElement {
  const found = document.getElementById(ANNOUNCER);
  if (found) return found;
  const made = document.createElement("div");
  made.id = ANNOUNCER;
  made.className = "vh";
  made.setAttribute("role", "status");
  document.body.append(made);
  return made;
}

// pressed follows a pointer from a handle: a row that is not moved opens the
// handle's menu, as a click does.
function pressed(event: PointerEvent): void {
  const handle = handleOf(event);
  if (!handle || event.button !== 0) return;
  const from = event.clientY;
  isDragged = false;
  const move = (now: PointerEvent) => {
    if (!isDragged && Math.abs(now.clientY - from) < 5) return;
    if (!isDragged) {
      isDragged = true;
      take(handle);
    }
    scrollNear(now.clientY);
    const over = rows().findIndex((row) => row !== taken?.row && contains(row, now.clientY));
    if (over >= 0) moveTo(over);
  };
  const end = (now: Event) => {
    document.removeEventListener("pointermove", move);
    document.removeEventListener("pointerup", end);
    document.removeEventListener("pointercancel", end);
    if (!isDragged) return;
    document.addEventListener("click", swallow, { capture: true, once: true }); // the click that ends a drag
    setTimeout(() => document.removeEventListener("click", swallow, { capture: true }));
    if (now.type === "pointerup") move(now as PointerEvent), drop();
    else cancel(handle);
    isDragged = false;
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

// contains reports whether a height is in the middle half of a row, so that rows
// of different heights do not change places again and again.
function contains(row: Element, y: number): boolean {
  const box = row.getBoundingClientRect();
  return y > box.top + box.height / 4 && y < box.bottom - box.height / 4;
}

const EDGE = 60; // pixels from the edge of the window within which a drag scrolls

function scrollNear(y: number): void {
  if (y < EDGE) scrollBy(0, y - EDGE);
  else if (y > innerHeight - EDGE) scrollBy(0, y - innerHeight + EDGE);
}
