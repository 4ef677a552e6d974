// A countdown by seconds: [data-countdown] has the seconds that remained when
// the page was rendered, data-left the sentence with its {time}. The seconds
// come from the server, because clocks differ.
//
// Loaded only for pages with a countdown. It imports nothing, because code
// shared with the main script would become a separate file that every page
// requests.

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
