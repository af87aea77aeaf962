import type { Memory } from "../../../src/common/memory.ts";
import { type Delivery as DeliveryState, DeliveryStore } from "../../kit/results/delivery-store.ts";
import type { DiscordReceipt } from "../context/address.ts";
import type { MessageBody } from "../api/api.ts";
import type { CardFiles } from "./card.ts";

/** How far a result has been posted. Until it is complete its message says that its files are on their way. */
export interface DiscordDelivery extends DeliveryState {
  /** The message that shows it, or that is to show it. */
  readonly receipt: DiscordReceipt;
  /** What stands before it, such as a mention. */
  readonly opening: string;
  /** What it shows; left out where it is from before all messages were of components v2. */
  readonly shown?: CardFiles;
  /** Set where they were taken away again: the message says so, and they may come back into it. */
  readonly withheld?: true;
  /** Where those are that are only linked, which works for a while; left out where there are none. */
  readonly links?: readonly string[];
}

/** How long a message waits for a press, in milliseconds: as long as it is remembered where a result was posted. */
const AWAITED_MS = 90 * 24 * 3_600_000;

const AWAITED = "awaited:";

/** What the message of a withheld result is to become as soon as somebody presses something on it. */
interface Awaited {
  readonly job: string;
  readonly body: MessageBody;
}

/** Where each result was posted. */
export const deliveriesIn = (memory: Memory) =>
  new DeliveryStore<DiscordDelivery>(memory, {
    userOf: ({ receipt }) => `discord:${receipt.user}`,
    linksOf: ({ links = [] }) => links,
    onForgotten: ({ receipt }) => letStand(memory, receipt.message),
  });

/** Has the next press on a message change it. */
export async function awaitPress(
  memory: Memory,
  { message }: Pick<DiscordReceipt, "message">,
  awaited: Awaited,
): Promise<void> {
  await memory.set(AWAITED + message, awaited, AWAITED_MS);
}

/** What a press on a message changes it to; undefined where that is nothing. */
export function awaitedBy(memory: Memory, message: string): Promise<Awaited | undefined> {
  return memory.get<Awaited>(AWAITED + message);
}

/** Lets a message stand as it is, whoever presses something on it. */
export async function letStand(memory: Memory, message: string): Promise<void> {
  await memory.delete(AWAITED + message);
}
