import { z } from "zod";
import type { Address, Receipt } from "../../../src/seam/values.ts";
import { LOCALES } from "../../../src/common/i18n.ts";

/** What stands below a group's rules. */
export const SCREENS = [
  "main",
  "operations",
  "quota",
  "limit",
  "budgets",
  "member_day_tokens",
  "member_month_tokens",
  "day_tokens",
  "month_tokens",
  "locale",
  "log",
] as const;

/** One of {@link SCREENS}. */
export type RulesScreen = (typeof SCREENS)[number];

const place = {
  /** The chat's id; negative for groups. */
  chat: z.int(),
  /** The forum topic, where there is one. */
  topic: z.int().exactOptional(),
  /** The message that is answered, such as the person's photo. */
  replyTo: z.int().exactOptional(),
  locale: z.enum(LOCALES),
  /** Who it is said to, in a group: a form asked there is theirs alone. In private the chat says so. */
  user: z.int().exactOptional(),
  /** The group that this is about, where somebody who manages it decides in private about what others made there. */
  moderated: z.int().exactOptional(),
};

const addressSchema = z.object({
  ...place,
  /** The press that is answered: what is for whoever pressed alone is shown to them as its answer, once. */
  press: z.string().exactOptional(),
  /** The question that was answered by that press: what is said to it takes its place. */
  question: z.int().exactOptional(),
  /** Set where a group's rules are said to somebody who manages it: which, what stands below, and the message that says them. */
  rules: z
    .object({ group: z.int(), show: z.enum(SCREENS), message: z.int().exactOptional() })
    .exactOptional(),
});

const receiptSchema = z.object({
  ...place,
  message: z.int(),
  /** What the message is made of decides how it can be changed. `cover`: stands where a file was taken back. */
  form: z.enum(["text", "media", "cover"]),
  /** What was posted with it, such as a picture's original: goes when it goes. */
  others: z.array(z.int()).exactOptional(),
  /** The job whose result it shows. */
  job: z.string().exactOptional(),
});

/** Where something is posted, as the ledger keeps it. */
export type TelegramAddress = z.output<typeof addressSchema>;

/** Where something was posted. */
export type TelegramReceipt = z.output<typeof receiptSchema>;

export const addressOf = (address: Address): TelegramAddress => addressSchema.parse(address);
export const receiptOf = (receipt: Receipt): TelegramReceipt => receiptSchema.parse(receipt);

/** Whether others read along: groups have negative ids. */
export const isGroup = ({ chat }: Pick<TelegramAddress, "chat">) => chat < 0;

/** The same without whose it is; undefined in private. */
export function unnamed(receipt: TelegramReceipt): TelegramReceipt | undefined {
  const { user: _, ...others } = receipt;
  return isGroup(others) ? others : undefined;
}

/** Where a message goes, as the Bot API's methods take it. What it answers may be gone by now. */
export function placeOf({ chat, topic, replyTo }: TelegramAddress) {
  return {
    chat_id: chat,
    ...(topic !== undefined && { message_thread_id: topic }),
    ...(replyTo !== undefined && {
      reply_parameters: { message_id: replyTo, allow_sending_without_reply: true },
    }),
  };
}

/** A message that was posted, as Telegram answers: a group's chat may be another by now than the one it was meant for. */
interface Answer {
  readonly message_id: number;
  readonly chat: { readonly id: number };
}

/** Where a message is. */
export const whereIs = ({ message_id: message, chat }: Answer) => ({ message, chat: chat.id });

/** What a message is found by that was posted there. Whose it is in a group stays with it: it goes with them. */
export function receiptFor(
  address: TelegramAddress,
  posted: Pick<TelegramReceipt, "message" | "form" | "others" | "job"> & { readonly chat?: number },
): TelegramReceipt {
  const { press: _, rules: _rules, question: _question, ...place } = addressOf(address);
  return { ...place, ...posted };
}
