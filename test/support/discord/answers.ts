import {
  type APIModalInteractionResponseCallbackData,
  type APIApplicationCommandOptionChoice,
  ApplicationCommandType,
  InteractionResponseType as Answer,
  InteractionType,
  MessageFlags,
  MessageType,
} from "discord.js";
import { checkForm, invalidField } from "./form-error.ts";
import type { Interaction } from "./interaction.ts";
import { answerWith, checkSizes, type MessageBody, revisedContent, type Upload } from "./messages.ts";
import type { Post } from "./post.ts";
import { tooManyFollowUps, unknownMessage } from "./refusal.ts";
import { suggestions } from "./rules/choice.ts";
import { modal } from "./rules/modal.ts";
import type { World } from "./world.ts";

/** The body of a callback, whether it came over REST or as the answer to a POST of Discord's. */
export interface Callback {
  readonly type: Answer;
  readonly data?: object;
}

/** Which answers an interaction takes: section "Interaction Callback Type". */
const FITTING: Readonly<Record<InteractionType, readonly Answer[]>> = {
  [InteractionType.Ping]: [Answer.Pong],
  [InteractionType.ApplicationCommand]: [
    Answer.ChannelMessageWithSource,
    Answer.DeferredChannelMessageWithSource,
    Answer.Modal,
  ],
  [InteractionType.MessageComponent]: [
    Answer.ChannelMessageWithSource,
    Answer.DeferredChannelMessageWithSource,
    Answer.DeferredMessageUpdate,
    Answer.UpdateMessage,
    Answer.Modal,
  ],
  [InteractionType.ApplicationCommandAutocomplete]: [Answer.ApplicationCommandAutocompleteResult],
  [InteractionType.ModalSubmit]: [
    Answer.ChannelMessageWithSource,
    Answer.DeferredChannelMessageWithSource,
    Answer.DeferredMessageUpdate,
    Answer.UpdateMessage,
  ],
};

/**
 * Takes the first answer to an interaction.
 * @throws Refusal for one that is too late, the second, or not fit; a refused answer is none
 */
export async function acknowledge(
  world: World,
  interaction: Interaction,
  { type, data = {} }: Callback,
  uploads: readonly Upload[],
): Promise<void> {
  const { on } = interaction.userAction;
  const changesMessage = type === Answer.UpdateMessage || type === Answer.DeferredMessageUpdate;
  if (!FITTING[interaction.userAction.type].includes(type) || (changesMessage && !on)) {
    throw invalidField(
      ["type"],
      "BASE_TYPE_CHOICES",
      `This interaction cannot be answered with type ${type}`,
    );
  }
  checkSizes(uploads, interaction.sizeLimit);
  if (type === Answer.ApplicationCommandAutocompleteResult) checkForm(suggestions, data);
  if (type === Answer.Modal) checkForm(modal, data);
  interaction.acknowledge(type);
  try {
    if (type === Answer.ChannelMessageWithSource || type === Answer.DeferredChannelMessageWithSource) {
      interaction.original = await firstMessage(world, interaction, type, data, uploads);
    } else if (changesMessage) interaction.original = on;
    if (type === Answer.UpdateMessage && on) await change(world, on, data, uploads);
    if (type === Answer.Modal) interaction.modal = data as APIModalInteractionResponseCallbackData;
    if (type === Answer.ApplicationCommandAutocompleteResult) {
      interaction.choices = (data as { choices: APIApplicationCommandOptionChoice[] }).choices;
    }
  } catch (error) {
    interaction.reopen();
    throw error;
  }
  interaction.isBeingAnswered = false;
  world.touch(interaction.id);
}

async function firstMessage(
  world: World,
  interaction: Interaction,
  type: Answer,
  body: MessageBody,
  uploads: readonly Upload[],
): Promise<Post> {
  if (type === Answer.ChannelMessageWithSource) {
    return answerWith(world, interaction.userAction.channel, body, uploads, placement(interaction));
  }
  interaction.pending = true;
  const { channel, person } = interaction.userAction;
  const isEphemeral = ((body.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  const flags = MessageFlags.Loading | (isEphemeral ? MessageFlags.Ephemeral : 0);
  const { person: _, ...place } = placement(interaction);
  return world.add(
    channel,
    { content: "", embeds: [], components: [], files: [], flags },
    { ...place, author: world.bot, visibleTo: isEphemeral ? person.id : undefined },
  );
}

/**
 * Takes a follow-up. The first after a deferred answer fills that in, unless that was deleted.
 * @throws Refusal also for the sixth where only a person installed the app
 */
export async function followUp(
  world: World,
  interaction: Interaction,
  body: MessageBody,
  uploads: readonly Upload[],
): Promise<Post> {
  checkSizes(uploads, interaction.sizeLimit);
  const isThere = interaction.original && interaction.userAction.channel.posts.has(interaction.original.id);
  if (interaction.pending && isThere) return changeOriginal(world, interaction, body, uploads);
  if (interaction.isUserInstalled && interaction.followUps >= world.limits.userInstalledFollowUps) {
    throw tooManyFollowUps();
  }
  interaction.followUps += 1;
  const { channel } = interaction.userAction;
  const place = placement(interaction);
  const original = interaction.original && { original_response_message_id: interaction.original.id };
  return answerWith(world, channel, body, uploads, {
    ...place,
    interaction: { ...place.interaction, ...original },
    type: MessageType.Reply,
    replyTo: interaction.original,
  });
}

/** Changes the message that answered, or fills it in. */
export async function changeOriginal(
  world: World,
  interaction: Interaction,
  body: MessageBody,
  uploads: readonly Upload[],
): Promise<Post> {
  const post = originalOf(interaction);
  checkSizes(uploads, interaction.sizeLimit);
  await change(world, post, body, uploads);
  interaction.pending = false;
  return post;
}

/** Changes a message of the bot's. */
export async function change(
  world: World,
  post: Post,
  body: MessageBody,
  uploads: readonly Upload[],
): Promise<void> {
  const content = await revisedContent(world, post.channel, post.shown, body, uploads);
  world.revise(post, { ...content, flags: content.flags & ~MessageFlags.Loading });
}

/**
 * The message that answered an interaction.
 * @throws Refusal 10008 when there is none, or it was deleted
 */
export function originalOf({ original, userAction }: Interaction): Post {
  if (!original || !userAction.channel.posts.has(original.id)) throw unknownMessage();
  return original;
}

function placement(interaction: Interaction) {
  const { type, person, data, on } = interaction.userAction;
  const isMenu = "type" in data && data.type !== ApplicationCommandType.ChatInput;
  const isCommand = type === InteractionType.ApplicationCommand;
  const kind = isMenu ? MessageType.ContextMenuCommand : MessageType.ChatInputCommand;
  return {
    type: isCommand ? kind : MessageType.Reply,
    person,
    replyTo: isCommand ? undefined : on,
    interaction: interaction.metadata(),
  };
}
