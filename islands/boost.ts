// Navigation by htmx is more than half of the scripts of a page, and no page needs
// it to be read. So it is loaded when the pointer or the focus first comes to a control. A
// link or a form that is used before it is there waits for it. If it does not come, the
// browser itself follows links and sends forms, as without scripts, unless there is no
// connection: it would only replace the page, and what was typed, by its own message.
import { report } from "./failure.ts";
import type { Loadbar } from "./loadbar.ts";
import type { Hooks } from "./navigation.ts";

type Navigation = typeof import("./navigation.ts");
type Use = { isChange: boolean; repeat: () => void };

const CONTROLS = "a, button, form, .opens tr";
const PATIENCE = 5_000;

let load: () => Promise<Navigation | null> = () => Promise.resolve(null);

// boost lets pages with a session be navigated by htmx.
export function boost(loadbar: Loadbar, hooks: Hooks): void {
  if (!document.body.dataset["session"]) return;
  // The attribute is not part of HTML, so that the document does not have it, and it remains
  // while bodies are swapped.
  document.documentElement.setAttribute("hx-boost:inherited", "true");
  let isOver = false; // whether it was loaded, or is not waited for any more
  let isLoaded = false;
  let waiting: Use[] = []; // changes, and the latest link after them
  let loading: Promise<Navigation | null> | undefined;
  load = () => (loading ??= start(loadbar, hooks).then((loaded) => {
    isOver = true;
    isLoaded = loaded !== null;
    if (loaded) window.removeEventListener("popstate", reload);
    return loaded;
  }));

  // A pointer that only rests on the page is over it, too.
  for (const type of ["pointerover", "focusin"]) {
    document.addEventListener(type, ({ target }) => void ((target as Element).closest(CONTROLS) && load()));
  }
  for (const type of ["click", "submit"]) {
    window.addEventListener(type, (event) => {
      const use = isOver && (isLoaded || navigator.onLine) ? undefined : useOf(event);
      if (!use) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (waiting.length === 0) void wait();
      waiting = [...waiting.filter(({ isChange }) => isChange), use];
    }, true);
  }
  window.addEventListener("popstate", reload);

  async function wait(): Promise<void> {
    const end = loadbar.begin();
    const loaded = await ready();
    end();
    isOver = true;
    const uses = loaded ? waiting : waiting.slice(-1); // the browser itself does only one of them
    waiting = [];
    if (!loaded && !navigator.onLine) report({ status: 0 });
    else uses.forEach((use) => use.repeat());
  }
}

// ready waits until navigation is loaded, and returns whether it is.
export async function ready(): Promise<boolean> {
  const patience = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE));
  return (await Promise.race([load(), patience])) !== null;
}

// visit navigates to a page of the console like a link.
export async function visit(url: string): Promise<void> {
  const loaded = await load();
  if (loaded) loaded.visit(url);
  else location.assign(url);
}

// reload shows the page that the person goes back to, if htmx led from it to the one that was
// loaded. The browser takes them for one document, and only changes the address.
function reload({ state }: PopStateEvent): void {
  if ((state as { htmx?: boolean } | null)?.htmx) location.reload();
}

async function start(loadbar: Loadbar, hooks: Hooks): Promise<Navigation | null> {
  try {
    const loaded = await import("./navigation.ts");
    loaded.navigation(loadbar, hooks);
    return loaded;
  } catch (error) {
    console.error("navigation could not be loaded", error);
    return null;
  }
}

// useOf returns the use of a link or a form; undefined for those that htmx leaves to the
// browser.
function useOf(event: Event): Use | undefined {
  const target = event.target as Element;
  const used = event.type === "submit" ? target : target.closest("a[href]");
  if (!used || used.matches("[data-hx-boost=false], [target], [download], [method=dialog], [href^='#']")) return undefined;
  if (used instanceof HTMLFormElement) return { isChange: used.method === "post", repeat: () => used.requestSubmit((event as SubmitEvent).submitter) };
  const isPlain = used instanceof HTMLAnchorElement && used.origin === location.origin && !hasModifier(event as MouseEvent);
  return isPlain ? { isChange: false, repeat: () => used.click() } : undefined;
}

function hasModifier({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey;
}
