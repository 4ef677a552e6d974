// The time that is left, counted down each second: [data-countdown] holds the
// seconds that were left when the page was made, data-left the sentence with its
// {time}. The server says the seconds, because clocks differ.
//
// Loaded only for a page that has one. It imports nothing, because what it shared
// with the main script would become one more request of every page.

let timer: ReturnType<typeof setInterval> | undefined;

export function countDown(): void {
  show();
  timer ??= setInterval(show, 1000);
}

function show(): void {
  const places = document.querySelectorAll<HTMLElement>("[data-countdown]");
  for (const place of places) {
    place.dataset["ends"] ??= String(Date.now() + Number(place.dataset["countdown"]) * 1000);
    const left = Math.max(0, Math.round((Number(place.dataset["ends"]) - Date.now()) / 1000));
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    place.textContent = place.dataset["left"]!.replace("{time}", time);
  }
  if (places.length > 0) return;
  clearInterval(timer);
  timer = undefined;
}
