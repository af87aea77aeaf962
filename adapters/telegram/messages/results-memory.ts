import type { Memory } from "../../../src/common/memory.ts";
import { fileDeliveries, type FileDelivery, partsOf } from "../../kit/results/file-by-file.ts";
import { receiptFor, type TelegramAddress, type TelegramReceipt } from "../context/address.ts";

/** What a file was posted as. */
export interface Posted {
  readonly message: number;
  /** Where that is; left out by earlier versions, and where it is the delivery's own. */
  readonly chat?: number;
  readonly as: "video" | "photo" | "document" | "link" | "note";
  /** Where the file is that a link points to: instead of it, or beside a smaller one. */
  readonly url?: string;
}

type TelegramDelivery = FileDelivery<TelegramAddress, Posted>;

/** What was posted of each result. In a group its address says whose it is, in private the chat's id. */
export const deliveriesIn = (memory: Memory) =>
  fileDeliveries<TelegramAddress, Posted>(memory, ({ user, chat }) => `telegram:${user ?? chat}`);

/** What a result is found by that was posted: its first message, with the others. */
export function receiptOfDelivery(job: string, delivery: TelegramDelivery): TelegramReceipt | undefined {
  const [first, ...others] = partsOf(delivery);
  if (!first) return undefined;
  return receiptFor(delivery.address, {
    job,
    message: first.message,
    ...(first.chat !== undefined && { chat: first.chat }),
    form: first.as === "link" ? "text" : "media",
    ...(others.length > 0 && { others: others.map(({ message }) => message) }),
  });
}
