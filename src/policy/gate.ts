import type { Account } from "../accounts/accounts.ts";
import type { Origin } from "../chat/surface.ts";
import type { Config } from "../config.ts";
import { ReelayError } from "../errors.ts";
import type { Groups } from "../groups/groups.ts";
import type { People } from "../people/people.ts";
import { type Decision, decide, refusalHere, type Request } from "./decision.ts";
import type { Cap, Tally } from "./tally.ts";

/** What the gate works with. */
export interface GateParts {
  readonly config: Config;
  readonly people: People;
  readonly groups: Groups;
  readonly tally: Tally;
}

/** The one gate before a job is accepted: gathers what the rules look at. */
export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /**
   * Lets through what a group's own rules allow there.
   * @throws ReelayError `room_not_allowed`, `operation_not_allowed`
   */
  async admit({ chat, room }: Origin, operation: string): Promise<void> {
    const refusal = refusalHere(room, operation, await this.#parts.groups.of(chat));
    if (refusal) throw new ReelayError(refusal.code, refusal.params);
  }

  /** Whether somebody may make something. */
  async check(
    origin: Origin,
    account: Account,
    content: Pick<Request, "text" | "photos" | "mature">,
  ): Promise<Decision> {
    const { config, people, tally } = this.#parts;
    const person = await people.of(origin.user);
    const reached = await tally.reached(await this.#capsOf(origin, account));
    return decide({ ...content, origin, person, reached }, config.blockedWords);
  }

  /**
   * Counts a job that begins now, where somebody else's key pays.
   * @throws ReelayError `daily_cap`, `chat_cap` when others of the same moment were faster
   */
  async begin(origin: Origin, account: Account): Promise<void> {
    const caps = await this.#capsOf(origin, account);
    const reached = caps.length === 0 ? undefined : await this.#parts.tally.begin(caps);
    if (reached) throw new ReelayError(reached.code, { max: reached.max });
  }

  /** Caps are for other people's tokens; play money and one's own have none. */
  async #capsOf({ user, chat }: Origin, { source, keyId }: Account): Promise<readonly Cap[]> {
    const { config, groups } = this.#parts;
    if (source === "own" || source === "sandbox") return [];
    const { memberDaily } = source === "group" ? await groups.of(chat) : {};
    // Counted all the same: managers are told how much their group's key was used.
    const inChat = source === "group" ? Number.POSITIVE_INFINITY : config.chatDailyCap;
    return [
      { code: "daily_cap", keyId, by: user, max: memberDaily ?? config.dailyCap },
      ...(chat ? [{ code: "chat_cap", keyId, by: chat, max: inChat } as const] : []),
    ];
  }
}
