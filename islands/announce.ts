// announceList says how many rows a list has, or that it has none, in the live region of the
// toasts, when a filter, an order or another page of it was asked for. The line is not seen,
// and the next page is without it.
export function announceList(): void {
  const toasts = document.querySelector(".toasts");
  const found = [...document.querySelectorAll("main .pager > span:not(.row), main .empty h2")].find(({ textContent }) => textContent.trim() !== "");
  if (!found || !toasts || toasts.childElementCount > 0 || document.querySelector("dialog[open]")) return;
  const line = document.createElement("span");
  line.className = "vh";
  line.textContent = found.textContent;
  toasts.append(line);
}
