import { copyRenderer } from "../../src/sandbox/sandbox.ts";
import type { Renderer } from "../../src/sandbox/render/task.ts";
import { tinyClip } from "../support/sandbox.ts";

/** A service that makes clips at once, or holds them until it is let go. */
export function heldRenderer(): { readonly render: Renderer; readonly holds: () => () => void } {
  const make = copyRenderer(tinyClip());
  let free: Promise<void> = Promise.resolve();
  return {
    async render(task, signal) {
      await free;
      await make(task, signal);
    },
    holds: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      free = promise;
      return resolve;
    },
  };
}
