// The days of a person's month: a.heat. The link leads to the record of the day that the
// pointer is on, and its tooltip says what was on that day.
const CELL = 20; // width of a day in the drawing

// watchDays begins to listen; it is called once.
export function watchDays(): void {
  for (const type of ["pointerover", "pointermove"] as const) {
    document.addEventListener(type, ({ target, clientX }) => {
      const link = (target as Element).closest<HTMLAnchorElement>("a.heat");
      if (link) show(link, clientX);
    });
  }
}

function show(link: HTMLAnchorElement, x: number): void {
  const drawing = link.querySelector("svg")!;
  const { left, width } = drawing.getBoundingClientRect();
  const days = Number(drawing.getAttribute("viewBox")!.split(" ")[2]) / CELL;
  const index = Math.floor(((x - left) / width) * days);
  if (link.style.getPropertyValue("--at") === String(index)) return;
  link.style.setProperty("--days", String(days));
  link.style.setProperty("--at", String(index));
  // The first and the last point of a path begin and end it; those between are days.
  const path = [...drawing.querySelectorAll("path")].find((path) => path.getAttribute("d")!.includes(`H${index * CELL}H`));
  const symbol = path && document.querySelector<SVGElement>(path.getAttribute("marker-mid")!.slice("url(".length, -1));
  link.title = symbol?.dataset["title"]?.replace("{day}", String(index + 1)) ?? "";
  link.dataset["person"] ??= link.getAttribute("href")!;
  link.toggleAttribute("data-day", Boolean(path && !path.hasAttribute("data-none")));
  const record = `${link.dataset["records"]}${String(index + 1).padStart(2, "0")}${path?.dataset["suffix"] ?? ""}`;
  link.href = link.hasAttribute("data-day") ? record : link.dataset["person"];
}
