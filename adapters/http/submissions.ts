import { randomUUID } from "node:crypto";
import type { CommandSpec } from "../../src/chat/fields.ts";
import type { Origin } from "../../src/chat/surface.ts";
import type { Values } from "../../src/chat/values.ts";
import { ReelayError } from "../../src/errors.ts";
import type { GatewayParts } from "./app.ts";
import { fingerprintOf } from "./body/fingerprint.ts";
import { type ReadRequest, readRequest } from "./body/read-request.ts";
import { checked } from "./checked.ts";
import { checkedKey, Idempotency, type Kept } from "./idempotency.ts";
import { inputValues } from "./input-values.ts";
import { addressOf, asJson, requestOf } from "./notes.ts";
import { wrongInput, WrongFields } from "./problem.ts";
import { newJobSchema, newQuoteSchema } from "./requests.ts";
import { jobBody } from "./resources/job.ts";
import type { OwnCall } from "./route.ts";

/** Nothing waits this long: what is left of a request after it was left there by a crash, in milliseconds. */
const INPUT_MS = 30 * 24 * 3_600_000;

/** What partners send in to be made, or to be priced. */
export class Submissions {
  readonly #parts: GatewayParts;
  readonly #idempotency: Idempotency;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
    this.#idempotency = new Idempotency(parts.host.memory("http"));
  }

  /** Accepts a job: once for a key, however often it is sent. */
  async create(call: OwnCall): Promise<Response> {
    const { c, user } = call;
    // Before anything is read: without a key nothing of it would be used.
    const key = checkedKey(c.req.header("idempotency-key"));
    return this.#withInput(call, async (owner, read) => {
      const { operation, input, ...said } = checked(newJobSchema, read.fields);
      const values = await this.#valuesOf(operation, input, owner, read);
      if (said.webhook) this.#parts.forPartners.webhooks.checkUrl(said.webhook.url);
      const scope = { partner: user, route: "POST /v1/jobs" };
      const work = (request: string) => this.#submit(call, { request, owner, operation, values, said });
      const { body, headers, replayed } = await this.#idempotency.run(scope, key, fingerprintOf(read), work);
      if (replayed) c.header("Idempotency-Replayed", "true");
      return { response: c.json(body, 202, headers), needsFiles: !replayed };
    });
  }

  /** Prices what would be made; nothing of it is kept. */
  async quote(call: OwnCall): Promise<Response> {
    return this.#withInput(call, async (owner, read) => {
      const { operation, input } = checked(newQuoteSchema, read.fields);
      const values = await this.#valuesOf(operation, input, owner, read);
      const quote = await this.#parts.intake().quote(originOf(call), operation, values);
      return { response: call.c.json(quote), needsFiles: false };
    });
  }

  /** Reads what was sent, with files that are held by an owner of this request's own until nobody needs them. */
  async #withInput(
    { c, user }: OwnCall,
    use: (owner: string, read: ReadRequest) => Promise<{ response: Response; needsFiles: boolean }>,
  ): Promise<Response> {
    const { held } = this.#parts.forPartners;
    const owner = `${user} input ${randomUUID()}`;
    let needed = false;
    try {
      const read = await readRequest(c.req.raw, held, { owner, until: Date.now() + INPUT_MS });
      const { response, needsFiles } = await use(owner, read);
      needed = needsFiles;
      return response;
    } finally {
      if (!needed) await held.release(owner);
    }
  }

  async #submit(call: OwnCall, { request, owner, operation, values, said }: Submission): Promise<Kept> {
    const { intake, host, forPartners, links } = this.#parts;
    const { partner } = call.caller;
    const { platform = partner.platform, in_app_username: inAppUsername, metadata, webhook } = said;
    const base = host.config.publicUrl ?? new URL(call.c.req.url).origin;
    const address = addressOf({ user: call.user, files: owner, base, metadata, callback: webhook });
    const origin = {
      ...originOf(call),
      address,
      request,
      tags: { platform, ...(inAppUsername !== undefined && { inAppUsername }) },
    };
    const record = await intake().jobs.submit(origin, operation, values);
    // After a crash the same request comes again, with files of its own: the job has those of the first time.
    if (requestOf(record.address).files !== owner) await forPartners.held.release(owner);
    const body = await jobBody(record, (file) => links.make(file), call.locale);
    return { status: 202, headers: { Location: `/v1/jobs/${record.id}` }, body: asJson(body) };
  }

  /** @throws WrongFields naming every field of the input that is wrong */
  async #valuesOf(
    operation: string,
    input: Parameters<typeof inputValues>[0],
    owner: string,
    read: ReadRequest,
  ): Promise<Values> {
    const { fields } = this.#specOf(operation);
    const hold = { owner, until: Date.now() + INPUT_MS };
    const { held } = this.#parts.forPartners;
    const { values, wrong } = await inputValues(input, { fields, read, held, hold });
    const checks = this.#parts.intake().jobs.check(operation, values);
    const others = checks.map((problem) => wrongInput(problem, fields));
    const all = [...wrong, ...others.filter(({ field }) => !wrong.some((one) => one.field === field))];
    if (all.length > 0) throw new WrongFields(all);
    return values;
  }

  #specOf(operation: string): CommandSpec {
    const specs = this.#parts.intake().commands.filter(({ kind }) => kind === "operation");
    const spec = specs.find(({ name }) => name === operation);
    if (!spec) throw new ReelayError("unknown_command", { name: operation });
    return spec;
  }
}

/** A request that is about to become a job. */
interface Submission {
  /** The same when it comes again after a crash. */
  readonly request: string;
  /** Who holds its files. */
  readonly owner: string;
  readonly operation: string;
  readonly values: Values;
  readonly said: Omit<ReturnType<typeof newJobSchema.parse>, "operation" | "input">;
}

function originOf({ user, locale }: OwnCall): Origin {
  return { platform: "http", user, address: {}, locale, audience: "partner" };
}
