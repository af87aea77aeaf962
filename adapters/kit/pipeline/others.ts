import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Inbox } from "./inbox.ts";

/** How often what other processes took in is looked for, in milliseconds, should they have been missed when they said so. */
const LOOK_MS = 300_000;

/** Puts updates on disk for whoever deals with them, and says so. @param name the surface's */
export async function keepForOther<Update>(
  name: string,
  bell: Pick<SurfaceHost["bell"], "ring">,
  inbox: Pick<Inbox<Update>, "keep" | "nameOf">,
  updates: readonly Update[],
): Promise<void> {
  for (const fresh of await inbox.keep(updates)) bell.ring("arrived", `${name} ${inbox.nameOf(fresh)}`);
}

/**
 * Takes up what other processes put on disk, in the order in which they say so.
 * @param name the surface's
 * @returns ends it
 */
export function takeUpFromOthers<Update, Context>(
  name: string,
  { bell, log }: Pick<SurfaceHost, "bell" | "log">,
  dispatcher: Pick<Dispatcher<Update, Context>, "open" | "takeUp">,
): () => void {
  let last = Promise.resolve();
  const look = (looking: () => Promise<void>) => {
    // One after the other: what is read sooner would overtake what somebody said before.
    last = last.then(looking).catch((err: unknown) => log.warn({ err }, "The inbox could not be read"));
  };
  const deaf = bell.on("arrived", (key) => {
    const [surface, update] = key?.split(" ") ?? [];
    if (surface === name && update !== undefined) look(() => dispatcher.takeUp(update));
    else if (key === undefined) look(() => dispatcher.open());
  });
  const timer = setInterval(() => look(() => dispatcher.open()), LOOK_MS);
  timer.unref();
  return () => {
    deaf();
    clearInterval(timer);
  };
}
