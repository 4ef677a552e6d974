// The form of a policy check: form[data-check]. While it is filled in, the server writes
// its sentence, and the fields that suit the chosen setting. Loaded only for the page
// with the form.
import { request } from "./request.ts";

const PAUSE = 250;

// watchChecks begins to listen; it is called once.
export function watchChecks(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  for (const type of ["input", "change"]) {
    document.addEventListener(type, (event) => {
      const field = event.target as HTMLInputElement;
      const form = field.form;
      if (!form?.matches("[data-check]") || !field.name || field.name === "name") return;
      clearTimeout(timer);
      timer = setTimeout(() => void show(form, field.name === "setting").catch(() => undefined), PAUSE); // the button still asks
    });
  }
}

// last is the number of the last request, so that a slow answer does not replace a
// later one.
let last = 0;

// show replaces the sentence, and the fields only after another setting was chosen, so
// that nobody loses the field in which they type.
async function show(form: HTMLFormElement, isOther: boolean): Promise<void> {
  const number = ++last;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  body.set("action", "show");
  const answer = await request(form.action, { method: "POST", body, quiet: true, expected: [422], headers: { Accept: "text/html" } });
  const html = await answer.text();
  if (!answer.ok || number !== last) return;
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const id of isOther ? ["check-sentence", "check-terms"] : ["check-sentence"]) {
    const part = page.getElementById(id);
    if (part) document.getElementById(id)?.replaceWith(part);
  }
}
