import { captionContent, keyboardContent, textContent, type Captioned, type Marks } from "../content.ts";
import { badRequest } from "../refusal.ts";
import type { Post, Room } from "../room.ts";
import { contentOf, mediaOf } from "../shown.ts";
import type { Upload } from "../upload.ts";
import type { Content, Message } from "../wire.ts";
import type { World } from "../world.ts";
import { checkMedia, inputMediaContent } from "./sending.ts";

/** Which message, and the keyboard it is to have. */
interface Editing {
  readonly chat_id?: number | string;
  readonly message_id?: number;
  readonly inline_message_id?: string;
  readonly reply_markup?: object;
}

/** A message of the bot's own, or one that it sent through inline mode. */
function editable(world: World, params: Editing): { room: Room; post: Post } {
  if (params.inline_message_id !== undefined) {
    const found = world.inline.get(params.inline_message_id);
    if (!found) throw badRequest("MESSAGE_ID_INVALID");
    return found;
  }
  if (params.chat_id === undefined) throw badRequest("chat_id is empty");
  if (params.message_id === undefined) throw badRequest("message identifier is not specified");
  const room = world.room(params.chat_id);
  const post = room.posts.get(params.message_id);
  if (!post) throw badRequest("message to edit not found");
  if (post.message.from.id !== world.bot.id) throw badRequest("message can't be edited");
  return { room, post };
}

/** Puts new content in; the keyboard goes unless the call repeats it. */
function revise(world: World, params: Editing, { room, post }: { room: Room; post: Post }, content: Content) {
  const keyboard = keyboardContent(world, params.reply_markup, true);
  if (fingerprint(post.message) === fingerprint({ ...content, ...keyboard })) {
    throw badRequest(
      "message is not modified: specified new message content and reply markup are exactly the same as a current " +
        "content and reply markup of the message",
    );
  }
  const isInline = params.inline_message_id !== undefined;
  world.flood.admit(isInline ? undefined : room.chat, 1);
  world.revise(room, post, { ...content, ...keyboard });
  return isInline || post.message;
}

/** What makes two messages the same to their readers. */
function fingerprint(message: Content): string {
  return JSON.stringify(Object.entries(contentOf(message)).toSorted(([a], [b]) => a.localeCompare(b)));
}

function editMessageText(world: World, params: Editing & Marks & { readonly text?: string }): Message | true {
  const found = editable(world, params);
  const content = textContent(world, params.text ?? "", params);
  if (found.post.message.text === undefined) throw badRequest("there is no text in the message to edit");
  return revise(world, params, found, content);
}

function editMessageCaption(world: World, params: Editing & Captioned): Message | true {
  const found = editable(world, params);
  const media = mediaOf(found.post.message);
  if (Object.keys(media).length === 0) throw badRequest("there is no caption in the message to edit");
  return revise(world, params, found, { ...media, ...captionContent(world, params) });
}

async function editMessageMedia(
  world: World,
  params: Editing & { readonly media: Parameters<typeof inputMediaContent>[1] },
  { files }: { readonly files: ReadonlyMap<string, Upload> },
): Promise<Message | true> {
  const found = editable(world, params);
  checkMedia(found.room, params.media.type);
  return revise(world, params, found, await inputMediaContent(world, params.media, files));
}

function editMessageReplyMarkup(world: World, params: Editing): Message | true {
  const found = editable(world, params);
  const { reply_markup: _, ...content } = contentOf(found.post.message);
  return revise(world, params, found, content);
}

function deleteMessage(world: World, params: { chat_id: number | string; message_id: number }): true {
  const room = world.room(params.chat_id);
  const post = room.posts.get(params.message_id);
  if (!post) throw badRequest("message to delete not found");
  if (!mayDelete(world, room, post)) throw badRequest("message can't be deleted");
  world.remove(room, params.message_id);
  return true;
}

/** API, deleteMessage: within 48 hours; others' messages in private chats, or as an administrator. */
function mayDelete(world: World, room: Room, { message }: Post): boolean {
  if (room.chat.type !== "private" && room.admin) return true;
  const isOwn = message.from.id === world.bot.id;
  const isRecent = world.clock.now() - message.date * 1000 < world.limits.deleteMs;
  return isRecent && (isOwn || room.chat.type === "private");
}

/** API, deleteMessages: what cannot be deleted is skipped. */
function deleteMessages(world: World, params: { chat_id: number | string; message_ids: number[] }): true {
  const room = world.room(params.chat_id);
  for (const id of params.message_ids) {
    const post = room.posts.get(id);
    if (post && mayDelete(world, room, post)) world.remove(room, id);
  }
  return true;
}

export const editing = {
  editMessageText,
  editMessageCaption,
  editMessageMedia,
  editMessageReplyMarkup,
  deleteMessage,
  deleteMessages,
};
