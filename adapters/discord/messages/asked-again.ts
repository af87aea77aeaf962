import type { Memory } from "../../../src/common/memory.ts";
import { DISCORD } from "../api/limits.ts";
import { addressOf, type DiscordAddress } from "../context/address.ts";

/** Whoever else presses the same button moves nothing: whose it is, only the core knows. */
const askedKey = (job: string, { user = "" }: Pick<DiscordAddress, "user">) => `again:${user}:${job}`;

/** Notes where somebody asked to see a result once more: what is said of it to them is said there. */
export async function noteAsked(memory: Memory, job: string, at: DiscordAddress): Promise<void> {
  await memory.set(askedKey(job, at), at, DISCORD.tokenMs);
}

/** Where the person asked for it to whom it is shown: once. */
export async function takeAsked(
  memory: Memory,
  job: string,
  to: Pick<DiscordAddress, "user">,
): Promise<DiscordAddress | undefined> {
  const at = await memory.get<DiscordAddress>(askedKey(job, to));
  if (at === undefined) return undefined;
  await memory.delete(askedKey(job, to));
  return addressOf(at);
}
