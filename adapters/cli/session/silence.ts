import { setTimeout as sleep } from "node:timers/promises";
import type { RunningCore } from "../../../src/seam/surface/runtime.ts";
import { currentTime } from "../../../src/common/time.ts";

/** How long a call waits for a service that answers nothing, in milliseconds: longer than a restart of it takes. */
export const SILENCE_MS = 3 * 60_000;

/** After this it is said, in milliseconds. */
const TOLD_MS = 10_000;

const LOOK_EVERY_MS = 1_000;

/**
 * Resolves when the service has answered nothing for {@link SILENCE_MS}; never, where the signal fires first.
 * @param tell says once that it is being waited for
 */
export async function untilSilent(
  { silentSince }: Pick<RunningCore, "silentSince">,
  tell: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (let told = false; ;) {
    const since = silentSince();
    const silent = since === undefined ? 0 : currentTime() - since;
    if (silent > SILENCE_MS) return;
    if (silent > TOLD_MS && !told) tell();
    told = silent > TOLD_MS;
    // It is over when the call is.
    await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => new Promise(() => {}));
  }
}
