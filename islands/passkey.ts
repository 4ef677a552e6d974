// Forms that need a passkey: [data-passkey="create"] creates one with the options of
// the server, [data-passkey="get"] uses one. What the browser answers is sent in the
// form's [data-answer]. Where the browser knows no passkeys, the form stays hidden.

type Kind = "create" | "get";

let isListening = false;

// showPasskeyForms shows the forms of the page, which are hidden without scripts.
export function showPasskeyForms(): void {
  if (!isSupported()) return;
  for (const part of document.querySelectorAll<HTMLElement>("[data-passkey]")) {
    part.querySelector<HTMLElement>("[data-unsupported]")?.setAttribute("hidden", "");
    part.querySelector("form")?.removeAttribute("hidden");
  }
  if (isListening) return;
  isListening = true;
  document.addEventListener("submit", (event) => void intercept(event), true);
}

function isSupported(): boolean {
  const api = (globalThis as { PublicKeyCredential?: Partial<typeof PublicKeyCredential> }).PublicKeyCredential;
  return typeof api?.parseCreationOptionsFromJSON === "function" && typeof api.parseRequestOptionsFromJSON === "function";
}

// intercept asks the browser for the passkey before the form is sent.
async function intercept(event: SubmitEvent): Promise<void> {
  const form = event.target as HTMLFormElement;
  const part = form.closest<HTMLElement>("[data-passkey]");
  const answer = form.querySelector<HTMLInputElement>("[data-answer]");
  if (!part || !answer || answer.value !== "") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  showError(form, "");
  try {
    answer.value = JSON.stringify(await ask(part.dataset["passkey"] as Kind, part.dataset["options"]!));
    form.requestSubmit();
  } catch {
    showError(form, part.dataset["failed"] ?? ""); // cancelled, timed out, or there is none
  } finally {
    form.removeAttribute("aria-busy");
  }
}

async function ask(kind: Kind, options: string): Promise<unknown> {
  const credential =
    kind === "create"
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON) });
  if (!credential) throw new Error("the browser gave no passkey");
  return (credential as PublicKeyCredential).toJSON();
}

function showError(form: HTMLFormElement, text: string): void {
  const error = form.querySelector<HTMLElement>("[data-error]");
  if (!error) return;
  error.hidden = text === "";
  error.textContent = text;
}
