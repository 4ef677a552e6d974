// The rules of installation: form[data-effect]. While a version is typed or targets
// are chosen, the server says whom the draft would make update and whom it would shut
// out. Loaded only for the page with the form.
import { request } from "./request.ts";

const PAUSE = 300;

// watchRules begins to listen; it is called once.
export function watchRules(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("input", (event) => {
    const field = event.target as HTMLInputElement;
    const form = field.closest<HTMLFormElement>("form[data-effect]");
    if (!form || !/\.(allowed|everyone|targets|minimum|requires_os)$/.test(field.name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void showEffect(form).catch(() => undefined), PAUSE); // the button still asks
  });
}

// last is the number of the last request, so that a slow answer does not replace a
// later one.
let last = 0;

// showEffect replaces the parts of the page that the answer has. A version that cannot
// be read yet changes nothing.
async function showEffect(form: HTMLFormElement): Promise<void> {
  const number = ++last;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  const answer = await request(form.dataset["effect"]!, { method: "POST", body, quiet: true, expected: [422], headers: { Accept: "text/html" } });
  const html = await answer.text();
  if (!answer.ok || number !== last) return;
  for (const part of [...new DOMParser().parseFromString(html, "text/html").body.children]) document.getElementById(part.id)?.replaceWith(part);
}
