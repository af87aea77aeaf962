import type { Memory } from "../../../src/chat/surface.ts";
import type { UserId } from "../../../src/chat/values.ts";
import { LINK_MS } from "../../../src/media/share.ts";
import type { DiscordReceipt } from "../context/address.ts";
import type { MessageBody } from "../api/api.ts";
import { isOlder } from "../api/snowflake.ts";

/** How far a result has been posted. */
export interface Delivery {
  /** The message that shows it, or that is to show it. */
  readonly receipt: DiscordReceipt;
  /** What stands before it, such as a mention. */
  readonly opening: string;
  /** Whether its files are in it. Until then it says that they are on their way. */
  readonly complete: boolean;
  /** Set where they were taken away again: the message says so, and they may come back into it. */
  readonly withheld?: true;
  /** Where those are that are only linked, which works for a while; left out where there are none. */
  readonly links?: readonly string[];
}

/** How long it is remembered where a result was posted, in milliseconds: as long as anybody may ask for it again. */
const REMEMBERED_MS = 90 * 24 * 3_600_000;

const RESULTS = "result:";
const AWAITED = "awaited:";

/** What the message of a withheld result is to become as soon as somebody presses something on it. */
interface Awaited {
  /** The job's id. */
  readonly job: string;
  readonly body: MessageBody;
}

/** How far a job's result has been posted; undefined where nothing was begun. */
export function deliveryOf(memory: Memory, job: string): Promise<Delivery | undefined> {
  return memory.get<Delivery>(RESULTS + job);
}

/** Remembers it; links for as long as they work. */
export function keepDelivery(memory: Memory, job: string, delivery: Delivery): Promise<void> {
  return memory.set(RESULTS + job, delivery, delivery.links ? LINK_MS : REMEMBERED_MS);
}

/** Erases where results were posted before a time, in milliseconds since 1970. */
export async function expireResults(memory: Memory, before: number): Promise<void> {
  for (const [key, { receipt }] of await resultsIn(memory))
    if (isOlder(receipt.message, before)) await drop(memory, key, receipt);
}

/** Erases where a person's results were posted. */
export async function forgetResults(memory: Memory, user: UserId): Promise<void> {
  for (const [key, { receipt }] of await resultsIn(memory))
    if (user === `discord:${receipt.user}`) await drop(memory, key, receipt);
}

/** Has the next press on a message change it. */
export async function awaitPress(
  memory: Memory,
  { message }: Pick<DiscordReceipt, "message">,
  awaited: Awaited,
): Promise<void> {
  await memory.set(AWAITED + message, awaited, REMEMBERED_MS);
}

/** What a press on a message changes it to; undefined where that is nothing. */
export function awaitedBy(memory: Memory, message: string): Promise<Awaited | undefined> {
  return memory.get<Awaited>(AWAITED + message);
}

/** Lets a message stand as it is, whoever presses something on it. */
export async function letStand(memory: Memory, message: string): Promise<void> {
  await memory.delete(AWAITED + message);
}

async function drop(memory: Memory, key: string, { message }: DiscordReceipt): Promise<void> {
  await memory.delete(key);
  await letStand(memory, message);
}

async function resultsIn(memory: Memory): Promise<[key: string, delivery: Delivery][]> {
  return (await memory.entries<Delivery>()).filter(([key]) => key.startsWith(RESULTS));
}
