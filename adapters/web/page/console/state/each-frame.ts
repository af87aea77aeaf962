/**
 * Has whatever comes shown at most once a frame, the latest alone; nothing while nobody sees the page.
 * @returns what is given each, and stops it
 */
export function eachFrame<T>(show: (latest: T) => void): {
  readonly hear: (value: T) => void;
  readonly stop: () => void;
} {
  let frame: number | undefined;
  let latest: T;
  return {
    hear(value) {
      latest = value;
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        show(latest);
      });
    },
    stop() {
      if (frame !== undefined) cancelAnimationFrame(frame);
    },
  };
}
