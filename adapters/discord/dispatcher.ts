import { InteractionType, type APIInteraction } from "discord.js";
import type { Memory } from "../../src/common/memory.ts";
import { contextOf } from "../kit/pipeline/context.ts";
import { Dispatcher } from "../kit/pipeline/dispatcher.ts";
import { Inbox } from "../kit/pipeline/inbox.ts";
import { meaningOf } from "./api/errors.ts";
import { DISCORD } from "./api/limits.ts";
import type { AnyInteraction, Interaction } from "./context/interaction.ts";
import type { Handler, InteractionContext, Services } from "./context/context.ts";
import { type DiscordOrigin, originOf, senderOf } from "./context/origin.ts";
import { isOurs } from "./gateway/shard.ts";

/** How long a modal may take to be opened before the interaction is deferred instead, in milliseconds. */
const MODAL_MS = DISCORD.firstAnswerMs / 2;

/** Interactions on disk until they are dealt with: Discord never hands one on again. */
export function inboxIn(memory: Memory): Inbox<Interaction> {
  // A resumed connection may repeat what was just heard.
  return new Inbox({ memory, nameOf: ({ id }) => id.padStart(20, "0"), repeatedMs: DISCORD.tokenMs });
}

/** What a dispatcher works with. */
interface DispatcherParts {
  readonly services: Services;
  readonly inbox: Inbox<Interaction>;
  readonly handlers: readonly Handler[];
  /** Whether an interaction may be answered with a modal, which must come first. */
  readonly mayOpenModal: (interaction: Interaction) => boolean;
  /** Answers what somebody types into an option. */
  readonly suggest: (typing: Exclude<AnyInteraction, Interaction>, origin: DiscordOrigin) => Promise<void>;
}

/** Answers each interaction in time, and leads it to the handler that deals with it. */
export class InteractionDispatcher extends Dispatcher<Interaction, InteractionContext> {
  readonly #parts: DispatcherParts;

  constructor(parts: DispatcherParts) {
    const { services, inbox, handlers } = parts;
    super({
      log: services.host.log,
      inbox,
      handlers,
      senderOf,
      accept: (interaction, isResumed) => accept(parts, interaction, isResumed),
      finish: async ({ interaction, reply, say }, failure) => {
        if (failure === undefined) return services.replies.end(interaction);
        const content = say(meaningOf(failure) === undefined ? "error.internal" : "error.not_posted");
        await reply.tell({ content }).catch(() => undefined);
        services.replies.drop(interaction);
      },
      levelOf,
    });
    this.#parts = parts;
  }

  /** Takes up what an earlier process did not come to; another shard's process may be dealing with what is its own. */
  override open(): Promise<void> {
    return super.open(isOurs);
  }

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

/** What Discord does not take, or too late, is no failure of ours. */
const levelOf = (error: unknown) => (meaningOf(error) === undefined ? "error" : "warn");
