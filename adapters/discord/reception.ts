import { InteractionType, type APIInteraction } from "discord.js";
import { Inbox } from "../../src/chat/inbox.ts";
import type { Memory } from "../../src/chat/surface.ts";
import { Turns } from "../../src/chat/turns.ts";
import { translator } from "../../src/i18n.ts";
import { atMost } from "../../src/time.ts";
import { attend, type AnyDeed, type Clerk, type Deed, type Office } from "./desk.ts";
import { meaningOf } from "./errors.ts";
import { DISCORD } from "./limits.ts";
import { type DiscordOrigin, originOf, personOf } from "./origin.ts";
import type { Reply } from "./replies.ts";
import { isOurs } from "./shard.ts";

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

  /** Takes up what an earlier process did not come to; what has no token any more has no answer either. */
  async open(): Promise<void> {
    const { inbox } = this.#parts;
    // What another shard's process is dealing with stands there too.
    for (const deed of (await inbox.left()).filter(isOurs)) await this.#begin(deed, true);
  }

  /** Waits for nothing but the disk and the first answer. */
  readonly take = async (interaction: APIInteraction): Promise<void> => {
    try {
      if (interaction.type === InteractionType.Ping) return;
      if (interaction.type === InteractionType.ApplicationCommandAutocomplete)
        await this.#suggest(interaction);
      else await this.#begin(interaction, false);
    } catch (err) {
      const level = meaningOf(err) === "unknown_interaction" ? "warn" : "error";
      this.#parts.office.host.log[level](
        { err, interaction: interaction.id },
        "An interaction was not answered",
      );
    }
  };

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

  /** @param earlier whether an earlier process has answered it */
  async #begin(deed: Deed, earlier: boolean): Promise<void> {
    const { office } = this.#parts;
    const origin = await originOf(deed, office);
    const person = personOf(deed);
    if (!origin || person === undefined || office.replies.isLive(deed)) return;
    const reply = office.replies.begin(deed, origin.address, earlier);
    if (!earlier && !(await this.#receive(deed, reply))) return;
    this.#turns.add(person, () => this.#dealWith(deed, origin, reply));
  }

  /**
   * Answers a deed in time, and keeps it.
   * @returns whether it is new
   * @throws Refused when it is too late: then nothing may come of it, because the person was told that it failed
   */
  async #receive(deed: Deed, reply: Reply): Promise<boolean> {
    const { office, inbox, mayOpenModal } = this.#parts;
    if (mayOpenModal(deed)) setTimeout(() => void reply.defer().catch(() => undefined), MODAL_MS).unref();
    try {
      const [fresh] = await Promise.all([inbox.keep([deed]), mayOpenModal(deed) ? undefined : reply.defer()]);
      return fresh.length > 0;
    } catch (error) {
      office.replies.drop(deed);
      await inbox.done(deed);
      throw error;
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
