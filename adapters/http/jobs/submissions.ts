import { randomUUID } from "node:crypto";
import type { Quote } from "../../../src/seam/fields.ts";
import type { BudgetState } from "../../../src/seam/access/budgets.ts";
import type { JobRecord } from "../../../src/seam/access/job-record.ts";
import type { Caller } from "../../../src/seam/access/partners.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { UserId, Values } from "../../../src/seam/values.ts";
import { asReelayError, ReelayError } from "../../../src/common/errors.ts";
import type { Locale } from "../../../src/common/i18n.ts";
import type { Hold } from "../../../src/infrastructure/media/files/held-files.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { fingerprintOf } from "../body/fingerprint.ts";
import type { ReadRequest } from "../body/read-request.ts";
import { checked } from "../access/checked.ts";
import { refuseKeys } from "../access/refuse-keys.ts";
import { type Claim, Idempotency, type KeptAnswer, type Replayable } from "./idempotency.ts";
import { inputValues } from "./input-values.ts";
import { FairTurns } from "../access/fair-turns.ts";
import { addressOf, asJson, notesFor, receiptOf, requestOf } from "../resources/notes.ts";
import { wrongInput, WrongFields } from "../access/problem.ts";
import { newJobSchema, newNamedJobSchema, newQuoteSchema } from "../route/requests.ts";
import { budgetBody } from "../resources/budget.ts";
import { shownJob } from "./shown-job.ts";
import { currentTime } from "../../../src/common/time.ts";

/** Nothing waits this long: what is left of a request after it was left there by a crash, in milliseconds. */
const INPUT_MS = 30 * 24 * 3_600_000;

/** Who asks, whichever way the request came. */
export interface Asker {
  readonly caller: Caller;
  readonly user: UserId;
  /** Of sentences in the answer. */
  readonly locale: Locale;
  /** Where they reach Reelay: addresses in answers begin with it. */
  readonly base: string;
}

/** Reads what was asked for; files that come with it are stored, and held like this. */
export type ReadInput = (hold: Hold) => Promise<ReadRequest>;

/** The idempotency key of a request that has none of its own. */
export type KeyOf = (fingerprint: string) => Promise<string>;

/** How a job was accepted. */
interface AcceptedAnswer extends Replayable {
  readonly hasCallback: boolean;
}

/** What partners send in to be made, or to be priced. */
export class Submissions {
  readonly #parts: GatewayParts;
  readonly #idempotency: Idempotency;
  readonly #turns = new FairTurns();

  constructor(parts: GatewayParts) {
    this.#parts = parts;
    this.#idempotency = new Idempotency(parts.host.memory("http"));
  }

  /**
   * Accepts a job: once for a key, however often it is sent.
   * @param key of the request, or what finds it by the request's fingerprint
   * @returns the job as it was when it was accepted, and whether it has an address of its own that is told of it
   * @throws ReelayError for what is wrong, and what `Idempotency.run` says
   */
  async create(
    asker: Asker,
    { key, route }: { readonly key: string | KeyOf; readonly route: string },
    readInput: ReadInput,
  ): Promise<AcceptedAnswer> {
    return this.#withInput(asker, readInput, async (owner, read) => {
      const scope = { partner: asker.user, route, since: asker.caller.partner.createdAt };
      // Nothing is checked before: a request that was accepted gets its answer again, whatever is refused by now.
      const work = (claim: Claim) => this.#submit(asker, claim, owner, read);
      const fingerprint = fingerprintOf(read);
      const name = typeof key === "string" ? key : await key(fingerprint);
      const result = await this.#idempotency.run(scope, name, fingerprint, work);
      const hasCallback = read.fields["webhook"] !== undefined;
      return { result: { ...result, hasCallback }, needsFiles: !result.replayed };
    });
  }

  /** Prices what would be made; nothing of it is kept. */
  async quote(asker: Asker, readInput: ReadInput): Promise<Quote> {
    return this.#withInput(asker, readInput, async (owner, read) => {
      const { operation, input } = checked(newQuoteSchema, read.fields);
      const values = await this.#valuesOf(operation, input, owner, read);
      await this.#examine(originOf(asker), operation, values);
      return {
        result: await this.#parts.intake().quote(originOf(asker), operation, values),
        needsFiles: false,
      };
    });
  }

  /** Reads what was sent, with files that are held by an owner of this request's own until nobody needs them. */
  async #withInput<T>(
    { caller, user }: Asker,
    readInput: ReadInput,
    use: (owner: string, read: ReadRequest) => Promise<{ result: T; needsFiles: boolean }>,
  ): Promise<T> {
    const owner = `${user} input ${randomUUID()}`;
    const { held, partners } = this.#parts.forPartners;
    try {
      // Its bytes come when they come: nobody's turn is held for them.
      const read = await readInput({ owner, until: currentTime() + INPUT_MS });
      // By then they may have been removed, and others may have their name.
      if (!(await partners.isGood(caller))) throw new ReelayError("token_invalid");
      const { result, needsFiles } = await this.#turns.run(user, async () => {
        const names = [...read.files.values()].map(({ name = "" }) => name);
        await refuseKeys(this.#parts.intake().keys, { ...read.fields, files: names });
        return use(owner, read);
      });
      if (!needsFiles) await held.release(owner);
      return result;
    } catch (error) {
      // Where the mistake is ours, a job may have been accepted that needs them.
      if (asReelayError(error).code !== "internal") await held.release(owner);
      throw error;
    }
  }

  /**
   * @param claim where its answer is kept
   * @param owner who holds its files
   */
  async #submit(asker: Asker, claim: Claim, owner: string, read: ReadRequest): Promise<KeptAnswer> {
    const { intake, forPartners } = this.#parts;
    const { user, caller, base, locale } = asker;
    const { partner } = caller;
    const schema = partner.asksPeople ? newNamedJobSchema : newJobSchema;
    const { operation, input, ...said } = checked(schema, read.fields);
    const values = await this.#valuesOf(operation, input, owner, read);
    if (said.webhook) forPartners.webhooks.checkUrl(said.webhook.url);
    const { platform = partner.platform, in_app_username: inAppUsername, agreed, metadata, webhook } = said;
    const { name: answer, request } = claim;
    const files = hasFiles(values) ? owner : undefined;
    const origin = {
      ...originOf(asker),
      address: addressOf({ user, files, answer, base, metadata, callback: webhook }),
      ...(request !== undefined && { request }),
      agreed,
      tags: { platform, ...(inAppUsername !== undefined && { inAppUsername }) },
    };
    await this.#examine(origin, operation, values);
    const answerOf = async (record: JobRecord): Promise<KeptAnswer> => {
      const body = await shownJob(this.#parts, record, locale);
      return { status: 202, headers: { Location: `/v1/jobs/${record.id}` }, body: asJson(body) };
    };
    let kept: KeptAnswer | undefined;
    const record = await intake().jobs.submit(
      origin,
      operation,
      values,
      async (written, memory, within) => {
        kept = await answerOf(written);
        await claim.keep(kept, memory);
        const event = {
          user,
          job: written.id,
          type: "job.progress",
          data: kept.body,
          callback: webhook,
        } as const;
        const isShown = await forPartners.events.begin(event, within);
        return { receipt: receiptOf(notesFor({ user, answer }, written.id)), isShown };
      },
      (budget) => this.#warn(asker, origin, budget),
    );
    // What an earlier version accepted has files of its own.
    if (files !== undefined && requestOf(record.address).files !== files)
      await forPartners.held.release(owner);
    return kept ?? answerOf(record);
  }

  /** Tells a partner of a budget that is spent for the most part. */
  async #warn({ user }: Asker, { tags }: Origin, budget: BudgetState): Promise<void> {
    const { forPartners } = this.#parts;
    const data = asJson(budgetBody(budget, tags?.inAppUsername ?? null));
    await forPartners.events.warn(user, "budget.warning", data);
  }

  /** @throws WrongFields naming every field whose files can never be sent */
  async #examine(origin: Origin, operation: string, values: Values): Promise<void> {
    const intake = this.#parts.intake();
    const { fields } = intake.jobs.operation(operation);
    const problems = await intake.examine(origin, fields, values);
    if (problems.length > 0) throw new WrongFields(problems.map((problem) => wrongInput(problem, fields)));
  }

  /** @throws WrongFields naming every field of the input that is wrong */
  async #valuesOf(
    operation: string,
    input: Parameters<typeof inputValues>[0],
    owner: string,
    read: ReadRequest,
  ): Promise<Values> {
    const { jobs } = this.#parts.intake();
    const { fields } = jobs.operation(operation);
    const hold = { owner, until: currentTime() + INPUT_MS };
    const { held } = this.#parts.forPartners;
    const { values, wrong } = await inputValues(input, { fields, read, held, hold });
    const checks = jobs.check(operation, values);
    const others = checks.map((problem) => wrongInput(problem, fields));
    const all = [...wrong, ...others.filter(({ field }) => !wrong.some((one) => one.field === field))];
    if (all.length > 0) throw new WrongFields(all);
    return values;
  }
}

const hasFiles = (values: Values) => Object.values(values).some((value) => typeof value === "object");

/** Nothing is ever delivered there; where a job is to be, its address says. */
export function originOf({ user, locale }: Pick<Asker, "user" | "locale">): Origin {
  return { platform: "http", user, address: {}, locale, audience: "partner" };
}
