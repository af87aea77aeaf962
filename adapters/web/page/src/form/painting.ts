import { useRef } from "preact/hooks";
import type { Point } from "./marks.ts";
import { paint, type Mark, type CanvasSize } from "./paint.ts";

/** The button of a pen's other end (Pointer Events, section 4.1.3.1). */
const ERASER = 32;

/** How the brush paints. */
export interface Brush {
  readonly erases: boolean;
  /** Its diameter, in pixels of the picture. */
  readonly size: number;
}

type Stroke = Extract<Mark, { kind: "stroke" }>;

/**
 * Painting with a mouse, a finger or a pen: what a canvas listens to. Each stroke is seen at once, and is a mark when
 * it ends.
 */
export function usePainting(size: CanvasSize | undefined, brush: Brush, onMark: (mark: Mark) => void) {
  const stroke = useRef<Stroke>(undefined);

  /** Adds the points of an event, also those that came between two frames. */
  function paintTo(event: PointerEvent & { readonly currentTarget: HTMLCanvasElement }) {
    const current = stroke.current;
    if (!current || !size) return;
    const canvas = event.currentTarget;
    // Browsers offer them only at https addresses and on the machine itself.
    const between = "getCoalescedEvents" in event ? event.getCoalescedEvents() : [];
    const points = (between.length > 0 ? between : [event]).map((one) => pointOf(one, canvas, size));
    // Only what is new is painted: from the last point on.
    paint(canvas, size, { ...current, points: [...current.points.slice(-1), ...points] });
    stroke.current = { ...current, points: [...current.points, ...points] };
  }

  function end() {
    if (stroke.current) onMark(stroke.current);
    stroke.current = undefined;
  }

  return {
    onPointerDown(event: PointerEvent & { readonly currentTarget: HTMLCanvasElement }) {
      // A second finger is no second brush, and other buttons open menus.
      if (!event.isPrimary || (event.button !== 0 && event.button !== 5)) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      const erases = brush.erases || (event.buttons & ERASER) !== 0;
      stroke.current = { kind: "stroke", erases, size: brush.size, points: [] };
      paintTo(event);
    },
    onPointerMove: paintTo,
    onPointerUp: end,
    onPointerCancel: end,
  };
}

/** Where an event is in the picture. */
function pointOf(
  { clientX, clientY }: PointerEvent,
  canvas: HTMLCanvasElement,
  { width, height }: CanvasSize,
): Point {
  const box = canvas.getBoundingClientRect();
  return { x: ((clientX - box.left) / box.width) * width, y: ((clientY - box.top) / box.height) * height };
}
