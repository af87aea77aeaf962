import { acknowledge, type Callback, change, changeOriginal, followUp, originalOf } from "../answers.ts";
import type { Interaction } from "../interaction.ts";
import { checkSizes, type MessageBody } from "../messages.ts";
import { type Post, wireMessage } from "../post.ts";
import { unknownInteraction, unknownMessage, unknownWebhook } from "../refusal.ts";
import type { RestRequest, Routes } from "../request.ts";
import type { World } from "../world.ts";

type Params = RestRequest["params"];
type MessageRequest = RestRequest<MessageBody>;

const WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}";
const ORIGINAL = `${WEBHOOK}/messages/@original`;
const MESSAGE = `${WEBHOOK}/messages/{message_id}`;

/** Everything that an interaction's own token allows. */
export const interactions: Routes = {
  "POST /interactions/{interaction_id}/{interaction_token}/callback": async (
    world,
    { params, query, body, uploads }: RestRequest<Callback>,
  ) => {
    const interaction = world.interactions.get(params["interaction_token"] ?? "");
    if (!interaction || interaction.id !== params["interaction_id"]) throw unknownInteraction();
    await acknowledge(world, interaction, body, uploads);
    return query.get("with_response") === "true" ? outcome(world, interaction) : undefined;
  },

  [`POST ${WEBHOOK}`]: async (world, { params, body, uploads }: MessageRequest) =>
    wireMessage(world, await followUp(world, alive(world, params), body, uploads)),

  [`GET ${ORIGINAL}`]: (world, { params }) => wireMessage(world, originalOf(alive(world, params))),

  [`PATCH ${ORIGINAL}`]: async (world, { params, body, uploads }: MessageRequest) =>
    wireMessage(world, await changeOriginal(world, alive(world, params), body, uploads)),

  [`DELETE ${ORIGINAL}`]: (world, { params }) => world.remove(originalOf(alive(world, params))),

  [`GET ${MESSAGE}`]: (world, { params }) =>
    wireMessage(world, answerOf(alive(world, params), params["message_id"])),

  [`PATCH ${MESSAGE}`]: async (world, { params, body, uploads }: MessageRequest) => {
    const interaction = alive(world, params);
    const post = answerOf(interaction, params["message_id"]);
    if (post === interaction.original) await changeOriginal(world, interaction, body, uploads);
    else {
      checkSizes(uploads, interaction.sizeLimit);
      await change(world, post, body, uploads);
    }
    return wireMessage(world, post);
  },

  [`DELETE ${MESSAGE}`]: (world, { params }) =>
    world.remove(answerOf(alive(world, params), params["message_id"])),
};

/** The interaction whose token a call carries, while the token lives. */
function alive(world: World, params: Params): Interaction {
  const interaction = world.interactions.get(params["webhook_token"] ?? "");
  if (!interaction || params["webhook_id"] !== world.applicationId) throw unknownWebhook();
  interaction.checkToken();
  return interaction;
}

/** A message that the token may change: it answered with it, or it belongs to the component that was used. */
function answerOf({ id, userAction, original }: Interaction, messageId = ""): Post {
  const post = userAction.channel.posts.get(messageId);
  if (!post || (post.interaction?.id !== id && post !== original && post !== userAction.on))
    throw unknownMessage();
  return post;
}

/** section "Interaction Callback Response". */
function outcome(world: World, { id, userAction, answer, original, pending }: Interaction): object {
  return {
    interaction: {
      id,
      type: userAction.type,
      ...(original && {
        response_message_id: original.id,
        response_message_loading: pending,
        response_message_ephemeral: original.visibleTo !== undefined,
      }),
    },
    ...(original && { resource: { type: answer, message: wireMessage(world, original) } }),
  };
}
