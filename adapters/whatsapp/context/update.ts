import { z } from "zod";
import { fitting, type HearsUnfit } from "../../kit/files/json.ts";
import type { Holders } from "../../kit/messages/holders.ts";

const file = z.object({ id: z.string(), mime_type: z.string().optional() });
const captioned = file.extend({ caption: z.string().optional(), filename: z.string().optional() });
const reply = z.object({ id: z.string() });

/** A number; or an id, which stands for who hides theirs ("Business-scoped user IDs"): a country, and letters and digits. */
const whose = z.string().regex(/^(?:[1-9]\d*|[A-Z]{2}\.[\w.]+)$/);

const messageSchema = z.object({
  from: whose,
  from_user_id: whose.optional().catch(undefined),
  id: z.string(),
  timestamp: z.string().regex(/^\d+$/),
  type: z.string(),
  group_id: z.string().optional(),
  context: z.object({ id: z.string().optional() }).optional(),
  text: z.object({ body: z.string() }).optional(),
  image: captioned.optional(),
  video: captioned.optional(),
  document: captioned.optional(),
  sticker: file.optional(),
  audio: file.optional(),
  system: z.object({ type: z.string() }).optional(),
  revoke: z.object({ original_message_id: z.string() }).optional(),
  interactive: z.object({ button_reply: reply.optional(), list_reply: reply.optional() }).optional(),
});

const statusSchema = z.object({
  id: z.string(),
  status: z.string(),
  timestamp: z.string().regex(/^\d+$/),
  recipient_id: whose,
  recipient_user_id: whose.optional().catch(undefined),
  biz_opaque_callback_data: z.string().optional(),
  errors: z.array(z.object({ code: z.number(), title: z.string().optional() })).optional(),
});

/** Where a number is hidden, the id takes its place. */
const listOf = (number: string, id: string) => {
  const named = z.looseObject({}).transform((told) => ({ [number]: told[id], ...told }));
  return z.array(z.union([named, z.unknown()])).default([]);
};

const valueSchema = z.looseObject({
  metadata: z.object({ phone_number_id: z.string() }).optional(),
  messages: listOf("from", "from_user_id"),
  statuses: listOf("recipient_id", "recipient_user_id"),
});
const changes = z.array(z.object({ field: z.string(), value: valueSchema }));
const payload = z.object({
  object: z.literal("whatsapp_business_account"),
  entry: z.array(z.object({ changes })),
});

/** What somebody sent, in the chat that it is from. */
export type WhatsAppMessage = z.output<typeof messageSchema>;

/** What the webhook tells: one thing each. */
export type WhatsAppUpdate =
  | { readonly kind: "message"; readonly message: WhatsAppMessage }
  | { readonly kind: "status"; readonly status: z.output<typeof statusSchema> };

/**
 * What a call of the webhook tells of a number, in its order. What is not as it is described is left out: it is not told again either.
 * @param chatOf the chat of whoever is told by a number, by an id, or by both: it takes the place of the number
 * @returns undefined for what is no such call
 */
export async function updatesIn(
  body: unknown,
  phoneNumberId: string,
  chatOf: Holders["chatOf"],
  onUnfit?: HearsUnfit,
): Promise<readonly WhatsAppUpdate[] | undefined> {
  const { data } = payload.safeParse(body);
  if (!data) return undefined;
  const values = data.entry
    .flatMap((entry) => entry.changes)
    .filter(({ field, value }) => field === "messages" && value.metadata?.phone_number_id === phoneNumberId);
  const messages = values.flatMap(({ value }) => fitting(messageSchema, value.messages, onUnfit));
  const statuses = values.flatMap(({ value }) => fitting(statusSchema, value.statuses, onUnfit));
  const updates = await Promise.all<WhatsAppUpdate>([
    ...messages.filter(isForUs).map(async (message) => {
      const from = await chatOf(message.from, isLeaving(message) ? undefined : message.from_user_id);
      return { kind: "message" as const, message: { ...message, from } };
    }),
    ...statuses.map(async (status) => {
      const recipient_id = await chatOf(status.recipient_id, status.recipient_user_id);
      return { kind: "status" as const, status: { ...status, recipient_id } };
    }),
  ]);
  return updates.toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** Whether whoever it is from has another number from then on. An id is nobody else's ever. */
export const isLeaving = ({ from, system }: WhatsAppMessage) =>
  /^\d/.test(from) && system?.type.endsWith("changed_number") === true;

/** Groups are not offered; what reacts asks for nothing, and what else the system says is from nobody. */
const isForUs = (message: WhatsAppMessage) =>
  message.group_id === undefined && (isLeaving(message) || !["reaction", "system"].includes(message.type));

/** When something happened, in milliseconds since 1970; told in whole seconds. */
export const timeOf = (update: WhatsAppUpdate) =>
  Number(update.kind === "message" ? update.message.timestamp : update.status.timestamp) * 1_000;

/** What an update is told apart by, in whose order they happened. */
export function nameOf(update: WhatsAppUpdate): string {
  const at = String(timeOf(update)).padStart(16, "0");
  return update.kind === "message"
    ? `${at}:${update.message.id}`
    : `${at}:${update.status.id}:${update.status.status}`;
}

/** Whose chat it is about. */
export const chatOf = (update: WhatsAppUpdate) =>
  update.kind === "message" ? update.message.from : update.status.recipient_id;
