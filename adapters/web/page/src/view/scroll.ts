import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** Nearer to the end than this, in pixels, a person counts as being there. */
const NEAR = 80;

/**
 * Keeps a growing column at its end while the person is there, and leaves it alone while they read above, or press
 * something: a button that moved away between down and up would not be pressed.
 * @param ownLast changes when the person says something, which always brings them to the end
 */
export function useStickyScroll(ownLast: unknown) {
  const frame = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(false);
  const follows = useRef(true);
  const pressing = useRef(false);
  const lastTop = useRef(0);

  const toEnd = useCallback(() => {
    const element = frame.current;
    if (!element) return;
    follows.current = true;
    if (pressing.current) return;
    element.scrollTo({ top: element.scrollHeight });
    lastTop.current = element.scrollTop;
  }, []);
  useEffect(toEnd, [ownLast]);

  useEffect(() => {
    const element = frame.current;
    if (!element || !content.current) return undefined;
    const onScroll = () => {
      const { scrollTop, scrollHeight } = element;
      const near = scrollHeight - scrollTop - element.clientHeight < NEAR;
      // Above where it was put, only a person takes it: by hand, or by a focus that stands there.
      if (near || scrollTop < lastTop.current) follows.current = near;
      lastTop.current = scrollTop;
      setAway(!follows.current);
    };
    const onDown = ({ button, target }: PointerEvent) => {
      // Not on its scrollbar, which may tell of no end.
      pressing.current = button === 0 && target !== element;
    };
    const onUp = () => {
      if (!pressing.current) return;
      // The click comes after it.
      setTimeout(() => {
        pressing.current = false;
        if (follows.current) toEnd();
      });
    };
    const left = new AbortController();
    const { signal } = left;
    element.addEventListener("scroll", onScroll, { passive: true, signal });
    element.addEventListener("pointerdown", onDown, { signal });
    for (const end of ["pointerup", "pointercancel"] as const) addEventListener(end, onUp, { signal });
    // Bubbles grow when a picture or a player learns its size; the frame shrinks when the composer grows.
    const growth = new ResizeObserver(() => {
      if (follows.current) toEnd();
      // What shrank took it up by itself, and the browser tells of that only after something else may have grown.
      else lastTop.current = element.scrollTop;
    });
    growth.observe(content.current);
    growth.observe(element);
    return () => {
      left.abort();
      growth.disconnect();
    };
  }, []);

  return { frame, content, away, toEnd };
}
