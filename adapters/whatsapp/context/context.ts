import { z } from "zod";
import { LOCALES } from "../../../src/common/i18n.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { isChatId } from "../../../src/seam/access/subjects.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { Address, ChatId, Receipt } from "../../../src/seam/values.ts";
import type { WaitingPictures } from "../../kit/handlers/together.ts";
import type { Holders } from "../../kit/messages/holders.ts";
import { holderOf, numberOf } from "../../kit/messages/numbers.ts";
import type { ChatNotes } from "../../kit/messages/notes.ts";
import type { Windows } from "../../kit/messages/windows.ts";
import type { Arrivals } from "../../kit/results/arrivals.ts";
import { type ChatContext, type ChatServices, contextOf } from "../../kit/pipeline/context.ts";
import type { Sent } from "../../kit/drafts/sent.ts";
import type { CloudApi } from "../api/client.ts";
import type { WhatsAppMessage } from "./update.ts";

export const NAME = "whatsapp";

const addressSchema = z.object({
  /** Everybody has one chat with the number: their own WhatsApp id. */
  chat: z.string(),
  /** Which of those who had that number, where they are not the first. */
  nth: z.number().exactOptional(),
  locale: z.enum(LOCALES),
  /** The message that is answered. */
  replyTo: z.string().exactOptional(),
  /** Until when they may be spoken to, as far as it was known when this was written, in milliseconds since 1970. */
  until: z.number().exactOptional(),
});
const receiptSchema = addressSchema.extend({
  /** What was posted; left out where nothing had to be said. */
  message: z.string().exactOptional(),
  /** What was told of a job's progress. */
  told: z.array(z.string()).exactOptional(),
  /** The job whose result it shows. */
  job: z.string().exactOptional(),
});

/** Where something is posted. */
export type WhatsAppAddress = z.output<typeof addressSchema>;

/** Where something was posted. */
export type WhatsAppReceipt = z.output<typeof receiptSchema>;

export const addressOf = (address: Address): WhatsAppAddress => addressSchema.parse(address);
export const receiptOf = (receipt: Receipt): WhatsAppReceipt => receiptSchema.parse(receipt);

/** What every part of the adapter works with. */
export interface Services extends ChatServices {
  readonly api: CloudApi;
  readonly windows: Windows;
  readonly notes: ChatNotes;
  readonly holders: Holders;
  readonly pictures: WaitingPictures;
  readonly arrivals: Arrivals;
}

/** Somebody in their chat. */
export interface WhatsAppContext extends Services, ChatContext {
  /** What they sent; undefined where that is not at hand. */
  readonly message: WhatsAppMessage | undefined;
  /** What that replies to, where it is known. */
  readonly replied?: Sent["reply"] | undefined;
}

export const userOf = ({ chat, nth }: { chat: string; nth?: number | undefined }) =>
  holderOf(NAME, chat, nth);

function originAt(address: WhatsAppAddress): Origin {
  return { platform: NAME, user: userOf(address), address, locale: address.locale, audience: "private" };
}

/** Somebody in their chat. @param update what names their request, and what they sent */
export function contextAt(
  services: Services,
  address: WhatsAppAddress,
  update?: { readonly name: string; readonly message: WhatsAppMessage },
): WhatsAppContext {
  const origin = { ...originAt(address), ...(update && { request: `${NAME}:${update.name}` }) };
  return { ...contextOf(services, origin, address.locale), message: update?.message };
}

/** The chat of whoever has a number now, in the language that they chose. */
export async function addressIn({ intake, holders }: Services, chat: string): Promise<WhatsAppAddress> {
  const nth = await holders.now(chat);
  const address = { chat, ...(nth !== undefined && { nth }), locale: "en" as const };
  const { locale } = await intake.preferences({ ...originAt(address), locale: "" });
  return { ...address, locale };
}

/**
 * The chat of a person who did not ask.
 * @throws ReelayError `undeliverable` for who is nobody there, or has another number now, and for what is about a group
 */
export async function reach(services: Services, recipient: ChatId, group?: ChatId): Promise<WhatsAppAddress> {
  const isTheirs = recipient.startsWith(`${NAME}:`) && isChatId(recipient) && group === undefined;
  const address = isTheirs ? await addressIn(services, numberOf(recipient)) : undefined;
  if (!address || userOf(address) !== recipient) throw new ReelayError("undeliverable");
  return address;
}
