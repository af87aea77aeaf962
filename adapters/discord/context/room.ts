import type { APIChannel } from "discord.js";
import type { Origin } from "../../../src/seam/origin.ts";
import { atMost } from "../../../src/common/time.ts";
import type { Services } from "./context.ts";
import { type AnyInteraction, isThread } from "./interaction.ts";
import { ifReached } from "./reach.ts";

/** A channel as Discord tells of it, which may be in part only. */
type Told = APIChannel | NonNullable<AnyInteraction["channel"]>;

/**
 * The room that a channel is, or is a thread of, and who reads along there: a thread is a part of its channel, with what is
 * allowed in that one, and says nothing of its age restriction, as every other channel does.
 * @param channel undefined where it cannot be seen: then it is taken for the strictest
 */
export async function roomIn(
  services: Pick<Services, "api" | "memory" | "host">,
  id: string,
  channel: Told | undefined,
): Promise<Required<Pick<Origin, "room" | "audience">>> {
  const parent = channel && isThread(channel) && "parent_id" in channel ? channel.parent_id : undefined;
  const isRestricted = parent
    ? await isAgeRestricted(services, parent)
    : channel !== undefined && "nsfw" in channel && channel.nsfw;
  return { room: parent ?? id, audience: isRestricted ? "age-restricted" : "group" };
}

/** As long as those who run a server may wait until a change of theirs counts in its threads, in milliseconds. */
const REMEMBERED_MS = 10 * 60_000;

/** A first answer is due in three seconds, with all that comes before it. */
const PATIENCE_MS = 500;

/** Whether a channel is so. Asked once, then remembered; one that cannot be seen, or not in time, counts as not. */
async function isAgeRestricted(
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
