import { atMost } from "../../../src/common/time.ts";
import { Superseded } from "./chat-queue.ts";

/** How long it is waited for, in milliseconds. */
const SOON_MS = 1_000;

/**
 * Waits until something is shown, but not while its chat rests: what its person does next is dealt with meanwhile, and what comes of that
 * may take its place.
 * @param onFailure hears what hinders it later
 * @throws what hinders it before, unless something newer took its place
 */
export async function shownSoon(
  showing: Promise<unknown>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const shown = showing.catch((error: unknown) => {
    if (!(error instanceof Superseded)) throw error;
  });
  if (!(await atMost(SOON_MS, shown))) shown.catch(onFailure);
}
