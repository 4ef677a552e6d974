// Providers give the line that a map must bear as text or as HTML with links.
// attributionOf is that line as HTML in which nothing but text and links is left.
export function attributionOf(line: string): string {
  const clean = document.createElement("span");
  clean.append(...nodesOf(new DOMParser().parseFromString(line, "text/html").body));
  return clean.innerHTML;
}

function nodesOf(parent: Node): Node[] {
  return [...parent.childNodes].flatMap((node) => {
    if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.textContent ?? "")];
    if (!(node instanceof HTMLElement) || /^(script|style|template)$/i.test(node.tagName)) return [];
    const inside = nodesOf(node);
    const href = node.getAttribute("href") ?? "";
    if (node.tagName !== "A" || !/^https?:\/\//i.test(href)) return inside;
    const link = Object.assign(document.createElement("a"), { href, target: "_blank", rel: "noopener noreferrer" });
    link.append(...inside);
    return [link];
  });
}
