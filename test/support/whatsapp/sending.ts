import { FILE_KINDS, checkMessage } from "./rules.ts";
import type { FileKind } from "./media.ts";
import { invalid, missing, Refusal } from "./refusal.ts";
import { filled } from "./templates.ts";
import type { FileObject, MessageBody } from "./wire.ts";
import type { Content, Room, World } from "./world.ts";

/** What is in a message, and why it cannot be delivered. */
interface Made {
  readonly content: Content;
  readonly flaw?: Refusal | undefined;
}

/**
 * Answers POST messages: a message, or that one was read.
 * @param struck what a message is told to have failed with, whatever it is
 * @throws Refusal for what WhatsApp refuses
 */
export function answerMessages(world: World, body: MessageBody, struck?: Refusal): object {
  return body.status === undefined ? send(world, body, struck) : markRead(world, body);
}

function send(world: World, body: MessageBody, struck: Refusal | undefined): object {
  const { description, limits, liberties } = world;
  const { to, recipient, ...rest } = body;
  // The description is older than ids.
  const named = to ?? recipient;
  description?.checkMessage({ ...rest, ...(named !== undefined && { to: named }) });
  checkMessage(body, limits);
  const { room, told: of, contact } = addressee(world, body);
  world.admit(room);
  const id = world.id();
  const answer = {
    messaging_product: "whatsapp",
    contacts: [contact],
    messages: [{ id, ...(body.type === "template" && { message_status: "accepted" }) }],
  };
  const made = room && body.type !== "reaction" ? contentOf(world, room, body) : undefined;
  const refusal = struck ?? refused(world, room, body) ?? made?.flaw;
  if (refusal) {
    if (liberties.refuses === "at once" && !struck) throw refusal;
    const told = { opaque: body.biz_opaque_callback_data, errors: [refusal.told(liberties)] };
    world.tellStatus(of, id, "failed", told);
    return answer;
  }
  if (!room) return answer;
  if (body.type === "reaction") react(world, room, body);
  else if (made) world.post(room, "bot", made.content, id);
  tellStatuses(world, of, id, body.biz_opaque_callback_data);
  return answer;
}

/** Whose message it is, and what is said of them. "Send messages to a BSUID": a number goes before an id. */
function addressee({ rooms, tellsUserIds }: World, { to, recipient }: MessageBody) {
  if (to === undefined) {
    const room = [...rooms.values()].find(({ userId }) => userId === recipient);
    return {
      room,
      told: { ...(recipient !== undefined && { recipient_user_id: recipient }) },
      contact: { input: recipient, user_id: recipient },
    };
  }
  const waId = to.replace("+", "");
  const room = rooms.get(waId);
  const id = tellsUserIds && room ? room.userId : undefined;
  return {
    room,
    told: { recipient_id: waId, ...(id !== undefined && { recipient_user_id: id }) },
    contact: { input: to, wa_id: waId, ...(id !== undefined && { user_id: id }) },
  };
}

/** What may be told of after the answer. */
function refused(world: World, room: Room | undefined, body: MessageBody): Refusal | undefined {
  if (!room || room.isGone) return new Refusal(131026, "Message undeliverable.");
  if (body.type !== "template" && !world.isOpen(room))
    return new Refusal(
      131047,
      "Message failed to send because more than 24 hours have passed since the customer last replied to this number.",
    );
  return undefined;
}

function tellStatuses(
  world: World,
  of: Parameters<World["tellStatus"]>[0],
  id: string,
  opaque: string | undefined,
): void {
  const { statuses, told } = world.liberties;
  if (statuses === "none") return;
  for (const status of told === "all" ? ["sent", "delivered", "read"] : ["delivered"])
    world.tellStatus(of, id, status, { opaque });
}

/**
 * Shows a reaction; the empty emoji takes it away.
 * @throws Refusal for a message that is not there
 */
function react(world: World, room: Room, { reaction }: MessageBody): void {
  const post = room.posts.find(({ id }) => id === reaction?.message_id);
  if (!post) throw invalid("The message that is reacted to does not exist");
  const emoji = reaction?.emoji;
  if (emoji === undefined) throw missing("reaction['emoji']");
  const letters = [...new Intl.Segmenter().segment(emoji)];
  if (letters.length > 1 || (emoji !== "" && !/\p{Extended_Pictographic}/u.test(emoji)))
    throw invalid("A reaction is one emoji");
  post.reaction = emoji || undefined;
  world.touch(room);
}

/** What a message shows. */
function contentOf(world: World, room: Room, body: MessageBody): Made {
  const { context, interactive, template, biz_opaque_callback_data: opaque } = body;
  const replyTo = context?.message_id;
  if (context && !room.posts.some(({ id }) => id === replyTo))
    throw new Refusal(100, "Param context['message_id'] is no message of this chat");
  const base = { type: body.type ?? "", text: "", choices: [], replyTo, opaque };
  const kind = FILE_KINDS.find((one) => one === body.type);
  if (kind) return withFile(world, { ...base, text: body[kind]?.caption ?? "" }, kind, body[kind]);
  if (body.type === "text") return { content: { ...base, text: body.text?.body ?? "" } };
  if (template) return { content: { ...base, ...filled(world.templates, template) } };
  if (!interactive) throw new Refusal(131051, `The fake has no message of type ${body.type}`);
  const { header, footer, action } = interactive;
  const content = {
    ...base,
    text: interactive.body?.text ?? "",
    header: header?.text,
    footer: footer?.text,
    list: action.button,
    choices:
      action.buttons?.map(({ reply }) => reply) ?? action.sections?.flatMap(({ rows = [] }) => rows) ?? [],
  };
  const headed = (["image", "video", "document"] as const).find((one) => one === header?.type);
  return headed ? withFile(world, content, headed, header?.[headed]) : { content };
}

function withFile(world: World, content: Content, kind: FileKind, file: FileObject | undefined): Made {
  const fileName = file?.filename;
  if (file?.id === undefined) return { content: { ...content, link: file?.link, fileName } };
  const used = world.media.use(file.id, kind);
  return { content: { ...content, file: used.file, fileName }, flaw: used.flaw };
}

/** What says that something was read. */
const READ_RECEIPT = new Set([
  "messaging_product",
  "status",
  "message_id",
  "typing_indicator",
  "recipient_type",
  "to",
]);

/**
 * Marks what somebody wrote as read, with everything before it, and may show that an answer is on its way.
 * @throws Refusal for a message that nobody wrote
 */
function markRead(world: World, body: MessageBody): object {
  const odd = Object.keys(body).find((name) => !READ_RECEIPT.has(name));
  if (odd !== undefined) throw new Refusal(100, `Unexpected key "${odd}"`);
  if (body.messaging_product !== "whatsapp")
    throw new Refusal(100, "Param messaging_product must be 'whatsapp'");
  if (body.status !== "read") throw new Refusal(100, "Param status must be one of {READ}");
  const isTheirs = ({ id, from }: { id: string; from: string }) =>
    id === body.message_id && from === "person";
  const room = [...world.rooms.values()].find(({ posts }) => posts.some(isTheirs));
  if (!room) throw invalid("The message to mark as read does not exist");
  const last = room.posts.findIndex(isTheirs);
  for (const post of room.posts.slice(0, last + 1)) if (post.from === "person") post.isRead = true;
  if (body.typing_indicator) {
    if (body.typing_indicator.type !== "text")
      throw new Refusal(100, "Param typing_indicator['type'] must be 'text'");
    room.typingUntil = world.clock.now() + world.limits.typingMs;
  }
  world.touch(room);
  return { success: true };
}
