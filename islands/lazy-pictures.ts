// The pictures of a long list are loaded when they are nearly in view: the stylesheet
// skips [data-lazy] until then. Browsers begin their own lazy loading thousands of pixels
// earlier.
let near: IntersectionObserver | undefined;

// lazyPictures observes the pictures of the page, which a swap may have added.
export function lazyPictures(): void {
  near ??= new IntersectionObserver(show, { rootMargin: "100px" });
  for (const picture of document.querySelectorAll("[data-lazy]")) near.observe(picture);
}

function show(entries: IntersectionObserverEntry[], near: IntersectionObserver): void {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    target.removeAttribute("data-lazy");
    near.unobserve(target);
  }
}
