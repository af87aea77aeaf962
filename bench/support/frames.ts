import type { Page } from "playwright-core";

/** What the frames of a page were like while it was watched. */
export interface Frames {
  readonly perSecond: number;
  /** The longest time from one frame to the next, in milliseconds. */
  readonly longestMs: number;
  /** Tasks of more than 50 ms, which keep frames waiting, and how long all of them took, in milliseconds. */
  readonly longTasks: number;
  readonly longTasksMs: number;
  /** Elements in it at the end. */
  readonly elements: number;
  /** How often it was told something by its server. */
  readonly told: number;
}

/** Counts what a page is told; it is to run before the page's own script. */
const HEARING = `(() => {
  globalThis.benchTold = 0;
  globalThis.EventSource = class extends EventSource {
    constructor(...given) {
      super(...given);
      this.addEventListener("now", () => (globalThis.benchTold += 1));
    }
  };
})()`;

const WATCHING = `(() => {
  const seen = { begun: performance.now(), frames: 0, longestMs: 0, longTasks: 0, longTasksMs: 0 };
  let last = seen.begun;
  const frame = (at) => {
    seen.frames += 1;
    seen.longestMs = Math.max(seen.longestMs, at - last);
    last = at;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      seen.longTasks += 1;
      seen.longTasksMs += duration;
    }
  }).observe({ type: "longtask" });
  globalThis.benchFrames = () => ({
    perSecond: (1_000 * seen.frames) / (performance.now() - seen.begun),
    longestMs: seen.longestMs,
    longTasks: seen.longTasks,
    longTasksMs: seen.longTasksMs,
    elements: document.querySelectorAll("*").length,
    told: globalThis.benchTold ?? 0,
  });
})()`;

/** Has a page count what it is told, from its next address on. */
export const countTold = (page: Page) => page.addInitScript(HEARING);

/** Begins to count a page's frames. */
export const watchFrames = (page: Page) => page.evaluate(WATCHING);

/** What they were like since then. */
export const framesOf = (page: Page) => page.evaluate<Frames>("globalThis.benchFrames()");
