import type { Memory } from "../../../src/common/memory.ts";
import type { Address } from "../../../src/seam/values.ts";

/** Whoever else presses the same button moves nothing: whose it is, only the core knows. */
const askedKey = (job: string, user: string) => `again:${user}:${job}`;

/**
 * Notes where somebody asked to see a result once more: what is said of it to them is said there.
 * @param user as the platform's addresses name them
 * @param forMs how long something can be said there
 */
export async function noteAsked(
  memory: Memory,
  job: string,
  user: string | number,
  at: Address,
  forMs: number,
): Promise<void> {
  await memory.set(askedKey(job, String(user)), at, forMs);
}

/** Where somebody asked for it, until that is forgotten. */
export async function findAsked(
  memory: Memory,
  job: string,
  user: string | number | undefined,
): Promise<Address | undefined> {
  return memory.get<Address>(askedKey(job, String(user)));
}

/** They were told there. */
export async function forgetAsked(
  memory: Memory,
  job: string,
  user: string | number | undefined,
): Promise<void> {
  await memory.delete(askedKey(job, String(user)));
}

/** Where somebody asked for it: once. */
export async function takeAsked(
  memory: Memory,
  job: string,
  user: string | number | undefined,
): Promise<Address | undefined> {
  const at = await findAsked(memory, job, user);
  if (at !== undefined) await forgetAsked(memory, job, user);
  return at;
}
