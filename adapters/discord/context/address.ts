import { z } from "zod";
import type { Address, Receipt } from "../../../src/seam/values.ts";
import { LOCALES } from "../../../src/common/i18n.ts";

const snowflake = z.string().regex(/^\d+$/);

/** An interaction, as far as more can be said in it: for 15 minutes (interactions/receiving-and-responding). */
const askedSchema = z.object({
  id: snowflake,
  token: z.string(),
  /** When the token dies, in milliseconds since 1970. */
  until: z.int(),
});

const placeSchema = z.object({
  /** Who asked: what is private is said to them alone. Left out where nobody did: all is said in the channel. */
  user: snowflake.exactOptional(),
  channel: snowflake,
  /** The server; left out in direct messages. */
  guild: snowflake.exactOptional(),
  /** Whether these are the direct messages with the bot, where nobody else reads along. */
  inConversation: z.boolean(),
  /** Whether the bot itself is there, and not only as somebody's own app: then it can post without an interaction. */
  present: z.boolean(),
  /** Whether everything is said to them alone, results too. */
  secret: z.boolean(),
  /** The largest file that Discord takes there, in bytes (`attachment_size_limit`). */
  fileLimit: z.int(),
  locale: z.enum(LOCALES),
  asked: askedSchema,
  /** The message that it was asked with, and that is replied to; left out where it was asked with an interaction. */
  replyTo: snowflake.exactOptional(),
});

const receiptSchema = placeSchema.extend({
  message: snowflake,
  /** Whether it is said in a message that only they see, and that only the token reaches. */
  ephemeral: z.boolean(),
  /** The channel that it stands in, where that is their direct messages instead. */
  conversation: snowflake.exactOptional(),
});

/** Of what nobody asked: no token of an interaction leads there. */
export const UNASKED = { id: "0", token: "", until: 0 } as const;

/** Whether nobody asked there for what is posted. */
export const isUnasked = ({ asked }: Pick<DiscordAddress, "asked">): boolean => asked.id === UNASKED.id;

/** Where something is posted, as the ledger keeps it. */
export type DiscordAddress = z.output<typeof placeSchema>;

/** Where something was posted. */
export type DiscordReceipt = z.output<typeof receiptSchema>;

export const addressOf = (address: Address): DiscordAddress => placeSchema.parse(address);
export const receiptOf = (receipt: Receipt): DiscordReceipt => receiptSchema.parse(receipt);
