import type { RefObject } from "preact";
import { useCallback, useEffect, useRef } from "preact/hooks";

/** How far beyond the frame something still is near: about as far as browsers look ahead for pictures that they load late. */
const MARGIN = "1500px 0px";

/** Hears whether something is near, and how high it is, in pixels. */
type Hear = (near: boolean, height: number) => void;

/** Watches an element until what it gives is called. */
export type WatchElement = (element: Element, hear: Hear) => () => void;

/** Tells what is near the part of a long column that somebody sees. */
export function useNearness(frame: RefObject<HTMLElement | null>): WatchElement {
  const observer = useRef<IntersectionObserver>(undefined);
  const hearers = useRef(new Map<Element, Hear>());
  useEffect(() => () => observer.current?.disconnect(), []);

  return useCallback((element, hear) => {
    observer.current ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting, boundingClientRect } of entries)
          hearers.current.get(target)?.(isIntersecting, boundingClientRect.height);
      },
      { root: frame.current, rootMargin: MARGIN },
    );
    hearers.current.set(element, hear);
    observer.current.observe(element);
    return () => {
      observer.current?.unobserve(element);
      hearers.current.delete(element);
    };
  }, []);
}
