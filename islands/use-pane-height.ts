import { useEffect, useState } from "react";

const MOST = 336;
const LEAST = 140;
const AROUND = 400; // height of the dialog's head, foot and notes, in pixels

// usePaneHeight returns the height that a list in the dialog may have in this
// window.
export function usePaneHeight(): number {
  const [height, setHeight] = useState(measure);
  useEffect(() => {
    const again = () => setHeight(measure());
    window.addEventListener("resize", again);
    return () => window.removeEventListener("resize", again);
  }, []);
  return height;
}

function measure(): number {
  return Math.max(LEAST, Math.min(MOST, window.innerHeight - AROUND));
}
