import type {
  InlineKeyboardMarkup,
  InputMediaDocument,
  InputMediaPhoto,
  InputMediaVideo,
} from "telegraf/types";
import { placeOf, type TelegramAddress, type TelegramReceipt, whereIs } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { ifThere } from "../api/errors.ts";
import { editHtml, sendHtml } from "./post-text.ts";
import { type Rendered, withKeyboard } from "./render.ts";

/** Where a message goes. */
export interface Spot {
  readonly at: TelegramAddress;
  /** The message whose place it takes, as long as that is there. */
  readonly instead: TelegramReceipt | undefined;
}

type Place = Pick<TelegramReceipt, "chat" | "message">;

/** A file with what is said of it. */
type Media = InputMediaVideo | InputMediaPhoto | InputMediaDocument;

const SENDS = { video: "sendVideo", photo: "sendPhoto", document: "sendDocument" } as const;

/**
 * Posts a file: in the place of a message ("to replace a text or a rich message with a media": API, editMessageMedia), so
 * that it is there once however often its answer is lost.
 */
export async function postMedia(
  { sender }: Pick<Services, "sender">,
  { at, instead }: Spot,
  media: Media,
  keyboard: InlineKeyboardMarkup,
): Promise<Place> {
  if (instead) {
    const { chat, message } = instead;
    const edit = { chat_id: chat, message_id: message, media, reply_markup: keyboard };
    if (await ifThere(() => sender.call("editMessageMedia", edit, { chat }))) return { chat, message };
  }
  const { type, media: file, ...about } = media;
  const parameters = { ...placeOf(at), [type]: file, ...about, ...withKeyboard(keyboard) };
  return whereIs(await sender.raw(SENDS[type], parameters, { chat: at.chat }));
}

/** Says something, in the place of a message as well. */
export async function postHtml(
  services: Pick<Services, "sender">,
  { at, instead }: Spot,
  said: Rendered,
): Promise<Place> {
  return (instead && (await editHtml(services, instead, said))) ?? sendHtml(services, at, said);
}
