// Renders islands with React. Imported lazily, so that a page without islands
// loads no React.
import { type ComponentType, createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";

// What the frame passes to islands. They import nothing from it, because code
// shared with the main script would become a separate file that every page
// requests.
export type Frame = {
  request: typeof import("./request.ts").request;
  visit: (url: string) => void;
  read: typeof import("./store.ts").read;
  write: typeof import("./store.ts").write;
};

// An island is a component that gets its props and the frame. The result of its
// prepare is added to the props; until then the server's markup stays.
export type Island = { default: ComponentType<never>; prepare?: (props: never, frame: Frame) => Promise<object> };

export type Mounted = { render(props: object): void; unmount(): void };

export async function mount(place: Element, island: Island, props: object, frame: Frame): Promise<Mounted> {
  const prepared = (await island.prepare?.(props as never, frame)) ?? {};
  const root = createRoot(place);
  const render = (next: object) =>
    root.render(createElement(StrictMode, null, createElement(island.default, { ...next, ...prepared, frame } as never)));
  render(props);
  return { render, unmount: () => root.unmount() };
}
