import { atMost } from "../../../src/common/time.ts";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { Superseded } from "./chat-queue.ts";

/** How long it is waited for, in milliseconds. */
const SOON_MS = 1_000;

/**
 * Waits until something is shown, but not while its chat rests: what its person does next is dealt with meanwhile, and what comes of that
 * may take its place.
 * @param log hears what hinders it later
 * @throws what hinders it before, unless something newer took its place
 */
export async function shownSoon(log: Pick<Logger, "warn">, showing: Promise<unknown>): Promise<void> {
  const shown = showing.catch((error: unknown) => {
    if (!(error instanceof Superseded)) throw error;
  });
  if (await atMost(SOON_MS, shown)) return;
  shown.catch((err: unknown) => log.warn({ err }, "What changed was not shown"));
}
