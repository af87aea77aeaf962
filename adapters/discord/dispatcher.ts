import { InteractionType, type APIInteraction } from "discord.js";
import { attend } from "../../src/chat/handler.ts";
import { Inbox } from "../../src/chat/inbox.ts";
import type { Memory } from "../../src/chat/surface.ts";
import { Turns } from "../../src/chat/turns.ts";
import { translator } from "../../src/i18n.ts";
import { atMost } from "../../src/time.ts";
import type { AnyDeed, Clerk, Deed, Office } from "./context/context.ts";
import { meaningOf } from "./api/errors.ts";
import { DISCORD } from "./api/limits.ts";
import { channelOf, type DiscordOrigin, originOf, personOf } from "./context/origin.ts";
import type { Reply } from "./context/replies.ts";
import { isOurs } from "./gateway/shard.ts";

/** How many people are dealt with at once: each may wait for Discord and for the service. */
const AT_ONCE = 100;

/** How long a modal may take to be opened before the deed is deferred instead, in milliseconds. */
const MODAL_MS = DISCORD.firstAnswerMs / 2;

/** Deeds on disk until they are dealt with: Discord never hands one on again. */
export function inboxIn(memory: Memory): Inbox<Deed> {
  // A resumed connection may repeat what was just heard.
  return new Inbox({ memory, nameOf: ({ id }) => id.padStart(20, "0"), repeatedMs: DISCORD.tokenMs });
}

/** What a reception works with. */
interface ReceptionParts {
  readonly office: Office;
  readonly inbox: Inbox<Deed>;
  readonly clerks: readonly Clerk[];
  /** Whether a deed may be answered with a modal, which must come first. */
  readonly mayOpenModal: (deed: Deed) => boolean;
  /** Answers what somebody types into an option. */
  readonly suggest: (typing: Exclude<AnyDeed, Deed>, origin: DiscordOrigin) => Promise<void>;
}

/** Takes interactions in, answers each in time, and leads it to the clerk who deals with it. */
export class Reception {
  readonly #parts: ReceptionParts;
  readonly #turns = new Turns(AT_ONCE);
  #closed = false;

  constructor(parts: ReceptionParts) {
    this.#parts = parts;
  }

  /** Takes up what an earlier process did not come to. */
  async open(): Promise<void> {
    const { inbox, mayOpenModal } = this.#parts;
    // What another shard's process is dealing with stands there too.
    const left = (await inbox.left()).filter(isOurs);
    const resume = (deed: Deed) => this.#begin(deed, (reply) => reply.resume(mayOpenModal(deed)));
    await Promise.all(left.map((deed) => this.#noting(deed, () => resume(deed))));
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

  async #suggest(typing: Exclude<AnyDeed, Deed>): Promise<void> {
    const { office, suggest } = this.#parts;
    const origin = await originOf(typing, office);
    if (origin) await suggest(typing, origin);
  }

  /** What arrives is on disk before it is answered: nobody waits for an answer that a killed process owes. */
  async #receive(deed: Deed): Promise<void> {
    const { inbox, mayOpenModal } = this.#parts;
    if ((await inbox.keep([deed])).length === 0) return;
    await this.#begin(deed, async (reply) => {
      if (!mayOpenModal(deed)) return reply.defer();
      setTimeout(() => void reply.defer().catch(() => undefined), MODAL_MS).unref();
    });
  }

  /**
   * Answers a deed, and has it dealt with when it is the person's turn.
   * @throws Refused when it is too late: then nothing comes of it, because the person was told that it failed
   */
  async #begin(deed: Deed, answer: (reply: Reply) => Promise<void>): Promise<void> {
    const { office, inbox } = this.#parts;
    const origin = await originOf(deed, office);
    const person = personOf(deed);
    if (!origin || person === undefined) return inbox.done(deed);
    if (office.replies.isLive(deed)) return;
    const reply = office.replies.begin(deed, origin.address);
    const answered = answer(reply).catch(async (error: unknown) => {
      office.replies.drop(deed);
      await inbox.done(deed);
      throw error;
    });
    // In the order of arriving, whatever the answers take.
    this.#turns.add({ person, chat: channelOf(deed) ?? "" }, () =>
      answered.then(
        () => this.#dealWith(deed, origin, reply),
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
      this.#parts.office.host.log[level]({ err, interaction: id }, "An interaction was not answered");
    }
  }

  async #dealWith(deed: Deed, origin: DiscordOrigin, reply: Reply): Promise<void> {
    const { office, inbox } = this.#parts;
    const { log } = office.host;
    try {
      await this.#attend(deed, origin, reply);
      await office.replies.end(deed);
    } catch (err) {
      if (this.#closed) return;
      log.error({ err, interaction: deed.id }, "An interaction could not be dealt with");
      await reply
        .tell({ content: translator(origin.address.locale)("error.internal") })
        .catch(() => undefined);
      office.replies.drop(deed);
    }
    await inbox.done(deed).catch((err: unknown) => log.error({ err }, "The inbox could not be written"));
  }

  async #attend(deed: Deed, origin: DiscordOrigin, reply: Reply): Promise<void> {
    const { office, clerks } = this.#parts;
    const { address } = origin;
    await attend({ ...office, deed, origin, address, reply, say: translator(address.locale) }, clerks);
  }
}
