import {
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
  type APIMessageInteractionMetadata,
  type APIUser,
  type MessageFlags,
  type MessageType,
} from "discord.js";
import type { StoredFile } from "./cdn.ts";
import type { Channel } from "./channel.ts";
import type { World } from "./world.ts";

/** A file in a message. */
export interface PostedFile {
  readonly file: StoredFile;
  readonly description: string | undefined;
}

/** What a message shows, and what an edit replaces. */
export interface Content {
  readonly content: string;
  readonly embeds: readonly APIEmbed[];
  readonly components: NonNullable<APIMessage["components"]>;
  readonly files: readonly PostedFile[];
  readonly flags: number;
}

/** A message as the fake's servers keep it. */
export interface Post {
  readonly id: string;
  readonly channel: Channel;
  readonly author: APIUser;
  readonly type: MessageType;
  readonly at: number;
  shown: Content;
  editedAt: number | undefined;
  /** What it showed before each edit, oldest first. */
  readonly history: Content[];
  /** Set for an ephemeral message: who alone sees it. */
  readonly visibleTo: string | undefined;
  readonly replyTo: Post | undefined;
  readonly nonce: string | undefined;
  /** For what answers an interaction. */
  readonly interaction: APIMessageInteractionMetadata | undefined;
  /** When it was posted or last changed, as the world counts changes. */
  changedAt: number;
}

/** resources/message: with links to its files that work from now on. */
export function wireMessage(world: World, post: Post, withReply = true): APIMessage {
  const { channel, shown, replyTo, nonce, interaction } = post;
  const message = {
    id: post.id,
    channel_id: channel.id,
    author: post.author,
    type: post.type,
    content: shown.content,
    embeds: [...shown.embeds],
    components: shown.components,
    attachments: shown.files.map((file) => wireAttachment(world, file, post.visibleTo !== undefined)),
    flags: shown.flags as MessageFlags,
    timestamp: new Date(post.at).toISOString(),
    edited_timestamp: post.editedAt === undefined ? null : new Date(post.editedAt).toISOString(),
    mentions: mentionedIn(world, post),
    mention_roles: [],
    mention_everyone: false,
    pinned: false,
    tts: false,
    ...(nonce !== undefined && { nonce }),
  };
  return {
    ...message,
    ...(interaction && {
      application_id: world.applicationId,
      webhook_id: world.applicationId,
      interaction_metadata: interaction,
    }),
    ...(world.webhooks.has(post.author.id) && { webhook_id: post.author.id }),
    ...(replyTo && {
      message_reference: { type: 0, channel_id: channel.id, message_id: replyTo.id },
      ...(withReply && { referenced_message: wireMessage(world, replyTo, false) }),
    }),
  };
}

/** Whom the words name, and whom a person replies to. */
function mentionedIn(world: World, { shown, author, replyTo }: Post): APIUser[] {
  const named = new Set(Array.from(shown.content.matchAll(/<@!?(\d+)>/g), ([, id]) => id));
  if (replyTo && author !== world.bot) named.add(replyTo.author.id);
  return [world.bot, ...world.people.values()].filter(({ id }) => named.has(id));
}

/** resources/message, attachment. */
export function wireAttachment(
  world: World,
  { file, description }: PostedFile,
  ephemeral: boolean,
): APIAttachment {
  const url = world.cdn.link(file);
  const isTold = world.liberties.attachment === "told";
  return {
    id: file.id,
    filename: file.name,
    size: file.size,
    url,
    proxy_url: url,
    ...(isTold && { content_type: file.contentType }),
    ...(isTold && file.width !== undefined && { width: file.width, height: file.height ?? null }),
    ...(description !== undefined && { description }),
    ...(ephemeral && { ephemeral }),
  };
}
