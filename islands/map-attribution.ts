// Map providers require an attribution line, as text or as HTML with links.
// attributionOf returns it as HTML in which only text and links remain.
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
