// What is searched as it is typed is not searched while kana, or wide Latin letters on the
// way to kana, wait for the word that is meant: each step would be asked for, and would stay
// in the log of what was searched. Hangul has no such words to choose from.

const UNFINISHED = /[\u3041-\u30ff\uff21-\uff9f]/;

// kana returns a function that reports whether the text of a field is such an unfinished one.
// It is to be called with each event of the field. One that a script sends does not know of
// compositions, and leaves it at what the event before it said.
export function kana(): (event: Event) => boolean {
  let isComposing = false;
  return (event) => {
    if (event.type === "compositionend") isComposing = false;
    else isComposing = (event as InputEvent).isComposing ?? isComposing;
    return isComposing && UNFINISHED.test((event.target as HTMLInputElement).value);
  };
}
