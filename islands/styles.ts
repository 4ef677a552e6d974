// The stylesheets of a page that is swapped in: those that are missing are loaded before it
// is shown, so that it never appears without them.

// withStyles returns a fetch of pages whose response comes when their stylesheets are there.
export function withStyles(load: typeof fetch): typeof fetch {
  return async (...request) => {
    const response = await load(...request);
    if (response.headers.get("Content-Type")?.includes("html")) await loadStyles(await response.clone().text());
    return response;
  };
}

export async function loadStyles(html: string): Promise<void> {
  const present = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].map((link) => link.getAttribute("href") ?? "");
  const wanted = [...html.matchAll(/<link rel="?stylesheet"? href="?([^" >]+)/g)].map(([, href]) => href!);
  await Promise.all(wanted.filter((href) => !present.includes(href)).map(loadStyle));
}

// loadStyle resolves also if the stylesheet cannot be loaded: the page is readable without it.
function loadStyle(href: string): Promise<void> {
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}
