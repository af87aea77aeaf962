import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, MiddlewareHandler } from "hono";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { operationOf, resultFile } from "./operations/index.ts";
import type { Result } from "./operations/operation.ts";
import type { Job } from "./records.ts";
import { Refusal } from "./refusal.ts";
import type { Env, Service } from "./service.ts";

/**
 * A job's result, as its records show it.
 * @param base path of the host that was asked: `/api` or longer
 */
export function resultOf(service: Service, base: string, c: Context<Env>, job: Job): Result {
  const file = resultFile(job);
  const [download] = operationOf(job).own?.downloadPaths ?? [];
  return {
    url:
      download === undefined
        ? `${new URL(c.req.url).origin}/results/${job.id}${extname(file)}`
        : base + download.replace(":id", job.id),
    async read() {
      const path = `/api${c.req.path.slice(base.length)}`;
      if (service.faults.takeUnready(c.req.method, path)) throw new Error("The file is not ready.");
      return readFile(join(service.files, job.id, file));
    },
  };
}

/** Sends the result of the job that `c.var.job` is, whole or a range of it; 404 where there is none yet, or no more. */
export function sendResult(service: Service): MiddlewareHandler<Env> {
  const send = serveStatic<Env>({
    root: service.files,
    rewriteRequestPath: (_, c) => join(c.var.job.id, resultFile(c.var.job)),
  });
  return (c, next) => {
    // A file may be there before its job has taken its time.
    if (c.var.job.status !== "COMPLETED") throw new Refusal(404, "Result not found.");
    return send(c, next);
  };
}

/** `/results/{job id}.{extension}`: results without a download path of their own; no key is needed. */
export function openResult(service: Service): MiddlewareHandler<Env> {
  return (c, next) => {
    const [, id = "", extension] = /^(.+)(\.\w+)$/.exec(c.req.param("file") ?? "") ?? [];
    const job = service.jobs.get(id);
    const open = job && (operationOf(job).own?.downloadPaths ?? []).length === 0;
    if (!open || extname(resultFile(job)) !== extension) throw new Refusal(404, "Result not found.");
    c.set("job", job);
    return next();
  };
}
