import { z } from "zod";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { JobRecord } from "../../../src/seam/access/job-record.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { saveAs } from "../../../src/infrastructure/media/files/serve.ts";
import { checkedQuery } from "../access/checked.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { serveResult } from "../jobs/serve-result.ts";
import { shownJob } from "../jobs/shown-job.ts";
import { type JobBody, mediaAt } from "../resources/job.ts";
import { firstPage } from "../resources/list.ts";
import { idOf, type OwnCall } from "../route/route.ts";
import { operationsIn } from "../route/operations.ts";
import { jobQuerySchema, removalQuerySchema } from "../route/requests.ts";
import { isFilm } from "./endpoints.ts";
import { sizeOf } from "./size.ts";

const listQuery = z.strictObject({
  limit: jobQuerySchema.shape.limit,
  after: z
    .string()
    .regex(/^[0-9a-z]{9}[0-9a-f]{10}$/, { error: "`last_id` of the page before" })
    .optional(),
  order: z.literal("desc").optional(),
});

const contentQuery = z.strictObject({ variant: z.literal("video").optional() });

/** Films as OpenAI's programs see them. */
export class Videos {
  readonly #parts: GatewayParts;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  /** @throws ReelayError `not_found`, also for what is no film */
  async read(call: OwnCall, id: string): Promise<Response> {
    return call.c.json(await this.#shown(call, await this.#find(call, id)));
  }

  /** Newest first. */
  async list(call: OwnCall): Promise<Response> {
    const { limit, after } = checkedQuery(listQuery, call.c);
    const operation = this.#films().map(({ name }) => name);
    const query = { before: after, operation, limit: limit + 1 };
    const found = await this.#parts.intake().jobs.list(call.user, query);
    const { page, next } = firstPage(found, limit);
    const data = await Promise.all(page.map((record) => this.#shown(call, record)));
    const [first_id, last_id] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
    return call.c.json({ object: "list", data, first_id, last_id, has_more: next !== null });
  }

  /** @throws ReelayError as for a result under `/v1` */
  async content(call: OwnCall): Promise<Response> {
    const { c } = call;
    checkedQuery(contentQuery, c);
    const { file, type, name } = mediaAt(await this.#find(call, idOf(call)), 0);
    const headers = { "Content-Type": type, "Content-Disposition": saveAs(name) };
    return serveResult(c, this.#parts.forPartners.held, file, headers);
  }

  /** @throws ReelayError as for a job under `/v1` */
  async remove(call: OwnCall): Promise<Response> {
    const { here } = checkedQuery(removalQuerySchema, call.c);
    const { id } = await this.#find(call, idOf(call));
    await this.#parts.intake().jobs.remove(call.user, id, here === "true" ? "here" : "everywhere");
    return call.c.json({ id, object: "video.deleted", deleted: true });
  }

  #films(): readonly CommandSpec[] {
    return operationsIn(this.#parts.intake().commands).filter(isFilm);
  }

  async #find({ user }: OwnCall, id: string): Promise<JobRecord> {
    const record = await this.#parts.intake().jobs.find(user, id);
    if (!this.#films().some(({ name }) => name === record.operation)) throw new ReelayError("not_found");
    return record;
  }

  async #shown({ locale }: OwnCall, record: JobRecord) {
    const body = await shownJob(this.#parts, record, locale);
    const fields = this.#films().find(({ name }) => name === record.operation)?.fields ?? [];
    const { values } = record;
    const { prompt = null, duration } = values;
    return {
      id: body.id,
      object: "video",
      model: body.operation,
      status: STATUS[body.status],
      progress: body.progress ?? 0,
      prompt,
      seconds: typeof duration === "number" ? String(duration) : "",
      size: sizeOf(fields, values),
      created_at: secondsOf(body.created_at),
      completed_at: body.status === "completed" ? secondsOf(body.ended_at) : null,
      expires_at: secondsOf(body.media[0]?.expires_at ?? null),
      error: errorOf(body),
      remixed_from_video_id: null,
    };
  }
}

const STATUS = {
  queued: "queued",
  running: "in_progress",
  completed: "completed",
  failed: "failed",
  cancelled: "failed",
} as const satisfies Record<JobBody["status"], string>;

const secondsOf = (iso: string | null) => (iso === null ? null : Math.floor(Date.parse(iso) / 1_000));

function errorOf({ status, error }: JobBody) {
  if (error) return { code: error.code, message: error.detail };
  return status === "cancelled" ? { code: "cancelled", message: "Cancelled." } : null;
}
