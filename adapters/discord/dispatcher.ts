import { InteractionType, type APIInteraction } from "discord.js";
import type { Memory } from "../../src/common/memory.ts";
import { contextOf } from "../kit/pipeline/context.ts";
import { Dispatcher } from "../kit/pipeline/dispatcher.ts";
import { dispatch } from "../kit/pipeline/handler.ts";
import { Inbox } from "../kit/pipeline/inbox.ts";
import type { MessageBody } from "./api/api.ts";
import { meaningOf } from "./api/errors.ts";
import { DISCORD } from "./api/limits.ts";
import type { AnyInteraction, Interaction } from "./context/interaction.ts";
import type { Handler, InteractionContext, Services } from "./context/context.ts";
import { type DiscordOrigin, originOf, senderOf } from "./context/origin.ts";
import {
  isForBot,
  type MessageContext,
  messageContext,
  type MessageHandler,
  type SentMessage,
} from "./context/message.ts";
import type { Reply } from "./context/replies.ts";
import { plain, said } from "./messages/render.ts";
import { tell } from "./messages/tell.ts";
import { isOurs } from "./gateway/shard.ts";

/** How long a modal may take to be opened before the interaction is deferred instead, in milliseconds. */
const MODAL_MS = DISCORD.firstAnswerMs / 2;

/** What Discord tells us of: something that a person did, or a message of theirs. */
export type Update = Interaction | SentMessage;

type UpdateContext = InteractionContext | MessageContext;

const isMessage = (update: Update): update is SentMessage => "author" in update;

/** Updates on disk until they are dealt with: Discord never hands one on again. */
export function inboxIn(memory: Memory): Inbox<Update> {
  // A resumed connection may repeat what was just heard.
  const nameOf = ({ id }: Update) => id.padStart(20, "0");
  return new Inbox({ memory, nameOf, repeatedMs: DISCORD.tokenMs });
}

interface DispatcherParts {
  readonly services: Services;
  readonly inbox: Inbox<Update>;
  readonly handlers: readonly Handler[];
  readonly messageHandlers: readonly MessageHandler[];
  /** Whether an interaction may be answered with a modal, which must come first. */
  readonly mayOpenModal: (interaction: Interaction) => boolean;
  /** Answers what somebody types into an option. */
  readonly suggest: (typing: Exclude<AnyInteraction, Interaction>, origin: DiscordOrigin) => Promise<void>;
  /** Whether this process may deal with what is in the inbox, where several share that. */
  readonly isOurs?: () => boolean;
}

/** Answers each interaction in time, and leads it, as each message, to the handler that deals with it. */
export class UpdateDispatcher extends Dispatcher<Update, UpdateContext> {
  readonly #parts: DispatcherParts;

  constructor(parts: DispatcherParts) {
    const { services, inbox, handlers, messageHandlers, isOurs: isOursStill } = parts;
    super({
      log: services.host.log,
      inbox,
      ...(isOursStill && { isOurs: isOursStill }),
      handlers: [
        (context) =>
          "message" in context ? dispatch(context, messageHandlers) : dispatch(context, handlers),
      ],
      senderOf: (update) => (isMessage(update) ? authorOf(update) : senderOf(update)),
      accept: async (update, isResumed) =>
        isMessage(update) ? () => messageContext(services, update) : accept(parts, update, isResumed),
      finish: async (context, failure) => {
        const interaction = "interaction" in context ? context.interaction : undefined;
        if (failure !== undefined) {
          const { address, say } = context;
          const why = meaningOf(failure) === undefined ? "error.internal" : "error.not_posted";
          const body = said(plain(say(why)));
          const telling = interaction ? tellBeside(context.reply, body) : tell(services, address, body);
          await telling.catch(() => undefined);
        }
        if (!interaction) return;
        if (failure === undefined) await services.replies.end(interaction);
        else services.replies.drop(interaction);
      },
      levelOf,
    });
    this.#parts = parts;
  }

  /** Takes up what an earlier process did not come to; another shard's process may be dealing with what is its own. */
  override open(): Promise<void> {
    return super.open(isOurs);
  }

  /** Takes a message, if a person sent it to the bot. Waits for nothing but the disk. */
  readonly read = async (message: SentMessage): Promise<void> => {
    const { services } = this.#parts;
    if (!isForBot(message, services.api.applicationId)) return;
    await this.take([message]).catch((err: unknown) =>
      services.host.log.error({ err, message: message.id }, "A message was not taken in"),
    );
  };

  /** Takes whatever Discord sends. Waits for nothing but the disk and the first answer. */
  readonly hear = async (interaction: APIInteraction): Promise<void> => {
    const { services, suggest } = this.#parts;
    try {
      if (interaction.type === InteractionType.Ping) return;
      if (interaction.type !== InteractionType.ApplicationCommandAutocomplete)
        return await this.take([interaction]);
      const origin = await originOf(interaction, services);
      if (origin) await suggest(interaction, origin);
    } catch (err) {
      services.host.log[levelOf(err)](
        { err, interaction: interaction.id },
        "An interaction was not answered",
      );
    }
  };
}

function authorOf({ author, channel_id: chat }: SentMessage) {
  return { person: author.id, chat };
}

/**
 * Gives an interaction its first answer.
 * @throws Refused when it is too late: then nothing comes of it, because the person was told that it failed
 */
async function accept(
  { services, mayOpenModal }: DispatcherParts,
  interaction: Interaction,
  isResumed: boolean,
) {
  const origin = await originOf(interaction, services);
  if (!origin) return async () => undefined;
  const { address } = origin;
  const reply = services.replies.begin(interaction, address);
  const isModal = mayOpenModal(interaction);
  try {
    if (isResumed) await reply.resume(isModal);
    else if (!isModal) await reply.defer();
    else setTimeout(() => void reply.defer().catch(() => undefined), MODAL_MS).unref();
  } catch (error) {
    services.replies.drop(interaction);
    throw error;
  }
  return async () => ({ ...contextOf(services, origin, address.locale), interaction, address, reply });
}

/** Says something and leaves what was pressed as it is: its buttons are the way on. */
async function tellBeside(reply: Reply, body: MessageBody): Promise<unknown> {
  await reply.leavePressed();
  return reply.tell(body);
}

/** What Discord does not take, or too late, is no failure of ours. */
const levelOf = (error: unknown) => (meaningOf(error) === undefined ? "error" : "warn");
