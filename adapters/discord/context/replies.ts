import {
  type APIMessage,
  type APIModalInteractionResponseCallbackData,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
} from "discord.js";
import { currentTime, sleep, timeoutAwake } from "../../../src/common/time.ts";
import type { DiscordAddress } from "./address.ts";
import type { Api, MessageBody } from "../api/api.ts";
import { ownPart } from "../../../src/seam/text/actions.ts";
import { DRAFT } from "../../kit/drafts/page-parts.ts";
import { FORM, type Interaction, tokenOf } from "./interaction.ts";
import { meaningOf } from "../api/errors.ts";
import { DISCORD } from "../api/limits.ts";
import { followUp } from "./follow-up.ts";
import { lackingIn, type Permission } from "./permissions.ts";
import { isOnlyWay } from "./pressed.ts";

/** How long something public waits for what is due in private first, such as its cost, in milliseconds. */
const PRIVATE_FIRST_MS = 1_000;

/**
 * Where an answer stands:
 * - `open`: Discord has none yet
 * - `thinking`: a message says so, and waits to be filled in
 * - `pressed`: the pressed message waits to be changed, or stays as it is
 * - `told`: the first answer is there
 */
type Stage = "open" | "thinking" | "pressed" | "told";

interface ReplyParts {
  readonly api: Api;
  readonly address: DiscordAddress;
  /** Where it stands to begin with. */
  readonly stage: Extract<Stage, "open" | "told">;
  /** Whether it is a press on a first answer or on a reply that is a draft: those it changes. */
  readonly changes: boolean;
  /** Whether what it says first is there for others to read. */
  readonly isPublic: boolean;
  /** What the bot may not do there, so that no result could be posted; left out where nothing is known to stand in the way. */
  readonly lacking?: Permission | undefined;
  /** Whether it is a press on what stays as it is, but may have to be changed by it later. */
  readonly keeps: boolean;
}

/**
 * The answer to one interaction, which Discord takes once, within three seconds, and in the same way for everything
 * that comes of it:
 * - What is private (a notice, a menu, a question, a failure) fills in the first answer, which only the person sees; the
 *   next such thing is a follow-up that only they see. In direct messages both are ordinary messages.
 * - What may be seen by all (progress, results) is a follow-up of its own, after the first answer was filled in.
 * A press on a first answer changes that message instead; a press on anything else is answered anew. Where only a press
 * lets a message be changed, its first answer is that nothing changes yet, and what comes of it follows.
 *
 * One step is done at a time: what comes of an interaction comes from several sides at once.
 */
export class Reply {
  readonly #parts: ReplyParts;
  #stage: Stage;
  /** Ends all tries of a first answer: what follows of the same person waits behind it. */
  #due: AbortSignal | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #filled = Promise.withResolvers<void>();

  constructor(parts: ReplyParts) {
    this.#parts = parts;
    this.#stage = parts.stage;
  }

  get address(): DiscordAddress {
    return this.#parts.address;
  }

  /** Whether the draft that it is about stands where others read along: what somebody has left is not told there. */
  get isPublic(): boolean {
    return this.#parts.isPublic;
  }

  /** What the bot may not do there, as far as it is known. */
  get lacking(): Permission | undefined {
    return this.#parts.lacking;
  }

  /** Whether Discord has its first answer. */
  get isAcknowledged(): boolean {
    return this.#stage !== "open";
  }

  /** Says "thinking", or that the pressed message will change. Does nothing when it was answered already. */
  defer(): Promise<void> {
    return this.#inTurn(() => this.#defer());
  }

  /**
   * Takes up what a killed process had begun. Whether that had answered, only Discord knows: it is answered again.
   * @param modal whether it may have opened one: then nothing waits to be filled in
   * @throws Refused `unknown_interaction` where it had not, and now it is too late: the person was told that it failed
   */
  resume(modal: boolean): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#defer();
      } catch (error) {
        if (meaningOf(error) === "unknown_interaction") throw error;
        this.#reach(modal ? "told" : this.#deferred);
      }
    });
  }

  /**
   * Opens a modal.
   * @returns false where the first answer was given already: then it needs a button
   */
  openModal(data: APIModalInteractionResponseCallbackData): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.isAcknowledged) return false;
      await this.#answer({ type: InteractionResponseType.Modal, data });
      this.#reach("told");
      return true;
    });
  }

  /** Leaves what was pressed as it is, if it waits to be changed: what is said next stands beside it. */
  leavePressed(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#defer();
      if (this.#stage === "pressed") this.#reach("told");
    });
  }

  /** Says something to the person alone. */
  tell(body: MessageBody): Promise<APIMessage> {
    const { api, address } = this.#parts;
    return this.#inTurn(async () => {
      await this.#defer();
      const filled = this.#stage === "told" ? undefined : await this.#fill(body);
      this.#reach("told");
      return filled ?? followUp(api, address, quietly(body, address));
    });
  }

  /** Says something to everybody, or, where it is secret, to the person alone. */
  async publish(body: MessageBody, secret: boolean): Promise<APIMessage> {
    const { api, address } = this.#parts;
    if (this.#stage === "thinking") await Promise.race([this.#filled.promise, sleep(PRIVATE_FIRST_MS)]);
    return this.#inTurn(async () => {
      await this.#defer();
      // Discord would fill in the first answer with it, and keep it private.
      await this.#clear();
      return followUp(api, address, secret ? quietly(body, address) : body);
    });
  }

  /** Nothing more comes: what still says "thinking" goes. */
  async close(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#defer();
      await this.#clear();
    });
  }

  /** Fills in what waits for that; undefined where it is gone: a killed process had taken it away. */
  async #fill(body: MessageBody): Promise<APIMessage | undefined> {
    const { api, address } = this.#parts;
    // What is sent now replaces everything that stood there.
    const whole = { attachments: [], ...body };
    try {
      return await api.editReply(address.asked, "@original", whole);
    } catch (error) {
      if (meaningOf(error) !== "message_gone") throw error;
      return undefined;
    }
  }

  async #clear(): Promise<void> {
    const { api, address } = this.#parts;
    if (this.#stage === "thinking") await api.deleteReply(address.asked, "@original");
    this.#reach("told");
  }

  async #defer(): Promise<void> {
    const { address, changes, keeps } = this.#parts;
    if (this.isAcknowledged) return;
    const thinking = InteractionResponseType.DeferredChannelMessageWithSource;
    await this.#answer(
      changes || keeps
        ? { type: InteractionResponseType.DeferredMessageUpdate }
        : { type: thinking, data: address.inConversation ? {} : { flags: MessageFlags.Ephemeral } },
    );
    this.#reach(this.#deferred);
  }

  get #deferred(): Stage {
    const { changes, keeps } = this.#parts;
    if (keeps) return "told";
    return changes ? "pressed" : "thinking";
  }

  #answer(response: Parameters<Api["answer"]>[1]): Promise<void> {
    const { api, address } = this.#parts;
    this.#due ??= timeoutAwake(DISCORD.firstAnswerMs);
    return api.answer(address.asked, response, this.#due);
  }

  #reach(stage: Stage): void {
    this.#stage = stage;
    if (stage === "told") this.#filled.resolve();
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#last.then(step);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** The replies that this process has begun, as long as their interactions are dealt with. */
export class Replies {
  readonly #api: Api;
  readonly #live = new Map<string, Reply>();
  /** Where each person was dealt with last, the longest ago first. */
  readonly #newest = new Map<string, DiscordAddress>();

  constructor(api: Api) {
    this.#api = api;
  }

  /** Begins the reply to an interaction. */
  begin(interaction: Interaction, address: DiscordAddress): Reply {
    const isOnReply = isOnDraft(interaction);
    const changes = isOnReply || isOnFirstAnswer(interaction);
    const keeps = !changes && isOnlyWay(interaction, address);
    const isPublic = isOnReply && !address.inConversation;
    const lacking = lackingIn(interaction, address);
    const reply = new Reply({ api: this.#api, address, changes, isPublic, keeps, lacking, stage: "open" });
    this.#live.set(interaction.id, reply);
    return reply;
  }

  /** The reply to an interaction that is still dealt with: what the bot may do there is known from it. */
  live({ asked }: Pick<DiscordAddress, "asked">): Reply | undefined {
    return this.#live.get(asked.id);
  }

  /** The reply to the interaction of an address; one that was dealt with takes only more of it. */
  of(address: DiscordAddress): Reply {
    const known = this.live(address);
    if (known) return known;
    const isPublic = address.replyTo !== undefined && !address.inConversation;
    return new Reply({ api: this.#api, address, changes: false, isPublic, keeps: false, stage: "told" });
  }

  /** An interaction was dealt with: what comes of it later follows its first answer. */
  async end(interaction: Interaction): Promise<void> {
    const reply = this.#live.get(interaction.id);
    this.drop(interaction);
    await reply?.close();
  }

  /** An interaction failed: its answer stays as it is. */
  drop({ id }: Interaction): void {
    const address = this.#live.get(id)?.address;
    this.#live.delete(id);
    if (address?.user === undefined) return;
    this.#newest.delete(address.user);
    this.#newest.set(address.user, address);
  }

  /** The newest interaction of somebody that was dealt with, while more can be said in it. */
  newestOf(user: string): DiscordAddress | undefined {
    for (const [person, { asked }] of this.#newest) {
      if (asked.until > currentTime()) break;
      this.#newest.delete(person);
    }
    return this.#newest.get(user);
  }
}

/** Whether a component was pressed, or a modal opened, on the first answer to something: only such can be changed. */
function isOnFirstAnswer(interaction: Interaction): boolean {
  if (interaction.type === InteractionType.ApplicationCommand) return false;
  const metadata = interaction.message?.interaction_metadata;
  return metadata !== undefined && metadata.original_response_message_id === undefined;
}

/** Whether it is about the draft that the message with its button replied with: a draft begins with a message under its id. */
function isOnDraft(interaction: Interaction): boolean {
  if (interaction.type === InteractionType.ApplicationCommand) return false;
  const asked = interaction.message?.message_reference?.message_id;
  const token = tokenOf(interaction);
  const ids = [DRAFT, FORM].flatMap((mark) => ownPart(token, mark)?.split(":") ?? []);
  return asked !== undefined && ids.includes(asked);
}

/** For the person's eyes; in direct messages nobody else is there. */
function quietly(body: MessageBody, address: DiscordAddress): MessageBody {
  return address.inConversation ? body : { ...body, flags: (body.flags ?? 0) | MessageFlags.Ephemeral };
}
