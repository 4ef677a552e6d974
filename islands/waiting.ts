// A form whose response does not come asks after 10 s whether to go on waiting
// or to stop. (Requests end by themselves after a minute, see navigation.ts.)
import { ask, dialogById } from "./dialogs.ts";
import { toast } from "./toast.ts";

const LONG = 10_000;

// beginWait starts the wait for a request that stop ends; the function that it
// returns is called when the response is there.
export function beginWait(stop: () => void): () => void {
  const timer = setTimeout(() => void question(stop), LONG);
  return () => {
    clearTimeout(timer);
    dialogById("waiting")?.close();
  };
}

async function question(stop: () => void): Promise<void> {
  const dialog = dialogById("waiting");
  if (!dialog) return;
  const answer = ask(dialog, "[data-stop]");
  dialog.querySelector<HTMLElement>("[data-wait]")?.focus(); // a swap would look for [autofocus] in closed dialogs, too
  if (!(await answer)) return;
  stop();
  toast(dialog.dataset["stopped"] ?? "");
}
