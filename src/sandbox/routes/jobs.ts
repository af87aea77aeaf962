import { Hono, type Context } from "hono";
import { z } from "zod";
import { JOBS_PER_PAGE, LISTED_TYPES } from "../../contract.ts";
import { TIERS } from "../accounts.ts";
import { parseFields } from "../body.ts";
import { tokens } from "../formats.ts";
import { guard } from "../guard.ts";
import { operationOf } from "../operations/index.ts";
import { isUnified, type Job } from "../records.ts";
import { Refusal } from "../refusal.ts";
import { resultOf } from "../results.ts";
import type { Env, Service } from "../service.ts";
import { commonFields, errorMessage, summary } from "../shown.ts";

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

/**
 * Job status and management (section 4.13).
 * @param base path of this host: `/api` or longer
 */
export function jobRoutes(service: Service, base: string): Hono<Env> {
  const limited = guard(service, "status");

  const find = (c: Context<Env>): Job => {
    const job = service.jobs.find(c.var.account, c.req.param("id") ?? "");
    if (!job || !isUnified(job.type)) throw new Refusal(404, "Job not found.");
    return job;
  };

  const record = async (c: Context<Env>) => {
    const job = find(c);
    service.counters.read(job.id);
    const additions = await operationOf(job).record(job, resultOf(service, base, c, job));
    return c.json({ ...commonFields(job), ...additions });
  };

  const list = (c: Context<Env>) => {
    const { page, per_page, status } = parseFields(listQuery, c.req.query());
    const boss = c.var.account.tier === "boss";
    const item = (job: Job) => ({
      id: job.id,
      ...summary(job),
      [operationOf(job).format(job.request) === "mp4" ? "video_url" : "image_url"]:
        job.status === "COMPLETED" ? resultOf(service, base, c, job).url : null,
      ...(job.request.mode !== undefined && { mode: job.request.mode }),
      ...(boss && { progress: job.progress, error_message: errorMessage(job), request: job.request }),
    });
    const jobs = service.jobs
      .of(c.var.account)
      .filter((job) => (boss ? isUnified(job.type) : isListed(job)) && (status ?? job.status) === job.status);
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
      const settings = operationOf(job).settings?.(job);
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
        subscription_active: TIERS[c.var.account.tier].subscribed,
        breakdown: Object.fromEntries(
          types.map((type) => [type, count(jobs.filter((j) => j.type === type))]),
        ),
      });
    });
}

/** Whether the list shows a job to accounts other than boss. */
function isListed({ type }: Job): boolean {
  return LISTED_TYPES.some((listed) => listed === type);
}

function count(jobs: readonly Job[]) {
  const having = (status: string) => jobs.filter((job) => job.status === status).length;
  const [completed, failed] = [having("COMPLETED"), having("FAILED")];
  return { total: jobs.length, completed, failed, pending: jobs.length - completed - failed };
}
