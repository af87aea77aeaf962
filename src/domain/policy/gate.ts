import type { Release } from "../jobs/delivery/delivery.ts";
import type { Readable } from "node:stream";
import type { Account } from "../accounts/accounts.ts";
import type { Audit, NewEntry } from "../audit/audit.ts";
import type { Origin } from "../../seam/origin.ts";
import type { BudgetState } from "../../seam/access/budgets.ts";
import type { AskedStatement } from "../../seam/fields.ts";
import {
  type MediaRef,
  platformOf,
  type StatementName,
  type Tags,
  type UserId,
  type Values,
} from "../../seam/values.ts";
import { ReelayError } from "../../common/errors.ts";
import { type Groups, mayMature } from "../groups/groups.ts";
import type { Job } from "../jobs/job.ts";
import type { Within } from "../jobs/ledger.ts";
import type { Operation } from "../operations/operation.ts";
import { PartnerBook } from "../partners/partner-book.ts";
import { type People, speakerFor } from "../people/people.ts";
import type { PolicyConfig } from "./config.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { Blocks } from "./blocks.ts";
import { uncovered } from "./budgets.ts";
import { capsOfPartner, capsOfPerson, type Cost, countUnder, type JobCaps, reached } from "./caps.ts";
import {
  decide,
  type Decision,
  hasDeclared,
  missingStatements,
  refusalHere,
  type Situation,
} from "./decision.ts";
import type { Traits } from "../jobs/traits.ts";
import { matureFits } from "./mature.ts";
import type { Moderator } from "./moderation/moderator.ts";
import { judge } from "./moderation/verdict.ts";
import type { Wording } from "./words/refused-words.ts";
import { STATEMENTS, versionOf } from "./statements.ts";
import { isInvited } from "../accounts/subjects.ts";
import { UsageCounter } from "./usage-counter.ts";
import { currentTime } from "../../common/time.ts";

/** What the gate works with. */
export interface GateParts {
  readonly policy: PolicyConfig;
  readonly database: Database;
  readonly people: People;
  readonly groups: Groups;
  readonly blocks: Blocks;
  readonly audit: Audit;
  readonly reports: { isWithheld(job: string): Promise<boolean> };
  /** Whether play money pays for everything. */
  readonly inSandbox: boolean;
  /** Undefined: nobody is asked. */
  readonly moderator: Pick<Moderator, "examine"> | undefined;
  /** Opens a file that a person gave. */
  readonly openMedia: (ref: MediaRef) => Promise<Readable>;
}

/** A request, as far as the gate looks at it. */
export interface Asked {
  readonly origin: Origin;
  readonly account: Account;
  readonly tags: Tags;
  readonly operation: Pick<Operation, "id" | "agreement">;
  readonly values: Values;
  readonly wording: Wording;
  /** The pictures among the values. */
  readonly pictures: readonly MediaRef[];
  /** What is known of those. */
  readonly known: Traits;
}

/** A job that was accepted. */
export interface AcceptedJob {
  readonly job: Job;
  /** Budgets that are to be warned of now. */
  readonly warnings: readonly BudgetState[];
}

/**
 * The one gate before a job is accepted, and the one before its result is delivered: gathers what the rules look at, and
 * writes down what they decided.
 */
export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /**
   * Lets somebody in.
   * @param moderating whether they decide about what others do in a group: whoever moderates it could let themselves in again
   * @throws ReelayError `blocked`, `blocked_here`, `not_invited`
   */
  async admit(origin: Origin, moderating = false): Promise<void> {
    const { blocks, policy } = this.#parts;
    const refusal = await blocks.refusalOf(origin);
    const isTheirs = refusal === "blocked_here" && moderating && origin.moderates === true;
    if (refusal && !isTheirs) throw new ReelayError(refusal);
    if (!isInvited(origin, policy.allowed)) throw new ReelayError("not_invited");
  }

  /**
   * Lets through what may be made there at all, whatever with.
   * @throws ReelayError `operation_off`, `room_not_allowed`, `operation_not_allowed`
   */
  async admitOperation(origin: Origin, operation: string): Promise<void> {
    const { groups, policy } = this.#parts;
    const { platform, user, chat, room, roles } = origin;
    const group = await groups.of(chat);
    const place = { platform, home: platformOf(user), room, roles, operation, group };
    const refusal = refusalHere(place, policy);
    if (refusal) throw new ReelayError(refusal.code, refusal.params);
  }

  /**
   * Whether something may be made. What is refused or asked for is written down here, what is made by {@link accept}; what
   * was stated with the request counts from now on, whatever becomes of it.
   */
  async check(asked: Asked): Promise<Decision> {
    await this.agree(asked.origin, asked.origin.agreed ?? [], asked.tags);
    const decided = decide(await this.#situationOf(asked), this.#parts.policy);
    // Last, because it shows words and pictures to somebody else: nobody there needs to see what is refused anyway.
    const decision = decided.kind === "allow" ? await this.#moderate(asked) : decided;
    if (decision.kind === "refuse") await this.#write(asked, { act: "refuse", rule: decision.code });
    if (decision.kind === "ask") await this.#write(asked, { act: "ask", rule: decision.statement });
    return decision;
  }

  /**
   * What is still to be stated with a request. Nothing of it is written down, and nobody else is shown any of it.
   * @param price tokens that it would cost; null: not known
   * @throws ReelayError what refuses it
   */
  async preview(asked: Asked, price: number | null): Promise<readonly AskedStatement[]> {
    const { policy } = this.#parts;
    const situation = await this.#situationOf(asked);
    const decision = decide(situation, policy);
    if (decision.kind === "refuse") throw new ReelayError(decision.code, decision.params);
    const { budgets } = isPartner(asked.origin) ? { budgets: [] } : await this.#capsOf(asked);
    const refusal = await uncovered(this.#parts.database, asked.origin, budgets, price);
    if (refusal) throw refusal;
    const { termsUrl: url } = policy;
    return missingStatements(situation, policy).map((name) => {
      const version = versionOf(name, url);
      return name === "terms" && url !== undefined ? { name, version, url } : { name, version };
    });
  }

  /**
   * Remembers what somebody states, unless it is remembered already; what is said each time, each time.
   * @param tags says who it is of a partner's people
   */
  async agree(origin: Origin, statements: readonly StatementName[], tags?: Tags): Promise<void> {
    if (statements.length === 0) return;
    const { people, policy, audit } = this.#parts;
    const { user, platform: surface } = origin;
    const speaker = speakerOf(origin, tags);
    const person = await people.of(speaker);
    const anew = (one: StatementName) =>
      STATEMENTS[one].everyTime || !hasDeclared(person, one, policy.termsUrl);
    for (const statement of statements.filter(anew)) {
      const version = versionOf(statement, policy.termsUrl);
      await people.declare(speaker, statement, { version, at: currentTime(), surface });
      const username = tags && isPartner(origin) ? tags.inAppUsername : null;
      await audit.write({ act: "agree", user, surface, username, rule: `${statement} ${version}` });
    }
  }

  /**
   * Has a job written, together with what it counts under: of several at the same moment only as many begin as may.
   * @returns the job, and the budgets that it brought so far that they are to be warned of
   * @throws ReelayError of a cap that is reached by now, or a budget that does not cover it; `not_invited` where a partner was
   * removed meanwhile
   */
  async accept(asked: Asked, cost: Cost, write: (within: Within) => Promise<Job>): Promise<AcceptedJob> {
    const { policy } = this.#parts;
    const { warnAt } = policy.budgets;
    const caps = isPartner(asked.origin) ? undefined : await this.#capsOf(asked);
    const warned = new Map<string, readonly BudgetState[]>();
    try {
      const job = await write(async (transaction, written) => {
        const counted = caps ?? (await capsNow(transaction, asked, this.#parts));
        const { held, warnings } = await countUnder(counted, transaction, written, { cost, warnAt });
        await this.#write(asked, { act: "allow", job: written.id }, transaction);
        warned.set(written.id, warnings);
        return { held };
      });
      // Of one that the same request made before, whoever was first was told.
      return { job, warnings: warned.get(job.id) ?? [] };
    } catch (error) {
      // A second press is no request of its own.
      if (error instanceof ReelayError && error.code !== "already_begun")
        await this.#write(asked, { act: "refuse", rule: error.code });
      throw error;
    }
  }

  /** Whether mature templates have a place where somebody asks. */
  async hasMature({ user, audience, chat, roles }: Origin): Promise<boolean> {
    const { database, groups, policy } = this.#parts;
    const partner = await new PartnerBook(database).ofUser(user);
    return matureFits(audience, policy.mature, partner?.mature) && mayMature(await groups.of(chat), roles);
  }

  /** Whether a result may be shown by now, and how. */
  async release({ id, mature }: Pick<Job, "id" | "mature">): Promise<Release> {
    const { policy, reports } = this.#parts;
    if (await reports.isWithheld(id)) return { kind: "withheld" };
    return {
      kind: "deliver",
      spoiler: policy.spoiler === "always" || (policy.spoiler === "mature" && mature),
    };
  }

  async #moderate({ wording, pictures }: Asked): Promise<Decision> {
    const { moderator, openMedia, policy } = this.#parts;
    if (!moderator || !policy.moderation) return { kind: "allow" };
    const { whenDown } = policy.moderation;
    const verdict = await moderator.examine({
      text: [wording.text, wording.avoided].filter(Boolean).join("\n"),
      pictures: pictures.map((ref) => () => openMedia(ref)),
    });
    const reason = judge(verdict, { mature: wording.mature, whenDown });
    return reason ? { kind: "refuse", ...reason } : { kind: "allow" };
  }

  async #situationOf(asked: Asked): Promise<Situation> {
    const { policy, groups, blocks, people, database } = this.#parts;
    const { origin, operation, wording, known, tags } = asked;
    const { platform, audience, room, roles, chat, agreed = [] } = origin;
    const partner = await new PartnerBook(database).ofUser(origin.user);
    const name = tags.inAppUsername;
    const isBlockedThere = isPartner(origin) && (await blocks.ofPerson(origin.user, name)).length > 0;
    const full = isPartner(origin)
      ? undefined
      : await new UsageCounter(database).reached((await this.#capsOf(asked)).begun);
    return {
      ...wording,
      known,
      platform,
      home: platformOf(origin.user),
      audience,
      room,
      roles,
      operation: operation.id,
      pattern: await policy.words.findPattern(`${wording.text}\n${wording.avoided}`),
      agreement: operation.agreement,
      blocked: await blocks.has(origin),
      blockedThere: isBlockedThere ? name : undefined,
      invited: isInvited(origin, policy.allowed),
      group: await groups.of(chat),
      reached: full && reached(full),
      person: await people.of(speakerOf(origin, tags)),
      agreed,
      vouched: partner !== undefined && !partner.asksPeople,
      partnerHasMature: partner?.mature ?? false,
    };
  }

  async #capsOf({ origin, account }: Asked): Promise<JobCaps> {
    return capsOfPerson(origin, account, await this.#parts.groups.of(origin.chat), this.#parts.policy);
  }

  async #write(
    { origin, tags, operation, values }: Asked,
    entry: Pick<NewEntry, "act" | "rule" | "job">,
    transaction?: Pick<Database, "kysely">,
  ): Promise<void> {
    const { user, chat, platform: surface } = origin;
    const who = isPartner(origin) ? { username: tags.inAppUsername } : {};
    const what = { ...entry, operation: operation.id, values };
    await this.#parts.audit.write({ user, surface, ...(chat && { chat }), ...who, ...what }, transaction);
  }
}

const isPartner = ({ audience }: Origin) => audience === "partner";

/** Whose statements count: each of a partner's people speaks for themselves. */
function speakerOf(origin: Origin, tags: Tags | undefined): UserId {
  return tags && isPartner(origin) ? speakerFor(origin.user, tags.inAppUsername) : origin.user;
}

/** A partner's, read anew, because they may have just changed. */
async function capsNow(
  transaction: Pick<Database, "kysely">,
  { origin, account, tags }: Asked,
  { policy, inSandbox }: Pick<GateParts, "policy" | "inSandbox">,
): Promise<JobCaps> {
  const partner = await new PartnerBook(transaction).ofUser(origin.user);
  if (!partner) throw new ReelayError("not_invited");
  return capsOfPartner(partner, tags.inAppUsername, account, policy.budgets, inSandbox);
}
