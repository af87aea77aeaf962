const MIB = 1024 * 1024;

/**
 * What Telegram refuses, and from where it is known. "API" is core.telegram.org/bots/api, "FAQ" is
 * core.telegram.org/bots/faq. Lengths are code points after entities parsing, times are milliseconds.
 */
export const TELEGRAM_LIMITS = {
  /** API, sendMessage `text`. */
  textLength: 4096,
  /** API, `caption` of every kind of media. */
  captionLength: 1024,
  /** API, InlineKeyboardButton `callback_data`: 1 to this many bytes. */
  callbackDataBytes: 64,
  /** Seen: clients do not show more in a row. */
  buttonsInRow: 8,
  /** Seen: above it REPLY_MARKUP_TOO_LONG. */
  buttons: 100,
  /** API, answerCallbackQuery `text`. */
  callbackAnswerLength: 200,
  /** Seen: after about this long "query is too old". */
  queryMs: 15_000,
  /** API, answerInlineQuery `results`. */
  inlineResults: 50,
  /** API, "Sending files": a photo. */
  photoBytes: 10 * MIB,
  /** API, sendPhoto: width and height together, and their ratio. */
  photoSides: 10_000,
  photoRatio: 20,
  /** API, "Sending files": any other file. */
  uploadBytes: 50 * MIB,
  /** API, "Using a Local Bot API Server". */
  localUploadBytes: 2000 * MIB,
  /** API, getFile. A local server has no such limit. */
  downloadBytes: 20 * MIB,
  /** API, getFile: how long a link works. */
  linkMs: 3_600_000,
  /** API, sendVideo `thumbnail`. */
  thumbnailBytes: 200_000,
  thumbnailSide: 320,
  /** API, sendMediaGroup `media`. */
  albumLeast: 2,
  albumMost: 10,
  /** API, deleteMessage. */
  deleteMs: 48 * 3_600_000,
  /** API, setMyCommands, BotCommand, setMyName, setMyDescription, setMyShortDescription. */
  commands: 100,
  commandDescription: 256,
  nameLength: 64,
  descriptionLength: 512,
  shortDescriptionLength: 120,
  /** FAQ, "My bot is hitting limits": one message a second in a chat, short bursts allowed. */
  chatMs: 1000,
  chatBurst: 3,
  /** FAQ: 20 messages a minute in a group. */
  groupMessages: 20,
  groupMs: 60_000,
  /** FAQ: about 30 messages a second for a bot. */
  botMessages: 30,
  botMs: 1000,
};

/** The limits one fake holds: the published ones unless a test sets others. */
export type TelegramLimits = Readonly<typeof TELEGRAM_LIMITS>;
