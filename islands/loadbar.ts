// The top loading bar: shown after 200 ms of waiting, for at most 5000 ms.

const THROTTLE = 200;
const DURATION = 5000;

export class Loadbar {
  #waiting = 0;
  #timers: ReturnType<typeof setTimeout>[] = [];
  readonly #bar = document.createElement("div");

  constructor() {
    this.#bar.className = "loadbar";
    this.#bar.hidden = true;
    this.#bar.setAttribute("aria-hidden", "true");
  }

  // begin starts a wait; the function that it returns ends it.
  begin(): () => void {
    if (this.#waiting++ === 0) this.#timers = [setTimeout(() => this.#show(), THROTTLE)];
    let over = false;
    return () => {
      if (over) return;
      over = true;
      if (--this.#waiting === 0) this.#hide();
    };
  }

  // If the browser loads a page itself, no event reports that loading failed:
  // the wait ends when the page is left or shown again, or after DURATION.
  beginPage(): void {
    const end = this.begin();
    setTimeout(end, THROTTLE + DURATION);
    window.addEventListener("pageshow", end, { once: true });
  }

  #show(): void {
    // Outside the body, which navigation replaces.
    document.documentElement.append(this.#bar);
    this.#bar.hidden = false;
    document.querySelector("main")?.setAttribute("aria-busy", "true");
    this.#timers.push(setTimeout(() => (this.#bar.hidden = true), DURATION));
  }

  #hide(): void {
    this.#timers.forEach(clearTimeout);
    this.#bar.hidden = true;
    document.querySelector("main")?.removeAttribute("aria-busy");
  }
}

// watchPages starts a wait for links and forms that the browser follows itself.
export function watchPages(loadbar: Loadbar): void {
  window.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a[href]");
    if (link instanceof HTMLAnchorElement && leadsAway(link, event)) loadbar.beginPage(); // a link in an SVG image is not an HTMLAnchorElement
  });
  window.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (!event.defaultPrevented && form.method !== "dialog" && !form.target) loadbar.beginPage();
  });
}

function leadsAway(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const plain = !event.defaultPrevented && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  const samePage = link.href.split("#")[0] === location.href.split("#")[0];
  return plain && !link.target && !link.hasAttribute("download") && !link.hasAttribute("data-file") && !samePage && link.protocol.startsWith("http");
}
