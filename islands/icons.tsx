// The icons of islands: the sprite of a page contains only the icons of its
// views.

const PATHS = {
  alert: "M8 2.5 1.8 13h12.4L8 2.5ZM8 6.5v3M8 11.3h.01",
  building: "M3.5 13.5v-10a1 1 0 0 1 1-1h7a1 1 0 0 1 1 1v10M2 13.5h12M6.5 5.5h.01M9.5 5.5h.01M6.5 8h.01M9.5 8h.01M7 13.5v-3h2v3",
  check: "m3 8.5 3.2 3L13 4.5",
  chevron: "m4.5 6.5 3.5 3.5 3.5-3.5",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.6",
  error: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v3.5M8 10.8h.01",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.3v3.5M8 5.2h.01",
  move: "M2.5 5.5h9M9 3l2.5 2.5L9 8M13.5 10.5h-9M7 8l-2.5 2.5L7 13",
  paste: "M5.5 3.5h-1a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1v-8a1 1 0 0 0-1-1h-1M5.5 2.5h5v2h-5ZM6 8h4M6 10.5h4",
  plus: "M8 3v10M3 8h10",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM13.5 13.5l-3.3-3.3",
  trash: "M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 8.1a1 1 0 0 0 1 .9h4.8a1 1 0 0 0 1-.9l.6-8.1M6.7 7v4M9.3 7v4",
  user: "M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM3 13.5c.3-2.4 2.3-4 5-4s4.7 1.6 5 4",
  x: "m4 4 8 8M12 4l-8 8",
};

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
