// Renders an island in a small DOM, for tests.
import { $, open } from "./page.test-setup.ts";
import type { Frame, Island, Mounted } from "./mount.tsx";
import { read, write } from "./store.ts";

// openForm creates a page with a form that contains the element for an island.
export function openForm(): void {
  open('<form id="form" data-guard><div id="place"></div></form>');
  const names = window as unknown as Record<string, unknown>;
  Object.assign(globalThis, {
    IS_REACT_ACT_ENVIRONMENT: true,
    MutationObserver: names["MutationObserver"],
    NodeFilter: names["NodeFilter"],
    requestAnimationFrame: (draw: () => void) => setTimeout(draw, 0),
    cancelAnimationFrame: clearTimeout,
    MessageChannel: FakeChannel,
    ResizeObserver: class { observe = () => undefined; disconnect = () => undefined; },
  });
}

// FakeChannel replaces MessageChannel, with which React schedules its work; a
// real channel would prevent the test from ending.
class FakeChannel {
  port1 = { onmessage: () => undefined };
  port2 = { postMessage: () => setImmediate(() => this.port1.onmessage()) };
}

export async function mountIsland(island: unknown, props: object, request: Frame["request"]): Promise<Mounted> {
  const { mount } = await import("./mount.tsx");
  let mounted: Mounted | undefined;
  await act(async () => void (mounted = await mount($("#place"), island as Island, props, { request, visit: () => undefined, read, write })));
  return mounted!;
}

export async function act(change: () => unknown): Promise<void> {
  const react = await import("react");
  await react.act(async () => void (await change()));
}

// until waits for a condition that a timer or a response fulfils.
export async function until(isThere: () => unknown): Promise<void> {
  const end = Date.now() + 5000;
  while (!isThere()) {
    if (Date.now() > end) throw new Error(`never: ${isThere}`);
    await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
  }
}

export function find<T extends HTMLElement>(selector: string, text: string): T {
  const found = [...document.querySelectorAll<T>(selector)].find((element) => (element.getAttribute("aria-label") ?? element.textContent ?? "").includes(text));
  if (!found) throw new Error(`no ${selector} says ${text}`);
  return found;
}

export async function press(element: Element, key: string): Promise<boolean> {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  await act(() => element.dispatchEvent(event));
  return event.defaultPrevented;
}

export async function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> {
  const kind = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")!.set!.call(field, text);
  await act(() => field.dispatchEvent(new Event("input", { bubbles: true })));
}

// sent returns the values that the form would submit now.
export function sent(): Record<string, string> {
  const fields = [...document.querySelectorAll<HTMLInputElement>("#form input[name], #form textarea[name]")].filter((field) => !field.disabled);
  return Object.fromEntries(fields.map((field) => [field.name, field.value]));
}
