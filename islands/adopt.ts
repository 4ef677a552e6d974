// adoptStyles adds the styles of what only scripts show, such as a dialog, to the document,
// once. No page has them before.
export function adoptStyles(css: string): void {
  if (adopted.get(css) === document) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  adopted.set(css, document);
}

const adopted = new Map<string, Document>();
