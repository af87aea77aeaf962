import type { ApiDescription, Described } from "./description.ts";

const editable =
  "chat_id:Integer|String message_id:Integer inline_message_id:String reply_markup:InlineKeyboardMarkup";
const captioned = "caption:String parse_mode:String caption_entities:MessageEntity[]";
const raised = `${captioned} show_caption_above_media:Boolean`;
const sent =
  "chat_id!:Integer|String message_thread_id:Integer disable_notification:Boolean protect_content:Boolean " +
  "reply_parameters:ReplyParameters";
const answerable = `${sent} reply_markup:InlineKeyboardMarkup|ReplyKeyboardMarkup|ReplyKeyboardRemove|ForceReply`;
const clip = "duration:Integer width:Integer height:Integer";
const thumbnail = "thumbnail:InputFile|String";

/** Methods and objects, a line each: name, then its fields; "!" marks what is required. */
const METHODS = `
getMe
getUpdates offset:Integer limit:Integer timeout:Integer allowed_updates:String[]
setWebhook url!:String ip_address:String max_connections:Integer allowed_updates:String[] drop_pending_updates:Boolean secret_token:String
deleteWebhook drop_pending_updates:Boolean
getWebhookInfo
sendMessage ${answerable} text!:String parse_mode:String entities:MessageEntity[] link_preview_options:LinkPreviewOptions
sendPhoto ${answerable} photo!:InputFile|String ${raised} has_spoiler:Boolean
sendVideo ${answerable} video!:InputFile|String ${clip} ${thumbnail} ${raised} has_spoiler:Boolean supports_streaming:Boolean
sendAnimation ${answerable} animation!:InputFile|String ${clip} ${thumbnail} ${raised} has_spoiler:Boolean
sendDocument ${answerable} document!:InputFile|String ${thumbnail} ${captioned} disable_content_type_detection:Boolean
sendAudio ${answerable} audio!:InputFile|String ${thumbnail} ${captioned} duration:Integer performer:String title:String
sendMediaGroup ${sent} media!:InputMediaPhoto[]|InputMediaVideo[]|InputMediaDocument[]|InputMediaAudio[]
sendChatAction chat_id!:Integer|String message_thread_id:Integer action!:String
editMessageText ${editable} text:String parse_mode:String entities:MessageEntity[] link_preview_options:LinkPreviewOptions
editMessageCaption ${editable} ${raised}
editMessageMedia ${editable} media!:InputMedia
editMessageReplyMarkup ${editable}
deleteMessage chat_id!:Integer|String message_id!:Integer
deleteMessages chat_id!:Integer|String message_ids!:Integer[]
setMessageReaction chat_id!:Integer|String message_id!:Integer reaction:ReactionType[] is_big:Boolean
answerCallbackQuery callback_query_id!:String text:String show_alert:Boolean url:String cache_time:Integer
answerInlineQuery inline_query_id!:String results!:InlineQueryResult[] cache_time:Integer is_personal:Boolean next_offset:String button:InlineQueryResultsButton
getFile file_id!:String
setMyCommands commands!:BotCommand[] scope:BotCommandScope language_code:String
getMyCommands scope:BotCommandScope language_code:String
deleteMyCommands scope:BotCommandScope language_code:String
setChatMenuButton chat_id:Integer menu_button:MenuButton
getChatMenuButton chat_id:Integer
setMyName name:String language_code:String
getMyName language_code:String
setMyDescription description:String language_code:String
getMyDescription language_code:String
setMyShortDescription short_description:String language_code:String
getMyShortDescription language_code:String
getChat chat_id!:Integer|String
getChatMember chat_id!:Integer|String user_id!:Integer
getChatAdministrators chat_id!:Integer|String
leaveChat chat_id!:Integer|String
`;

const TYPES = `
MessageEntity type!:String offset!:Integer length!:Integer url:String language:String
LinkPreviewOptions is_disabled:Boolean url:String prefer_small_media:Boolean prefer_large_media:Boolean show_above_text:Boolean
ReplyParameters message_id!:Integer chat_id:Integer|String allow_sending_without_reply:Boolean quote:String
InlineKeyboardMarkup inline_keyboard!:InlineKeyboardButton[][]
InlineKeyboardButton text!:String style:String url:String callback_data:String web_app:WebAppInfo switch_inline_query:String switch_inline_query_current_chat:String
ReplyKeyboardMarkup keyboard!:KeyboardButton[][] is_persistent:Boolean resize_keyboard:Boolean one_time_keyboard:Boolean input_field_placeholder:String selective:Boolean
KeyboardButton text!:String
ReplyKeyboardRemove remove_keyboard!:Boolean selective:Boolean
ForceReply force_reply!:Boolean input_field_placeholder:String selective:Boolean
InputMediaPhoto type!:String media!:String ${raised} has_spoiler:Boolean
InputMediaVideo type!:String media!:String thumbnail:String ${raised} ${clip} supports_streaming:Boolean has_spoiler:Boolean
InputMediaAnimation type!:String media!:String thumbnail:String ${raised} ${clip} has_spoiler:Boolean
InputMediaDocument type!:String media!:String thumbnail:String ${captioned} disable_content_type_detection:Boolean
InputMediaAudio type!:String media!:String thumbnail:String ${captioned} duration:Integer performer:String title:String
InlineQueryResultArticle type!:String id!:String title!:String input_message_content!:InputTextMessageContent reply_markup:InlineKeyboardMarkup url:String description:String thumbnail_url:String thumbnail_width:Integer thumbnail_height:Integer
InlineQueryResultPhoto type!:String id!:String photo_url!:String thumbnail_url!:String photo_width:Integer photo_height:Integer title:String description:String ${raised} reply_markup:InlineKeyboardMarkup input_message_content:InputTextMessageContent
InputTextMessageContent message_text!:String parse_mode:String entities:MessageEntity[] link_preview_options:LinkPreviewOptions
InlineQueryResultsButton text!:String start_parameter:String
ReactionTypeEmoji type!:String emoji!:String
ReactionTypePaid type!:String
WebAppInfo url!:String
MenuButtonCommands type!:String
MenuButtonWebApp type!:String text!:String web_app!:WebAppInfo
MenuButtonDefault type!:String
BotCommand command!:String description!:String
BotCommandScopeDefault type!:String
BotCommandScopeAllPrivateChats type!:String
BotCommandScopeAllGroupChats type!:String
BotCommandScopeAllChatAdministrators type!:String
BotCommandScopeChat type!:String chat_id!:Integer|String
BotCommandScopeChatAdministrators type!:String chat_id!:Integer|String
BotCommandScopeChatMember type!:String chat_id!:Integer|String user_id!:Integer
`;

const UNIONS = ["InputMedia", "InlineQueryResult", "MenuButton", "ReactionType", "BotCommandScope"];

/**
 * The part of the Bot API that the fake plays, written by hand: what the checks use without the official
 * description. It holds what bots use most, so that it refuses a little more than Telegram does.
 */
export function builtInDescription(): ApiDescription {
  const types = table(TYPES);
  const unions = UNIONS.map((union): [string, Described] => [
    union,
    {
      subtypes: Object.keys(types).filter(
        (name) => name.startsWith(union) && name !== "InlineQueryResultsButton",
      ),
    },
  ]);
  return { methods: table(METHODS), types: { ...types, ...Object.fromEntries(unions) } };
}

function table(lines: string): Record<string, Described> {
  return Object.fromEntries(
    lines
      .trim()
      .split("\n")
      .map((line) => {
        const [name = "", ...fields] = line.split(" ");
        return [name, { fields: fields.map(field) }];
      }),
  );
}

function field(written: string): { name: string; types: string[]; required: boolean } {
  const [name = "", types = ""] = written.split(":");
  return { name: name.replace("!", ""), types: types.split("|").map(spelled), required: name.endsWith("!") };
}

/** `X[]` as the official description spells it. */
function spelled(type: string): string {
  return type.endsWith("[]") ? `Array of ${spelled(type.slice(0, -2))}` : type;
}
