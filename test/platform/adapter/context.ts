import { z } from "zod";
import type { Origin } from "../../../src/seam/origin.ts";
import type { Address, Platform, Receipt } from "../../../src/seam/values.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import type { View } from "../../../src/seam/views.ts";
import { LOCALES, translator } from "../../../src/common/i18n.ts";
import { type ChatMessage, messageOf } from "../../../adapters/kit/messages/message.ts";
import { type ChatContext, type ChatServices, contextOf } from "../../../adapters/kit/pipeline/context.ts";
import { LIMITS, type Update } from "../chat/client.ts";
import type { Api } from "./api.ts";

/** A platform of one's own adds its name to `PLATFORMS`; this one stands in for the page. */
export const NAME: Platform = "web";

const addressSchema = z.object({
  /** Everybody has one chat with the bot, of their own name. */
  chat: z.string(),
  locale: z.enum(LOCALES),
  /** The message that is answered. */
  replyTo: z.int().exactOptional(),
});
const receiptSchema = addressSchema.extend({
  message: z.int(),
  /** The job whose result it shows. */
  job: z.string().exactOptional(),
});

/** Where something is posted. */
export type ChatAddress = z.output<typeof addressSchema>;

/** Where something was posted. */
export type ChatReceipt = z.output<typeof receiptSchema>;

export const addressOf = (address: Address): ChatAddress => addressSchema.parse(address);
export const receiptOf = (receipt: Receipt): ChatReceipt => receiptSchema.parse(receipt);

/** What every part of the adapter works with. */
export interface Services extends ChatServices {
  readonly api: Api;
}

/** Somebody in their chat. */
export interface Context extends Services, ChatContext {
  /** What they did; {@link NOTHING} where that is not at hand. */
  readonly update: Update;
}

const NOTHING: Update = { id: 0, person: "", message: 0 };

/** Somebody in their chat. */
export function contextAt(services: Services, address: ChatAddress, update = NOTHING): Context {
  const origin = { ...originAt(address), ...(update.id > 0 && { request: `${NAME}:${update.id}` }) };
  return { ...contextOf(services, origin, address.locale), update };
}

/** A person's chat, in the language that they chose. */
export async function addressIn(intake: Intake, chat: string): Promise<ChatAddress> {
  const { locale } = await intake.preferences(originAt({ chat, locale: "en" }));
  return { chat, locale };
}

const originAt = (address: ChatAddress): Origin => ({
  platform: NAME,
  user: `${NAME}:${address.chat}`,
  address,
  locale: address.locale,
  audience: "private",
});

/** What a message may be. */
export const LAYOUT = { ...LIMITS, primaryAlone: true };

/** A view in the language that is spoken there. */
export const render = ({ locale }: ChatAddress, view: View): ChatMessage =>
  messageOf(translator(locale), view, LAYOUT);
