import type { Memory } from "../../../src/chat/surface.ts";
import type { UserId } from "../../../src/chat/values.ts";
import { LINK_MS } from "../../../src/media/share.ts";
import type { TelegramAddress, TelegramReceipt } from "../context/address.ts";
import { receiptFor } from "../context/place.ts";
import type { Posted } from "./results-ways.ts";

/** How far a result has been posted. */
export interface Delivery {
  readonly address: TelegramAddress;
  /** What was posted, in its order; null for what was not needed. */
  readonly posted: readonly (Posted | null)[];
  /**
   * Something was handed to Telegram and its answer has not been written down. Found after a crash, or after a
   * connection that broke, it means that nobody can tell whether that message is there: Telegram shows bots no
   * chat's history. It is posted again, because a result twice is better than none. Without this mark, nothing is
   * ever posted twice.
   */
  readonly pending: boolean;
  readonly complete: boolean;
}

/** How long it is remembered where a result was posted, in milliseconds: as long as anybody may ask for it again. */
const REMEMBERED_MS = 90 * 24 * 3_600_000;

/** How the entries begin; each says since when it is so. */
export const RESULTS = "result:";

/** How far a job's result has been posted; undefined where nothing was begun. */
export function deliveryOf(memory: Memory, job: string): Promise<Delivery | undefined> {
  return memory.get<Delivery>(RESULTS + job);
}

/** Remembers it; a link for as long as it works. */
export function keepDelivery(memory: Memory, job: string, delivery: Delivery): Promise<void> {
  const isLink = delivery.posted.some((one) => one?.as === "link");
  const dated = { ...delivery, at: Date.now() };
  return memory.set(RESULTS + job, dated, isLink ? LINK_MS : REMEMBERED_MS);
}

/** Forgets that a result was posted, when it is taken back. */
export function dropDelivery(memory: Memory, job: string): Promise<void> {
  return memory.delete(RESULTS + job);
}

/** What of it was posted. */
export const partsOf = ({ posted }: Pick<Delivery, "posted">) => posted.filter((one) => one !== null);

/** What a result is found by that was posted: its first message, with the others. */
export function receiptOfDelivery(job: string, delivery: Delivery): TelegramReceipt | undefined {
  const [first, ...others] = partsOf(delivery);
  if (!first) return undefined;
  return receiptFor(delivery.address, {
    job,
    message: first.message,
    form: first.as === "link" ? "text" : "media",
    ...(others.length > 0 && { others: others.map(({ message }) => message) }),
  });
}

/** Erases where a person's results were posted: in a group its address says whose they are, in private the chat's id. */
export async function forgetResults(memory: Memory, user: UserId): Promise<void> {
  for (const [key, { address }] of await memory.entries<Delivery>())
    if (key.startsWith(RESULTS) && user === `telegram:${address.user ?? address.chat}`)
      await memory.delete(key);
}
