import type { Content, Message } from "./wire.ts";

/** The kinds of media of a message. An animation is a document too: the more telling kind comes first. */
export const MEDIA_KINDS = [
  "photo",
  "video",
  "animation",
  "document",
  "audio",
  "voice",
  "sticker",
  "video_note",
] as const;

const MEDIA: ReadonlySet<string> = new Set([...MEDIA_KINDS, "has_media_spoiler"]);
const CONTENT: ReadonlySet<string> = new Set([
  "text",
  "entities",
  "caption",
  "caption_entities",
  "reply_markup",
  ...MEDIA,
]);

const filtered = <T extends object>(message: T, keeps: (field: string) => boolean): T =>
  Object.fromEntries(Object.entries(message).filter(([field]) => keeps(field))) as T;

/** What a message shows, without where and when. */
export const contentOf = (message: Content): Content => filtered(message, (field) => CONTENT.has(field));

/** Where and when a message is, whatever it shows. */
export const withoutContent = (message: Message): Message =>
  filtered(message, (field) => !CONTENT.has(field));

/** The files of a message, without its words. */
export const mediaOf = (message: Content): Content => filtered(message, (field) => MEDIA.has(field));
