// A map of where a person clocked in and out. Leaflet draws it, without React.
// The same information is in text beside it; the map only shows the positions.
import { Circle, Control, DivIcon, DomEvent, LatLng, LatLngBounds, Map, Marker, SVG, TileLayer } from "leaflet/dist/leaflet-src.esm.js";
import leafletCSS from "leaflet/dist/leaflet.css" with { type: "text" };
import { adoptStyles } from "./adopt.ts";
import { attributionOf } from "./map-attribution.ts";
import css from "./map.css" with { type: "text" };
import type { Mounted } from "./mount.tsx";

type Point = { kind: "arrival" | "departure"; lat: number; lng: number; accuracy?: number; label: string };
type Place = { name: string; lat: number; lng: number; radius: number };

// Coordinates are valid, and accuracies and radii are metres: the server has
// validated them. places are those near a point. tiles is Leaflet's URL
// template.
export type Props = {
  tiles: string;
  attribution: string;
  points: Point[];
  places: Place[];
  texts: { label: string; zoom_in: string; zoom_out: string } & Causes;
};

// Why there is no map.
type Causes = { failed: string; rejected: string; unreachable: string; offline: string };

// Without a layer, Leaflet's styles would override every layer of the console's.
const styles = `@layer components{${leafletCSS}}${css}`;

const VAGUE = 100_000; // in metres: a circle this large would show only sea and land
const REFERRER = "strict-origin";
const SHAPES = {
  arrival: '<svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6.5"/></svg>',
  departure: '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 2l6 6-6 6-6-6z"/></svg>',
};

export function mount(place: Element, props: object): Mounted {
  adoptStyles(styles);
  let remove = draw(place, props as Props);
  return {
    render(next) {
      remove();
      remove = draw(place, next as Props);
    },
    unmount: () => remove(),
  };
}

function draw(place: Element, { tiles, attribution, points, places, texts }: Props): () => void {
  const box = element("div", "map");
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", texts.label);
  const failure = element("p", "map-failure");
  failure.setAttribute("role", "status");
  place.replaceChildren(box, failure);

  const map = new Map(box, {
    attributionControl: false, zoomControl: false, zoomAnimation: false, fadeAnimation: false, inertia: false,
    scrollWheelZoom: false, maxZoom: 19, renderer: new SVG(),
  });
  map.panBy = (offset) => Map.prototype.panBy.call(map, offset, { animate: false });
  map.addControl(new Control.Zoom({ zoomInTitle: texts.zoom_in, zoomOutTitle: texts.zoom_out }));
  map.addControl(new Control.Attribution({ prefix: false }).addAttribution(attributionOf(attribution)));
  // The mouse wheel over the map scrolls the page until the map has the focus.
  DomEvent.on(box, "focusin", () => map.scrollWheelZoom.enable());
  DomEvent.on(box, "focusout", () => map.scrollWheelZoom.disable());

  addTiles(map, tiles, texts, (cause) => (failure.textContent = cause));
  const nearest = nearestOf(points, places);
  for (const one of places) addPlace(map, one, nearest.includes(one));
  for (const point of points) addPoint(map, point, isNorthmost(point, points));

  const stop = whenSized(box, (first) => {
    map.invalidateSize({ pan: false });
    if (first) map.fitBounds(boundsOf(points, nearest), { paddingTopLeft: [60, 44], paddingBottomRight: [60, 44], maxZoom: 17 });
  });
  return () => {
    stop();
    map.remove();
    place.replaceChildren();
  };
}

// Map providers identify the API key's site by the referrer, and some refuse
// requests without one; the page itself sends none to other sites.
function addTiles(map: Map, address: string, texts: Causes, tell: (cause: string) => void): void {
  let failed = false;
  let cause = "";
  new TileLayer(address, { maxZoom: 19, referrerPolicy: REFERRER })
    .on("loading", () => (failed = false))
    .on("tileerror", ({ tile }) => {
      const isFirst = !failed;
      failed = true;
      tell(cause || texts.failed);
      if (!cause && isFirst) void causeOf(tile.src, texts).then((found) => failed && tell((cause = found)));
    })
    .on("load", () => tell(failed ? cause || texts.failed : ""))
    .addTo(map);
}

// causeOf finds out why an image was not loaded, which its element does not say. A
// service that lets no script read its answers cannot be told from one that is out of
// reach.
async function causeOf(address: string, texts: Causes): Promise<string> {
  if (!navigator.onLine) return texts.offline;
  try {
    const { status } = await fetch(address, { credentials: "omit", referrerPolicy: REFERRER });
    return [401, 403, 429].includes(status) ? texts.rejected : texts.failed;
  } catch {
    return texts.unreachable;
  }
}

function addPlace(map: Map, { name, lat, lng, radius }: Place, isNamed: boolean): void {
  const circle = new Circle([lat, lng], { radius, className: "map-place", interactive: false }).addTo(map);
  if (!isNamed) return;
  const label = element("span", "map-label");
  label.textContent = name;
  addMark(map, new LatLng(circle.getLatLng().toBounds(2 * radius).getSouth(), lng), "map-place-name", label, -10_000); // below the labels of the points
}

function addPoint(map: Map, { kind, lat, lng, accuracy, label: text }: Point, isAbove: boolean): void {
  if (accuracy && accuracy <= VAGUE) new Circle([lat, lng], { radius: accuracy, className: `map-accuracy map-${kind}`, interactive: false }).addTo(map);
  const label = element("span", `map-label map-${isAbove ? "above" : "below"}`);
  label.textContent = text;
  const mark = element("span", `map-mark map-${kind}`);
  mark.innerHTML = SHAPES[kind];
  mark.append(label);
  addMark(map, new LatLng(lat, lng), "map-point", mark);
}

function addMark(map: Map, at: LatLng, className: string, html: HTMLElement, zIndexOffset = 0): void {
  new Marker(at, { zIndexOffset, icon: new DivIcon({ className, html, iconSize: undefined }), interactive: false, keyboard: false }).addTo(map);
}

// The label of the northern point is above it, that of the other below, so that
// they never overlap, however close the points are.
function isNorthmost(point: Point, points: Point[]): boolean {
  const first = points.reduce((north, other) => (other.lat > north.lat ? other : north));
  return point === first;
}

function boundsOf(points: Point[], places: Place[]): LatLngBounds {
  const at = points.map(({ lat, lng }) => new LatLng(lat, lng));
  const all = new LatLngBounds(at);
  points.forEach(({ accuracy }, i) => accuracy && accuracy <= VAGUE && all.extend(at[i]!.toBounds(2 * accuracy)));
  for (const { lat, lng, radius } of places) all.extend(new LatLng(lat, lng).toBounds(2 * radius));
  return all;
}

// nearestOf returns the places nearest to the points; the names of all places
// would cover the map.
function nearestOf(points: Point[], places: Place[]): Place[] {
  return points.flatMap(({ lat, lng }) => {
    const at = new LatLng(lat, lng);
    const far = ({ lat, lng }: Place) => at.distanceTo([lat, lng]);
    return places.length === 0 ? [] : [places.reduce((near, other) => (far(other) < far(near) ? other : near))];
  });
}

// whenSized calls back once the box is visible, and again whenever its size
// changes.
function whenSized(box: HTMLElement, call: (first: boolean) => void): () => void {
  let first = true;
  const observer = new ResizeObserver(() => {
    if (box.clientWidth === 0) return;
    call(first);
    first = false;
  });
  observer.observe(box);
  return () => observer.disconnect();
}

function element(name: string, className: string): HTMLElement {
  return Object.assign(document.createElement(name), { className });
}
