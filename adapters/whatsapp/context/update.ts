import { z } from "zod";
import { fitting, type HearsUnfit } from "../../kit/files/json.ts";

const file = z.object({ id: z.string(), mime_type: z.string().optional() });
const captioned = file.extend({ caption: z.string().optional(), filename: z.string().optional() });
const reply = z.object({ id: z.string() });

const messageSchema = z.object({
  from: z.string().regex(/^[1-9]\d*$/),
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
  recipient_id: z.string().regex(/^[1-9]\d*$/),
  biz_opaque_callback_data: z.string().optional(),
  errors: z.array(z.object({ code: z.number(), title: z.string().optional() })).optional(),
});

const valueSchema = z.looseObject({
  metadata: z.object({ phone_number_id: z.string() }).optional(),
  messages: z.array(z.unknown()).default([]),
  statuses: z.array(z.unknown()).default([]),
});
const changes = z.array(z.object({ field: z.string(), value: valueSchema }));
const payload = z.object({
  object: z.literal("whatsapp_business_account"),
  entry: z.array(z.object({ changes })),
});

/** What somebody sent. */
export type WhatsAppMessage = z.output<typeof messageSchema>;

/** What the webhook tells: one thing each. */
export type WhatsAppUpdate =
  | { readonly kind: "message"; readonly message: WhatsAppMessage }
  | { readonly kind: "status"; readonly status: z.output<typeof statusSchema> };

/**
 * What a call of the webhook tells of a number, in its order. What is not as it is described is left out: it is not told again either.
 * @returns undefined for what is no such call
 */
export function updatesIn(body: unknown, phoneNumberId: string, onUnfit?: HearsUnfit) {
  const { data } = payload.safeParse(body);
  if (!data) return undefined;
  const values = data.entry
    .flatMap((entry) => entry.changes)
    .filter(({ field, value }) => field === "messages" && value.metadata?.phone_number_id === phoneNumberId);
  const messages = values.flatMap(({ value }) => fitting(messageSchema, value.messages, onUnfit));
  const statuses = values.flatMap(({ value }) => fitting(statusSchema, value.statuses, onUnfit));
  const updates: WhatsAppUpdate[] = [
    ...messages.filter(isForUs).map((message) => ({ kind: "message", message }) as const),
    ...statuses.map((status) => ({ kind: "status", status }) as const),
  ];
  return updates.toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** Whether whoever it is from has another number from then on. */
export const isLeaving = ({ system }: WhatsAppMessage) => system?.type.endsWith("changed_number") === true;

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
