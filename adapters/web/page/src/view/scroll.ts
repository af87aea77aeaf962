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

  const toEnd = useCallback(() => {
    follows.current = true;
    frame.current?.scrollTo({ top: frame.current.scrollHeight });
  }, []);
  useEffect(toEnd, [ownLast]);

  useEffect(() => {
    const element = frame.current;
    if (!element || !content.current) return undefined;
    let lastTop = 0;
    const onScroll = () => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      // Only a person scrolls up; the end moves away by itself whenever something grows.
      if (near || element.scrollTop < lastTop) follows.current = near;
      lastTop = element.scrollTop;
      setAway(!follows.current);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    // Bubbles grow when a picture or a player learns its size; the frame shrinks when the composer grows.
    const growth = new ResizeObserver(() => follows.current && toEnd());
    growth.observe(content.current);
    growth.observe(element);
    return () => {
      element.removeEventListener("scroll", onScroll);
      growth.disconnect();
    };
  }, []);

  return { frame, content, away, toEnd };
}
