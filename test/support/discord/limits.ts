const MIB = 1024 * 1024;
const MINUTE = 60_000;

/**
 * What Discord refuses, and from where it is known: pages of discord.com/developers/docs. Lengths are characters,
 * times are milliseconds.
 */
export const DISCORD_LIMITS = {
  /** interactions/receiving-and-responding: the first answer, and how long the token lives after it. */
  firstAnswerMs: 3000,
  tokenMs: 15 * MINUTE,
  /** interactions/receiving-and-responding: follow-ups where the bot itself is no member. */
  userInstalledFollowUps: 5,
  /** resources/message, create message. */
  contentLength: 2000,
  embeds: 10,
  embedLength: 6000,
  files: 10,
  /** resources/message, `nonce` with `enforce_nonce`: unique "in the past few minutes". */
  nonceMs: 5 * MINUTE,
  /** reference, "Uploading Files": the default for a file of a bot's, and for a whole request. */
  fileBytes: 10 * MIB,
  requestBytes: 25 * MIB,
  /** reference, "Signed Attachment CDN URLs". */
  linkMs: 24 * 60 * MINUTE,
  /** components/reference. */
  rows: 5,
  rowButtons: 5,
  componentsV2: 40,
  textV2: 4000,
  /** interactions/application-commands: by type (1 slash, 2 user, 3 message), and characters of one. */
  slashCommands: 100,
  contextCommands: 15,
  commandLength: 8000,
  /** topics/rate-limits: all routes but those of interactions. */
  globalRequests: 50,
  globalMs: 1000,
  /** Seen: messages to one channel, and calls with one interaction's token. */
  channelRequests: 5,
  channelMs: 5000,
  webhookRequests: 5,
  webhookMs: 2000,
};

/**
 * The limits one fake holds: the published ones unless a test sets others. Times, bytes and rates can be set; what
 * forms may hold stays as it is published.
 */
export type DiscordLimits = Readonly<typeof DISCORD_LIMITS>;
