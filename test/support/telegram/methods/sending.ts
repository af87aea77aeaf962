import { attached } from "../check.ts";
import {
  keyboardContent,
  mediaContent,
  textContent,
  type Marks,
  type MediaKind,
  type MediaParams,
} from "../content.ts";
import { badRequest } from "../refusal.ts";
import { RIGHTS, type Room } from "../room.ts";
import type { Upload } from "../upload.ts";
import type { Content, Message } from "../wire.ts";
import type { Placement, World } from "../world.ts";

/** Where a message goes, and how. */
interface Sending {
  readonly chat_id: number | string;
  readonly message_thread_id?: number;
  readonly reply_parameters?: {
    readonly message_id: number;
    readonly chat_id?: number | string;
    readonly allow_sending_without_reply?: boolean;
  };
  readonly reply_markup?: object;
}

type SendMedia = Sending & MediaParams & { readonly [kind in MediaKind]?: Upload | string };

interface InputMedia extends MediaParams {
  readonly type: MediaKind;
  readonly media: string;
}

type Attachments = ReadonlyMap<string, Upload>;

const CHAT_ACTIONS = new Set([
  "typing",
  "upload_photo",
  "record_video",
  "upload_video",
  "record_voice",
  "upload_voice",
  "upload_document",
  "choose_sticker",
  "find_location",
  "record_video_note",
  "upload_video_note",
]);

/** What may stand together in an album: API, sendMediaGroup. */
const ALBUM_KINDS: readonly (readonly MediaKind[])[] = [["photo", "video"], ["document"], ["audio"]];

/**
 * What an InputMedia shows, its files resolved.
 * @throws Refusal as for the methods that send one file
 */
export function inputMediaContent(world: World, media: InputMedia, files: Attachments): Promise<Content> {
  const { type, media: source, thumbnail, ...params } = media;
  return mediaContent(world, type, resolved(source, files), {
    ...params,
    ...(typeof thumbnail === "string" && { thumbnail: resolved(thumbnail, files) }),
  });
}

const resolved = (source: string, files: Attachments) =>
  source.startsWith("attach://") ? attached(source, files) : source;

/** Finds the chat and what is replied to. */
function place(world: World, params: Sending): Placement & { readonly room: Room } {
  const room = world.room(params.chat_id);
  room.checkTopic(params.message_thread_id);
  const reply = params.reply_parameters;
  const there = reply?.chat_id === undefined ? room : world.room(reply.chat_id);
  const replyTo = reply && there.quoted(reply.message_id);
  // "Always False for replies in another chat" (API, ReplyParameters).
  if (reply && !replyTo && !(reply.allow_sending_without_reply && there === room)) {
    throw badRequest("message to be replied not found");
  }
  return { room, topic: params.message_thread_id, ...(replyTo && { replyTo }) };
}

/** @param content read only once the chat is known to be there: a refused call keeps no file */
async function send(
  world: World,
  params: Sending,
  content: () => Content | Promise<Content>,
): Promise<Message> {
  const { room, ...placement } = place(world, params);
  const shown = { ...(await content()), ...keyboardContent(world, params.reply_markup) };
  world.flood.admit(room.chat, 1);
  return world.post(room, world.bot, shown, placement).message;
}

function sendMedia(kind: MediaKind) {
  return (world: World, params: SendMedia): Promise<Message> => {
    checkMedia(world.room(params.chat_id), kind);
    return send(world, params, () => mediaContent(world, kind, params[kind] ?? "", params));
  };
}

/** @throws Refusal where the bot may not send such files; what else there is takes no right here */
export function checkMedia(room: Room, kind: MediaKind): void {
  const right = RIGHTS.find((one) => one === `can_send_${kind}s`);
  if (right) room.checkRight(right);
}

async function sendMediaGroup(
  world: World,
  params: Sending & { readonly media: readonly InputMedia[] },
  { files }: { readonly files: Attachments },
): Promise<Message[]> {
  const { room, ...placement } = place(world, params);
  const { media } = params;
  if (media.length > world.limits.albumMost) throw badRequest("too many messages to send as an album");
  if (media.length < world.limits.albumLeast)
    throw badRequest("there are too few messages to send as an album");
  if (!ALBUM_KINDS.some((kinds) => media.every(({ type }) => kinds.includes(type)))) {
    throw badRequest(`${media[0]?.type} can't be mixed with other media types`);
  }
  const shown = await Promise.all(media.map((one) => inputMediaContent(world, one, files)));
  world.flood.admit(room.chat, media.length);
  const album = `${world.tick}${room.chat.id}`.replace("-", "");
  return shown.map((content) => world.post(room, world.bot, content, { ...placement, album }).message);
}

export const sending = {
  sendMessage(world: World, params: Sending & Marks & { readonly text: string }): Promise<Message> {
    world.room(params.chat_id).checkRight("can_send_messages");
    return send(world, params, () => textContent(world, params.text, params));
  },
  sendPhoto: sendMedia("photo"),
  sendVideo: sendMedia("video"),
  sendAnimation: sendMedia("animation"),
  sendDocument: sendMedia("document"),
  sendAudio: sendMedia("audio"),
  sendMediaGroup,
  sendChatAction(world: World, params: Sending & { readonly action: string }): true {
    place(world, params);
    if (!CHAT_ACTIONS.has(params.action)) throw badRequest("wrong parameter action in request");
    return true;
  },
};
