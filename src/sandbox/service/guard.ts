import type { Context, MiddlewareHandler } from "hono";
import { RATE_LIMIT_MESSAGE } from "../../common/contract.ts";
import type { SandboxGroup } from "./rates.ts";
import type { Job } from "../records/records.ts";
import { Refusal } from "../records/refusal.ts";
import type { Env, Service } from "./service.ts";

/**
 * Lets a request through when its rate group has room (section 8.1) and its key is known (section 5).
 * Requests with an unknown key count for their IP alone.
 */
export function guard(service: Service, group: SandboxGroup): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { rates, counters } = service;
    const account = accountOf(service, c);
    const ip = `ip ${c.env.incoming.socket.remoteAddress}`;
    counters.request(group);
    if (!rates.take(group, account ? [ip, `account ${account.id}`] : [ip])) {
      counters.rejected.rate += 1;
      throw new Refusal(429, RATE_LIMIT_MESSAGE);
    }
    if (!account) throw new Refusal(401, "Missing or invalid API key.");
    c.set("account", account);
    await next();
  };
}

/**
 * Finds a job of whoever asks, where this host knows it by now (section 4.13).
 * @throws Refusal 404
 */
export function knownJob({ jobs, lags, liberties }: Service, c: Context<Env>, full: boolean): Job {
  const job = jobs.find(c.var.account, c.req.param("id") ?? "");
  const here = job && (liberties.hostJobs === "known" || isOfHost(job, full));
  if (!here || !lags.isSeen(liberties.newJob, `job ${job.id}`, job.created_at))
    throw new Refusal(404, "Job not found.");
  return job;
}

/** Whether a job was accepted by a host. */
export function isOfHost({ host }: Job, full: boolean): boolean {
  return (host === "full-catalog") === full;
}

/** For paths that do not exist: 401 without a key, else 404. */
export function unknownPath(service: Service, c: Context<Env>): never {
  throw accountOf(service, c)
    ? new Refusal(404, `Not found: ${c.req.method} ${c.req.path}`)
    : new Refusal(401, "Missing or invalid API key.");
}

function accountOf(service: Service, c: Context<Env>) {
  const key = c.req.header("x-api-key");
  return key ? service.accounts.byKey(key) : undefined;
}
