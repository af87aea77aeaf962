/** The Bot API's objects, as far as the fake fills them: core.telegram.org/bots/api#available-types. */

export interface User {
  readonly id: number;
  readonly is_bot: boolean;
  readonly first_name: string;
  readonly last_name?: string;
  readonly username?: string;
  readonly language_code?: string;
}

export interface Chat {
  readonly id: number;
  readonly type: "private" | "group" | "supergroup" | "channel";
  readonly title?: string;
  readonly first_name?: string;
  readonly username?: string;
  readonly is_forum?: true;
}

export interface MessageEntity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
}

export interface InlineKeyboardButton {
  readonly text: string;
  readonly callback_data?: string;
  readonly url?: string;
  readonly web_app?: { readonly url: string };
  readonly switch_inline_query?: string;
  readonly switch_inline_query_current_chat?: string;
}

export interface InlineKeyboardMarkup {
  readonly inline_keyboard: readonly (readonly InlineKeyboardButton[])[];
}

/** What every file carries. */
export interface FileFields {
  readonly file_id: string;
  readonly file_unique_id: string;
  readonly file_size: number;
}

export interface PhotoSize extends FileFields {
  readonly width: number;
  readonly height: number;
}

/** Video, Animation, Document, Audio and Voice share their fields here: each fills its own. */
export interface MediaFile extends FileFields {
  readonly file_name?: string;
  readonly mime_type?: string;
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly title?: string;
  readonly performer?: string;
  readonly thumbnail?: PhotoSize;
  /** Of a sticker. */
  readonly type?: "regular";
  readonly is_animated?: boolean;
  readonly is_video?: boolean;
  /** The width and height of a round video. */
  readonly length?: number;
}

/** What a message shows, and what an edit replaces. */
export interface Content {
  readonly text?: string;
  readonly entities?: readonly MessageEntity[];
  readonly caption?: string;
  readonly caption_entities?: readonly MessageEntity[];
  readonly photo?: readonly PhotoSize[];
  readonly video?: MediaFile;
  readonly animation?: MediaFile;
  readonly document?: MediaFile;
  readonly audio?: MediaFile;
  readonly voice?: MediaFile;
  readonly sticker?: MediaFile;
  readonly video_note?: MediaFile;
  readonly location?: object;
  readonly contact?: object;
  readonly poll?: object;
  readonly dice?: object;
  readonly story?: object;
  readonly paid_media?: object;
  readonly checklist?: object;
  readonly has_media_spoiler?: true;
  readonly reply_markup?: InlineKeyboardMarkup;
}

export interface Message extends Content {
  readonly message_id: number;
  readonly date: number;
  readonly chat: Chat;
  readonly from: User;
  /** The group or the channel that it was written as. */
  readonly sender_chat?: Chat;
  readonly edit_date?: number;
  readonly message_thread_id?: number;
  readonly is_topic_message?: true;
  readonly media_group_id?: string;
  readonly via_bot?: User;
  readonly reply_to_message?: Message;
  readonly external_reply?: ExternalReply;
  readonly forum_topic_created?: { readonly name: string; readonly icon_color: number };
  readonly forum_topic_closed?: Record<string, never>;
  readonly forum_topic_reopened?: Record<string, never>;
  readonly migrate_to_chat_id?: number;
  readonly migrate_from_chat_id?: number;
}

/** A message of another chat that is replied to; which, is told of supergroups alone (API, ExternalReplyInfo). */
interface ExternalReply {
  readonly origin: { readonly type: "user"; readonly date: number; readonly sender_user: User };
  readonly chat?: Chat;
  readonly message_id?: number;
}

/** A message that was deleted, or is otherwise out of the bot's reach. */
export type InaccessibleMessage = Pick<Message, "chat" | "message_id"> & { readonly date: 0 };

interface CallbackQuery {
  readonly id: string;
  readonly from: User;
  readonly chat_instance: string;
  readonly data: string;
  readonly message?: Message | InaccessibleMessage;
  readonly inline_message_id?: string;
}

interface InlineQuery {
  readonly id: string;
  readonly from: User;
  readonly query: string;
  readonly offset: string;
  readonly chat_type: string;
}

export interface ChatMember {
  readonly user: User;
  readonly status: "creator" | "administrator" | "member" | "restricted" | "left" | "kicked";
  /** Of one that is restricted, beside its rights. */
  readonly is_member?: boolean;
}

/** What happened, without its number. */
export interface UpdateBody {
  readonly message?: Message;
  readonly edited_message?: Message;
  readonly callback_query?: CallbackQuery;
  readonly inline_query?: InlineQuery;
  readonly chosen_inline_result?: {
    readonly result_id: string;
    readonly from: User;
    readonly query: string;
    readonly inline_message_id?: string;
  };
  readonly my_chat_member?: {
    readonly chat: Chat;
    readonly from: User;
    readonly date: number;
    readonly old_chat_member: ChatMember;
    readonly new_chat_member: ChatMember;
  };
}

export interface Update extends UpdateBody {
  readonly update_id: number;
}
