import type { Memory } from "../../src/chat/surface.ts";
import type { UserId } from "../../src/chat/values.ts";
import { LINK_MS } from "../../src/media/share.ts";
import type { DiscordReceipt } from "./address.ts";

/** How far a result has been posted. */
export interface Delivery {
  /** The message that shows it, or that is to show it. */
  readonly receipt: DiscordReceipt;
  /** What stands before it, such as a mention. */
  readonly opening: string;
  /** Whether its files are in it. Until then it says that they are on their way. */
  readonly complete: boolean;
  /** Whether some of them are links, which work for a while. */
  readonly linked: boolean;
}

/** How long it is remembered where a result was posted, in milliseconds: as long as anybody may ask for it again. */
const REMEMBERED_MS = 90 * 24 * 3_600_000;

const RESULTS = "result:";

/** How far a job's result has been posted; undefined where nothing was begun. */
export function deliveryOf(memory: Memory, job: string): Promise<Delivery | undefined> {
  return memory.get<Delivery>(RESULTS + job);
}

/** Remembers it; links for as long as they work. */
export function keepDelivery(memory: Memory, job: string, delivery: Delivery): Promise<void> {
  return memory.set(RESULTS + job, delivery, delivery.linked ? LINK_MS : REMEMBERED_MS);
}

/** Erases where a person's results were posted. */
export async function forgetResults(memory: Memory, user: UserId): Promise<void> {
  for (const [key, kept] of await memory.entries<Delivery>())
    if (key.startsWith(RESULTS) && user === `discord:${kept.receipt.user}`) await memory.delete(key);
}
