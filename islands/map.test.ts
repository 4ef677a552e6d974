import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { attributionOf } from "./map-attribution.ts";
import type { Props } from "./map.tsx";
import type { Mounted } from "./mount.tsx";
import { $, open, settle } from "./page.test-setup.ts";

const texts = { label: "map of places", zoom_in: "nearer", zoom_out: "farther", failed: "no map", rejected: "key refused", unreachable: "no answer", offline: "no internet" };
const arrival = { kind: "arrival" as const, lat: 37.5663, lng: 126.97795, accuracy: 24 as number | undefined, label: "in 09:34" };
const departure = { kind: "departure" as const, lat: 37.567, lng: 126.978, label: "out 18:02" };
const office = { name: "<b>office</b>", lat: 37.5665, lng: 126.978, radius: 100 };
const props: Props = { tiles: "https://tiles.example/{z}/{x}/{y}.png", attribution: "© tiles", points: [arrival, departure], places: [office], texts };

let mounted: Mounted | undefined;
let resized: () => void;
let width: number;

// show renders a map in a square box of that many pixels.
async function show(given: Partial<Props> = {}, pixels = 400): Promise<void> {
  width = pixels;
  const { mount } = await import("./map.tsx");
  mounted?.unmount();
  mounted = mount($("#place"), { ...props, ...given });
}

// Leaflet inspects the browser once, when it is loaded, so all tests share the
// first page.
open('<div id="place"><p>fallback</p></div>');

beforeEach(() => {
  document.body.innerHTML = '<div id="place"><p>fallback</p></div>';
  const size = { configurable: true, get: () => width };
  Object.defineProperties(HTMLElement.prototype, { clientWidth: size, clientHeight: size });
  Object.assign(globalThis, {
    ResizeObserver: class {
      constructor(call: () => void) { resized = call; }
      observe = () => resized();
      disconnect = () => undefined;
    },
    requestAnimationFrame: (draw: () => void) => setTimeout(draw, 0),
    cancelAnimationFrame: clearTimeout,
  });
});

afterEach(() => {
  mounted?.unmount();
  mounted = undefined;
});

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
const labels = () => all(".map-point .map-label").map((label) => `${label.textContent} ${label.className.split("-").at(-1)}`);
const circles = () => all(".leaflet-overlay-pane path").map((path) => path.getAttribute("class")!.replace(/ ?leaflet\S*/g, ""));
const zoom = () => Number(/example\/(\d+)\//.exec($<HTMLImageElement>(".leaflet-tile").src)![1]);

test("marks arrival and departure by a word and a shape, with circles of accuracy and place", async () => {
  await show();
  assert.deepEqual(labels(), ["in 09:34 below", "out 18:02 above"]);
  assert.ok($(".map-mark.map-arrival svg circle") && $(".map-mark.map-departure svg path"));
  assert.deepEqual(circles(), ["map-place", "map-accuracy map-arrival"]);
  assert.equal($(".map-place-name").textContent, "<b>office</b>");
  assert.equal($(".leaflet-control-attribution").textContent, "© tiles");
});

test("two events at one point do not hide each other", async () => {
  await show({ points: [arrival, { ...arrival, kind: "departure", label: "out 18:02" }] });
  assert.deepEqual(labels(), ["in 09:34 above", "out 18:02 below"]);
});

test("shows all points, with the place that is nearest to each", async () => {
  await show();
  const near = zoom();
  const branch = { ...office, name: "branch", lat: 37.4 }; // 18 km away
  await show({ places: [branch, office] });
  assert.equal(zoom(), near);
  assert.equal(circles().filter((name) => name === "map-place").length, 2);
  assert.deepEqual(all(".map-place-name").map((name) => name.textContent), ["<b>office</b>"]);
  await show({ places: [branch] });
  assert.ok(zoom() < near, `${zoom()}`);
  await show({ points: [arrival, { ...departure, lat: 35.18, lng: 129.07 }], places: [] });
  assert.ok(zoom() <= 8, `${zoom()}`);
});

test("a point without a useful accuracy has no circle", async () => {
  for (const accuracy of [undefined, 9_000_000]) {
    await show({ points: [{ ...arrival, accuracy }], places: [] });
    assert.deepEqual(circles(), []);
    assert.equal(zoom(), 17);
  }
});

test("coordinates at the ends of the world are shown", async () => {
  for (const [lat, lng] of [[90, 180], [-90, -180], [85.06, 0.00001]] as const) {
    await show({ points: [{ ...arrival, lat, lng, accuracy: 50 }, { ...departure, lat: -lat, lng: -lng }], places: [{ ...office, lat, lng }] });
    assert.ok(zoom() >= 0, `${lat}`);
    assert.doesNotMatch(document.body.innerHTML, /NaN|Infinity/, `${lat}`);
  }
});

test("says that the map cannot be shown while tiles fail, and keeps the marks", async () => {
  globalThis.fetch = async () => new Response(null, { status: 500 });
  await show();
  const failure = $(".map-failure");
  assert.equal(failure.getAttribute("role"), "status");
  assert.equal(failure.textContent, "");
  const tiles = all(".leaflet-tile") as HTMLImageElement[];
  assert.ok(tiles.length > 0);
  for (const tile of tiles) tile.dispatchEvent(new Event("error"));
  await settle();
  assert.equal(failure.textContent, "no map");
  assert.equal(labels().length, 2);

  width = 800; // more tiles, which load successfully
  resized();
  const further = () => (all(".leaflet-tile") as HTMLImageElement[]).filter((tile) => !tiles.includes(tile));
  while (further().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const tile of further()) tile.dispatchEvent(new Event("load"));
  assert.equal(failure.textContent, "");
});

test("says why the map cannot be shown", async () => {
  const answers: [string, () => Promise<Response>][] = [
    ["key refused", async () => new Response(null, { status: 403 })],
    ["no answer", async () => { throw new TypeError("no answer"); }],
  ];
  for (const [text, answer] of answers) {
    globalThis.fetch = answer;
    await show();
    for (const tile of all(".leaflet-tile")) tile.dispatchEvent(new Event("error"));
    await settle();
    assert.equal($(".map-failure").textContent, text);
  }
});

test("tiles are requested with the site's origin as referrer, never with the page's URL", async () => {
  await show();
  for (const tile of all(".leaflet-tile") as HTMLImageElement[]) assert.equal(tile.referrerPolicy, "strict-origin");
});

test("works by keyboard, in the reader's language", async () => {
  await show();
  const box = $(".map");
  assert.equal(box.tabIndex, 0);
  assert.equal(box.getAttribute("aria-label"), "map of places");
  assert.equal($(".leaflet-control-zoom-in").getAttribute("aria-label"), "nearer");
  assert.equal($(".leaflet-control-zoom-out").title, "farther");
  const before = zoom();
  $(".leaflet-control-zoom-out").click();
  assert.equal(zoom(), before - 1);
});

test("waits until it can be seen", async () => {
  await show({}, 0);
  assert.deepEqual(all(".leaflet-tile"), []);
  width = 400;
  resized();
  assert.ok(all(".leaflet-tile").length > 0);
});

test("updates with its props, and removes everything when unmounted", async () => {
  await show();
  mounted!.render({ ...props, points: [departure] });
  assert.deepEqual(labels(), ["out 18:02 above"]);
  assert.equal(all(".map").length, 1);
  mounted!.unmount();
  mounted = undefined;
  assert.equal($("#place").innerHTML, "");
});

test("an attribution keeps its text and links, and nothing else", () => {
  for (const [given, want] of [
    ["© OpenStreetMap contributors", "© OpenStreetMap contributors"],
    ["&copy; a & b < c", "© a &amp; b &lt; c"],
    ['<a href="https://x.example/y" onclick="z()" style="q">X</a> <b>Y</b>', '<a href="https://x.example/y" target="_blank" rel="noopener noreferrer">X</a> Y'],
    ['<a href="javascript:alert(1)">X</a><script>alert(2)</script><img src=x onerror=alert(3)>', "X"],
    ["", ""],
  ] as const) {
    assert.equal(attributionOf(given), want, given);
  }
});
