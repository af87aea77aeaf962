import type { Memory } from "../../../src/common/memory.ts";
import { DISCORD } from "../api/limits.ts";
import { addressOf, type DiscordAddress } from "../context/address.ts";

const askedKey = (job: string) => `again:${job}`;

/** Notes where somebody asked to see a result once more: what is said of it is said there. */
export async function noteAsked(memory: Memory, job: string, at: DiscordAddress): Promise<void> {
  await memory.set(askedKey(job), at, DISCORD.tokenMs);
}

/** Where somebody asked for it: once. */
export async function takeAsked(memory: Memory, job: string): Promise<DiscordAddress | undefined> {
  const at = await memory.get<DiscordAddress>(askedKey(job));
  if (at === undefined) return undefined;
  await memory.delete(askedKey(job));
  return addressOf(at);
}
