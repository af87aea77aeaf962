import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** Nearer to the end than this, in pixels, a person counts as being there. */
const NEAR = 80;

/**
 * Keeps a growing column at its end while the person is there, and leaves it alone while they read above.
 * @param ownLast changes when the person says something, which always brings them to the end
 */
export function useStickyScroll(ownLast: unknown) {
  const frame = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(false);
  const follows = useRef(true);
  const seen = useRef({ top: 0, room: 0 });

  const look = useCallback((element: HTMLElement) => {
    seen.current = { top: element.scrollTop, room: element.scrollHeight - element.clientHeight };
    return seen.current;
  }, []);
  const toEnd = useCallback(() => {
    const element = frame.current;
    if (!element) return;
    follows.current = true;
    element.scrollTo({ top: element.scrollHeight });
    look(element);
  }, []);
  useEffect(toEnd, [ownLast]);

  useEffect(() => {
    const element = frame.current;
    if (!element || !content.current) return undefined;
    const onScroll = () => {
      const before = seen.current;
      const { top, room } = look(element);
      const near = room - top < NEAR;
      // Up where nothing grew or shrank, only a person takes it: by hand, or by a focus that stands there. What shrinks
      // takes it up by itself, and the browser may tell of that only after something else has grown.
      if (near || (top < before.top && room === before.room)) follows.current = near;
      setAway(!follows.current);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    // Bubbles grow when a picture or a player learns its size; the frame shrinks when the composer grows.
    const growth = new ResizeObserver(() => {
      if (follows.current) toEnd();
      else look(element);
    });
    growth.observe(content.current);
    growth.observe(element);
    return () => {
      element.removeEventListener("scroll", onScroll);
      growth.disconnect();
    };
  }, []);

  return { frame, content, away, toEnd };
}
