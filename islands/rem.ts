// Sizes that scripts compute follow the reader's text size, as those of the
// stylesheets do.

// rem returns the pixels of a length that is written in rem.
export function rem(length: number): number {
  return length * (parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
}
