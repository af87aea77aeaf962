import { MessageType, PermissionFlagsBits } from "discord.js";
import { change } from "../answers.ts";
import type { Channel } from "../channel.ts";
import { invalidField } from "../form-error.ts";
import { checkSizes, type MessageBody, newContent } from "../messages.ts";
import { type Post, wireMessage } from "../post.ts";
import { cannotEditOthers, missingPermissions, unknownUser } from "../refusal.ts";
import type { RestRequest, Routes } from "../request.ts";
import type { World } from "../world.ts";

interface NewMessage extends MessageBody {
  readonly message_reference?: { readonly message_id: string; readonly fail_if_not_exists?: boolean } | null;
  readonly nonce?: string | number | null;
  readonly enforce_nonce?: boolean | null;
}

const CHANNEL = "/channels/{channel_id}";
const MESSAGES = `${CHANNEL}/messages`;
const MESSAGE = `${MESSAGES}/{message_id}`;

/** What the bot does by itself in a channel. */
export const channels: Routes = {
  [`GET ${CHANNEL}`]: (world, { params }) => open(world, params),

  [`GET ${MESSAGES}`]: (world, { params, query }) => {
    const channel = open(world, params);
    const limit = Number(query.get("limit") ?? 50);
    // resources/message, "Get Channel Messages": without the permission "no messages will be returned".
    const isReadable = (channel.botPermissions & PermissionFlagsBits.ReadMessageHistory) !== 0n;
    const posts = isReadable ? [...channel.posts.values()] : [];
    return posts
      .filter(({ visibleTo }) => visibleTo === undefined)
      .slice(-limit)
      .toReversed()
      .map((post) => wireMessage(world, post));
  },

  [`POST ${MESSAGES}`]: async (world, { params, body, uploads }: RestRequest<NewMessage>) => {
    const channel = open(world, params);
    channel.check(channel.posting);
    if (uploads.length > 0) channel.check("AttachFiles");
    if (body.embeds?.length) channel.check("EmbedLinks");
    checkSizes(uploads, world.limits.fileBytes);
    const known = body.enforce_nonce ? sameNonce(world, channel, body.nonce) : undefined;
    if (known) return wireMessage(world, known);
    const replyTo = quoted(channel, body);
    const content = await newContent(world, channel, body, uploads);
    const post = world.add(channel, content, {
      author: world.bot,
      type: replyTo ? MessageType.Reply : MessageType.Default,
      replyTo,
      nonce: body.nonce === undefined || body.nonce === null ? undefined : String(body.nonce),
    });
    return wireMessage(world, post);
  },

  [`GET ${MESSAGE}`]: (world, { params }) => {
    const channel = open(world, params);
    channel.check("ReadMessageHistory");
    return wireMessage(world, world.post(channel, params["message_id"]));
  },

  [`PATCH ${MESSAGE}`]: async (world, { params, body, uploads }: RestRequest<MessageBody>) => {
    const post = world.post(open(world, params), params["message_id"]);
    if (post.author !== world.bot) throw cannotEditOthers();
    checkSizes(uploads, world.limits.fileBytes);
    await change(world, post, body, uploads);
    return wireMessage(world, post);
  },

  [`DELETE ${MESSAGE}`]: (world, { params }) => {
    const post = world.post(open(world, params), params["message_id"]);
    if (post.author !== world.bot) throw missingPermissions();
    world.remove(post);
  },

  "POST /users/@me/channels": (world, { body }: RestRequest<{ readonly recipient_id: string }>) => {
    const person = world.people.get(body.recipient_id);
    if (!person) throw unknownUser();
    return world.conversation(person);
  },
};

function open(world: World, params: RestRequest["params"]): Channel {
  const channel = world.channel(params["channel_id"]);
  channel.check();
  return channel;
}

/** resources/message, `enforce_nonce`: a message that was sent twice is posted once. */
function sameNonce(
  { bot, clock, limits }: World,
  { posts }: Channel,
  nonce: NewMessage["nonce"],
): Post | undefined {
  const since = clock.now() - limits.nonceMs;
  return [...posts.values()].find(
    (post) => post.author === bot && post.nonce === String(nonce) && post.at > since,
  );
}

/** @throws Refusal 50035 when there is no such message, unless the body says that it does not matter */
function quoted(channel: Channel, { message_reference: reference }: NewMessage): Post | undefined {
  if (!reference) return undefined;
  channel.check("ReadMessageHistory");
  const post = channel.posts.get(reference.message_id);
  if (post && post.visibleTo === undefined) return post;
  if (reference.fail_if_not_exists === false) return undefined;
  throw invalidField(["message_reference"], "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
}
