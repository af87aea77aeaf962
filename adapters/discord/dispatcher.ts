import { InteractionType, type APIInteraction } from "discord.js";
import { dispatch } from "../../src/chat/handler.ts";
import { Inbox } from "../../src/chat/inbox.ts";
import type { Memory } from "../../src/chat/surface.ts";
import { Turns } from "../../src/chat/turns.ts";
import { translator } from "../../src/i18n.ts";
import { atMost } from "../../src/time.ts";
import type { AnyInteraction, Handler, Interaction, Services } from "./context/context.ts";
import { meaningOf } from "./api/errors.ts";
import { DISCORD } from "./api/limits.ts";
import { channelOf, type DiscordOrigin, originOf, personOf } from "./context/origin.ts";
import type { Reply } from "./context/replies.ts";
import { isOurs } from "./gateway/shard.ts";

/** How many people are dealt with at once: each may wait for Discord and for the service. */
const AT_ONCE = 100;

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

/** Takes interactions in, answers each in time, and leads it to the handler that deals with it. */
export class InteractionDispatcher {
  readonly #parts: DispatcherParts;
  readonly #turns = new Turns(AT_ONCE);
  #closed = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Takes up what an earlier process did not come to. */
  async open(): Promise<void> {
    const { inbox, mayOpenModal } = this.#parts;
    // What another shard's process is dealing with stands there too.
    const left = (await inbox.left()).filter(isOurs);
    const resume = (interaction: Interaction) =>
      this.#begin(interaction, (reply) => reply.resume(mayOpenModal(interaction)));
    await Promise.all(left.map((interaction) => this.#noting(interaction, () => resume(interaction))));
  }

  /** Waits for nothing but the disk and the first answer. */
  readonly take = (interaction: APIInteraction): Promise<void> =>
    this.#noting(interaction, async () => {
      if (interaction.type === InteractionType.Ping) return;
      if (interaction.type === InteractionType.ApplicationCommandAutocomplete)
        await this.#suggest(interaction);
      else await this.#receive(interaction);
    });

  /**
   * Begins with nobody more, and waits for those who are being dealt with. What fails after that stays in the
   * inbox for the next start.
   * @param graceMs how long it waits at most, in milliseconds
   */
  async stop(graceMs: number): Promise<void> {
    await atMost(graceMs, this.#turns.stop());
    this.#closed = true;
  }

  async #suggest(typing: Exclude<AnyInteraction, Interaction>): Promise<void> {
    const { services, suggest } = this.#parts;
    const origin = await originOf(typing, services);
    if (origin) await suggest(typing, origin);
  }

  /** What arrives is on disk before it is answered: nobody waits for an answer that a killed process owes. */
  async #receive(interaction: Interaction): Promise<void> {
    const { inbox, mayOpenModal } = this.#parts;
    if ((await inbox.keep([interaction])).length === 0) return;
    await this.#begin(interaction, async (reply) => {
      if (!mayOpenModal(interaction)) return reply.defer();
      setTimeout(() => void reply.defer().catch(() => undefined), MODAL_MS).unref();
    });
  }

  /**
   * Answers an interaction, and has it dealt with when it is the person's turn.
   * @throws Refused when it is too late: then nothing comes of it, because the person was told that it failed
   */
  async #begin(interaction: Interaction, answer: (reply: Reply) => Promise<void>): Promise<void> {
    const { services, inbox } = this.#parts;
    const origin = await originOf(interaction, services);
    const person = personOf(interaction);
    if (!origin || person === undefined) return inbox.done(interaction);
    if (services.replies.isLive(interaction)) return;
    const reply = services.replies.begin(interaction, origin.address);
    const answered = answer(reply).catch(async (error: unknown) => {
      services.replies.drop(interaction);
      await inbox.done(interaction);
      throw error;
    });
    // In the order of arriving, whatever the answers take.
    this.#turns.add({ person, chat: channelOf(interaction) ?? "" }, () =>
      answered.then(
        () => this.#dealWith(interaction, origin, reply),
        () => undefined,
      ),
    );
    await answered;
  }

  async #noting({ id }: APIInteraction, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (err) {
      const level = meaningOf(err) === "unknown_interaction" ? "warn" : "error";
      this.#parts.services.host.log[level]({ err, interaction: id }, "An interaction was not answered");
    }
  }

  async #dealWith(interaction: Interaction, origin: DiscordOrigin, reply: Reply): Promise<void> {
    const { services, inbox } = this.#parts;
    const { log } = services.host;
    try {
      await this.#dispatch(interaction, origin, reply);
      await services.replies.end(interaction);
    } catch (err) {
      if (this.#closed) return;
      log.error({ err, interaction: interaction.id }, "An interaction could not be dealt with");
      await reply
        .tell({ content: translator(origin.address.locale)("error.internal") })
        .catch(() => undefined);
      services.replies.drop(interaction);
    }
    await inbox
      .done(interaction)
      .catch((err: unknown) => log.error({ err }, "The inbox could not be written"));
  }

  async #dispatch(interaction: Interaction, origin: DiscordOrigin, reply: Reply): Promise<void> {
    const { services, handlers } = this.#parts;
    const { address } = origin;
    await dispatch(
      { ...services, interaction, origin, address, reply, say: translator(address.locale) },
      handlers,
    );
  }
}
