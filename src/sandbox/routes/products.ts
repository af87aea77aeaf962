import { Hono, type MiddlewareHandler } from "hono";
import { guard, knownJob } from "../service/guard.ts";
import type { OwnStatus } from "../operations/operation.ts";
import { Refusal } from "../records/refusal.ts";
import { resultOf, sendResult } from "../service/results.ts";
import type { Env, Service } from "../service/service.ts";

/**
 * Status and downloads that single products have of their own (sections 4.7 to 4.10).
 * @param base path of this host: `/api` or longer
 * @param full whether this is the full-catalogue host
 */
export function productRoutes(service: Service, base: string, full: boolean): Hono<Env> {
  const limited = guard(service, "status");
  const app = new Hono<Env>();
  for (const path of allPaths(service, "paths"))
    app.get(path, limited, find(service, "paths", path, full), async (c) => {
      const { job } = c.var;
      service.counters.read(job.id);
      return c.json(await service.operations.of(job).own?.record(job, resultOf(service, base, c, job)));
    });
  for (const path of allPaths(service, "downloadPaths"))
    app.get(path, limited, find(service, "downloadPaths", path, full), sendResult(service));
  return app;
}

type Kind = keyof Pick<OwnStatus, "paths" | "downloadPaths">;

/** Every path of a kind, once: two operations that make one type share theirs. */
function allPaths(service: Service, kind: Kind): ReadonlySet<string> {
  return new Set(service.operations.all.flatMap(({ own }) => own?.[kind] ?? []));
}

/** Finds the job that a path names; it has to be of an operation that has this path. */
function find(service: Service, kind: Kind, path: string, full: boolean): MiddlewareHandler<Env> {
  return async (c, next) => {
    const job = knownJob(service, c, full);
    if (!service.operations.of(job).own?.[kind].includes(path)) throw new Refusal(404, "Job not found.");
    c.set("job", job);
    await next();
  };
}
