import type {
  APIChannel,
  APIInteractionResponse,
  APIMessage,
  RawFile,
  REST,
  RESTPostAPIChannelMessageJSONBody,
} from "discord.js";

/** A message as it is posted or as it becomes; the same for every way to post one. */
export type MessageBody = Pick<
  RESTPostAPIChannelMessageJSONBody,
  "content" | "embeds" | "components" | "flags" | "allowed_mentions" | "attachments" | "message_reference"
> & {
  /** Uploaded with it; `attachments` may describe them by index. */
  readonly files?: readonly RawFile[];
};

/** An interaction's id and the token that answers it. */
export interface Token {
  readonly id: string;
  readonly token: string;
}

/**
 * Calls of Discord's API inside its rate limits, which discord.js keeps. What may be repeated without harm is repeated
 * after a failure on the way; what may not (a follow-up) never is.
 * Errors: see `meaningOf` in errors.ts.
 */
export interface Api {
  readonly rest: REST;
  readonly applicationId: string;
  /** The first answer. One that had arrived in spite of a failure on the way counts as taken. */
  answer(asked: Token, response: APIInteractionResponse, files?: readonly RawFile[]): Promise<void>;
  /** A further message in an interaction. Where its answer is lost nobody knows whether it is there: see `followUp`. */
  followUp(asked: Token, body: MessageBody): Promise<APIMessage>;
  /** Changes a message of an interaction: its first answer, or a further one by its id. */
  editReply(asked: Token, message: "@original" | (string & {}), body: MessageBody): Promise<APIMessage>;
  deleteReply(asked: Token, message: "@original" | (string & {})): Promise<void>;
  /** @param nonce the same within some minutes posts one message only */
  post(channel: string, body: MessageBody, nonce: string): Promise<APIMessage>;
  edit(channel: string, message: string, body: MessageBody): Promise<APIMessage>;
  delete(channel: string, message: string): Promise<void>;
  /** The newest messages of a channel, the newest first, as far as the bot may read there; what only one person sees is not among them. */
  newest(channel: string): Promise<readonly APIMessage[]>;
  /** A channel that the bot sees. */
  channel(id: string): Promise<APIChannel>;
  /** The channel of somebody's direct messages. */
  conversation(user: string): Promise<string>;
}
