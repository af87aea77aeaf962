import { atMost } from "../../../src/common/time.ts";
import type { Services } from "./context.ts";
import { ifReached } from "./reach.ts";

/** As long as those who run a server may wait until a change of theirs counts in its threads, in milliseconds. */
const REMEMBERED_MS = 10 * 60_000;

/** A first answer is due in three seconds, with all that comes before it. */
const PATIENCE_MS = 500;

/**
 * Whether a channel is age-restricted: what is done in its threads says nothing of it. Asked once, then remembered; one that
 * cannot be seen, or not in time, counts as not.
 */
export async function isAgeRestricted(
  { api, memory, host }: Pick<Services, "api" | "memory" | "host">,
  id: string,
): Promise<boolean> {
  const key = `age:${id}`;
  const known = await memory.get<boolean>(key);
  if (known !== undefined) return known;
  let isRestricted = false;
  const ask = async () => {
    await ifReached(async () => {
      const channel = await api.channel(id);
      isRestricted = "nsfw" in channel && channel.nsfw;
    });
    await memory.set(key, isRestricted, REMEMBERED_MS);
  };
  const asking = ask().catch((err: unknown) =>
    host.log.warn({ err, channel: id }, "Whether a channel is age-restricted could not be asked"),
  );
  return (await atMost(PATIENCE_MS, asking)) && isRestricted;
}
