import { type RefObject, useLayoutEffect, useRef, useState } from "react";

const LEAST = 168;
const MARGIN = 32;

// useAvailableHeight returns a ref for a box, and the height that it may have
// within the window.
export function useAvailableHeight(): [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement | null>(null);
  const [height, setHeight] = useState(LEAST);
  useLayoutEffect(() => {
    const measure = () => {
      const top = Math.max(0, box.current?.getBoundingClientRect().top ?? 0);
      setHeight(Math.max(LEAST, window.innerHeight - top - MARGIN));
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (box.current) observer.observe(box.current);
    window.addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, []);
  return [box, height];
}
