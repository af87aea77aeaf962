import { Hono, type Context } from "hono";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { JOBS_PER_PAGE } from "../../contract.ts";
import { parseFields } from "../body.ts";
import { timestamp, tokens } from "../formats.ts";
import { guard } from "../guard.ts";
import type { Job } from "../records.ts";
import { operationOf } from "../operations/index.ts";
import { Refusal } from "../refusal.ts";
import { RESULT } from "../render/task.ts";
import type { Env, Service } from "../service.ts";

const whole = (min: number, max: number, rule: string) =>
  z.coerce.number({ error: rule }).int({ error: rule }).min(min, { error: rule }).max(max, { error: rule });

/** Query of `GET /jobs`; what else a query carries is ignored. */
const listQuery = z.object({
  page: whole(1, Number.MAX_SAFE_INTEGER, "must be a whole number from 1").default(1),
  per_page: whole(1, JOBS_PER_PAGE.max, `must be a whole number from 1 to ${JOBS_PER_PAGE.max}`).default(
    JOBS_PER_PAGE.default,
  ),
  status: z.string().toUpperCase().optional(),
});

/** Job status and management (section 4.13). */
export function jobRoutes(service: Service): Hono<Env> {
  const limited = guard(service, "status");

  const find = (c: Context<Env>): Job => {
    const job = service.jobs.find(c.var.account, c.req.param("id") ?? "");
    if (!job) throw new Refusal(404, "Job not found.");
    return job;
  };

  const record = async (c: Context<Env>) => {
    const job = find(c);
    service.counters.read(job.id);
    const result = () => readFile(join(service.files, job.id, RESULT));
    return c.json({
      job_id: job.id,
      ...summary(job),
      progress: job.progress,
      error_message: errorMessage(job),
      ...(await operationOf(job).record(job, resultUrl(c, job), result)),
    });
  };

  const list = (c: Context<Env>) => {
    const { page, per_page, status } = parseFields(listQuery, c.req.query());
    const boss = c.var.account.tier === "boss";
    const item = (job: Job) => ({
      id: job.id,
      ...summary(job),
      video_url: job.status === "COMPLETED" ? resultUrl(c, job) : null,
      ...(boss && { progress: job.progress, error_message: errorMessage(job), request: job.request }),
    });
    const jobs = service.jobs
      .of(c.var.account)
      .filter((job) => (boss || operationOf(job).listed) && (status === undefined || job.status === status));
    const total = jobs.length;
    const pages = Math.ceil(total / per_page);
    return c.json({
      jobs: jobs.slice((page - 1) * per_page, page * per_page).map(item),
      pagination: { page, pages, per_page, total, has_next: page < pages, has_prev: page > 1 },
    });
  };

  return new Hono<Env>()
    .on("GET", ["/job/:id", "/job/:id/status", "/video-audio/job/:id"], limited, record)
    .get("/jobs", limited, list)
    .get("/jobs/:id/settings", limited, (c) => {
      const job = find(c);
      const settings = operationOf(job).settings(job);
      if (!settings) throw new Refusal(404, "Only video jobs have settings.");
      return c.json({ success: true, settings });
    })
    .get("/stats", limited, (c) => {
      const jobs = service.jobs.of(c.var.account);
      const all = count(jobs);
      const ended = all.completed + all.failed;
      const types = [...new Set(jobs.map(({ type }) => type))];
      return c.json({
        total_jobs: all.total,
        completed_jobs: all.completed,
        failed_jobs: all.failed,
        pending_jobs: all.pending,
        success_rate: ended === 0 ? 0 : Math.round((all.completed / ended) * 1000) / 10,
        tokens_remaining: tokens(c.var.account.tokens),
        subscription_active: c.var.account.tier !== "standard",
        breakdown: Object.fromEntries(
          types.map((type) => [type, count(jobs.filter((j) => j.type === type))]),
        ),
      });
    });
}

/** Fields that the record and the list share. */
function summary(job: Job) {
  return {
    type: job.type,
    status: job.status,
    created_at: timestamp(job.created_at),
    started_at: timestamp(job.started_at),
    completed_at: timestamp(job.completed_at),
    token_cost: tokens(job.cost),
  };
}

/** Why a job failed; a failure that is only planned is not told. */
function errorMessage(job: Job): string | null {
  return job.status === "FAILED" ? job.failure : null;
}

function count(jobs: readonly Job[]) {
  const having = (status: string) => jobs.filter((job) => job.status === status).length;
  const [completed, failed] = [having("COMPLETED"), having("FAILED")];
  return { total: jobs.length, completed, failed, pending: jobs.length - completed - failed };
}

/** Where a result is downloaded: on the host that was asked, so that it can be reached from there. */
function resultUrl(c: Context<Env>, job: Job): string {
  return `${new URL(c.req.url).origin}/results/${job.id}.mp4`;
}
