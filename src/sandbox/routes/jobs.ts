import { Hono, type Context } from "hono";
import { z } from "zod";
import { JOBS_PER_PAGE, LISTED_TYPES } from "../../common/contract.ts";
import { TIERS, type Account } from "../records/accounts.ts";
import { parseFields } from "../records/body.ts";
import { tokens } from "../records/formats.ts";
import { guard, isOfHost, knownJob } from "../service/guard.ts";
import { shownStatus } from "../service/dress.ts";
import { lagMs } from "../liberties/lags.ts";
import type { Liberties } from "../liberties/liberties.ts";
import { isUnified, type Job } from "../records/records.ts";
import { Refusal } from "../records/refusal.ts";
import { resultOf } from "../service/results.ts";
import type { Env, Service } from "../service/service.ts";
import { commonFields, errorMessage, summary } from "../records/shown.ts";

const whole = (min: number, max: number, rule: string) =>
  z.coerce.number({ error: rule }).int({ error: rule }).min(min, { error: rule }).max(max, { error: rule });

/** Query of `GET /jobs`; what else a query carries is ignored. */
const listQuery = z.object({
  page: whole(1, Number.MAX_SAFE_INTEGER, "must be a whole number from 1").default(1),
  per_page: whole(1, JOBS_PER_PAGE.max, `must be a whole number from 1 to ${JOBS_PER_PAGE.max}`).default(
    JOBS_PER_PAGE.default,
  ),
  status: z.string().optional(),
});

const nearest = (max: number) =>
  z.coerce.number().transform((n) => Math.min(max, Math.max(1, Math.trunc(n))));

/** The same where what is out of bounds is not refused. */
const clampedQuery = listQuery.extend({
  page: nearest(Number.MAX_SAFE_INTEGER).default(1),
  per_page: nearest(JOBS_PER_PAGE.max).default(JOBS_PER_PAGE.default),
});

/**
 * Job status and management (section 4.13).
 * @param base path of this host: `/api` or longer
 * @param full whether this is the full-catalogue host
 */
export function jobRoutes(service: Service, base: string, full: boolean): Hono<Env> {
  const limited = guard(service, "status");
  const { liberties, lags } = service;

  const find = (c: Context<Env>): Job => {
    const job = knownJob(service, c, full);
    if (!isUnified(job.type)) throw new Refusal(404, "Job not found.");
    return job;
  };

  const record = async (c: Context<Env>) => {
    const job = find(c);
    service.counters.read(job.id);
    const additions = await service.operations.of(job).record(job, resultOf(service, base, c, job));
    return c.json({ ...commonFields(job), ...additions });
  };

  const list = (c: Context<Env>) => {
    const { page, per_page, status } = parseFields(
      liberties.perPage === "clamped" ? clampedQuery : listQuery,
      c.req.query(),
    );
    const boss = c.var.account.tier === "boss";
    const item = (job: Job) => ({
      id: job.id,
      ...summary(job),
      [service.operations.of(job).format(job.request) === "mp4" ? "video_url" : "image_url"]:
        job.status === "COMPLETED" ? resultOf(service, base, c, job).url : null,
      ...(job.request.mode !== undefined && { mode: job.request.mode }),
      ...(boss && { progress: job.progress, error_message: errorMessage(job), request: job.request }),
    });
    const shows = listedTo(c.var.account, liberties);
    const jobs = inOrder(service.jobs.of(c.var.account), liberties).filter(
      (job) =>
        shows(job) &&
        (liberties.hostJobs === "known" || isOfHost(job, full)) &&
        hasStatus(job, status, liberties) &&
        lags.isSeen(liberties.listLag, `listed ${job.id}`, job.created_at),
    );
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
      const settings = service.operations.of(job).settings?.(job, liberties);
      if (!settings) throw new Refusal(404, "Only video jobs have settings.");
      return c.json({ success: true, settings });
    })
    .get("/stats", limited, (c) => {
      const counted = Date.now() - lagMs(liberties.statsLag, service.timeScale);
      const jobs = service.jobs.of(c.var.account).filter(({ created_at }) => created_at <= counted);
      const all = count(jobs);
      const ended = all.completed + all.failed;
      const types = [...new Set(jobs.map(({ type }) => type))].filter(
        (type) => liberties.statsTypes === "all" || isUnified(type),
      );
      return c.json({
        total_jobs: all.total,
        completed_jobs: all.completed,
        failed_jobs: all.failed,
        pending_jobs: all.pending,
        success_rate: ended === 0 ? 0 : Math.round((all.completed / ended) * 1000) / 10,
        tokens_remaining: tokens(service.accounts.shownBalance(c.var.account)),
        subscription_active: TIERS[c.var.account.tier].subscribed,
        breakdown: Object.fromEntries(
          types.map((type) => [type, count(jobs.filter((j) => j.type === type))]),
        ),
      });
    });
}

/** What the list shows to an account: to standard users, the three types only (section 4.13). */
function listedTo({ tier }: Account, { listed }: Liberties): (job: Job) => boolean {
  if (tier !== "standard" && listed === "all") return () => true;
  const all = tier === "boss" || (tier !== "standard" && listed === "unified");
  return all ? ({ type }) => isUnified(type) : ({ type }) => LISTED_TYPES.some((one) => one === type);
}

function inOrder(newestFirst: readonly Job[], { listOrder }: Liberties): readonly Job[] {
  if (listOrder === "newest") return newestFirst;
  return listOrder === "oldest"
    ? newestFirst.toReversed()
    : newestFirst.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function hasStatus(job: Job, asked: string | undefined, liberties: Liberties): boolean {
  const shown = shownStatus(job.status, job.progress, liberties);
  return asked === undefined || shown === (liberties.statusFilter === "exact" ? asked : asked.toUpperCase());
}

function count(jobs: readonly Job[]) {
  const having = (status: string) => jobs.filter((job) => job.status === status).length;
  const [completed, failed] = [having("COMPLETED"), having("FAILED")];
  return { total: jobs.length, completed, failed, pending: jobs.length - completed - failed };
}
