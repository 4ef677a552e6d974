// Opens the drawer of customer support, which is requested when it is opened, so that no
// page carries it.
import { showBrowser } from "./browser.ts";
import { request } from "./request.ts";

let loading: Promise<void> | undefined;

// openSupport opens the drawer that the link's page has, too. If it cannot be loaded, the
// person is told why.
export async function openSupport(link: HTMLAnchorElement): Promise<void> {
  if (!drawer()) await (loading ??= load(link.href).finally(() => (loading = undefined)));
  if (!drawer()?.open) drawer()?.showModal();
}

function drawer(): HTMLDialogElement | null {
  return document.querySelector("dialog#support");
}

async function load(address: string): Promise<void> {
  const response = await request(address, { headers: { Accept: "text/html", "HX-Request": "true" } });
  document.body.insertAdjacentHTML("beforeend", await response.text());
  await showBrowser();
}
