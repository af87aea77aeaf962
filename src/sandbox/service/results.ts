import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, MiddlewareHandler } from "hono";
import { getMimeType } from "hono/utils/mime";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Result } from "../operations/operation.ts";
import type { Job } from "../records/records.ts";
import { Refusal } from "../records/refusal.ts";
import type { Env, Service } from "./service.ts";

/** What an address carries that is signed for a time; nobody checks it. */
const SIGNATURE = "?expires=4102444800&signature=c2FuZGJveA%3D%3D";

/**
 * A job's result, as its records show it.
 * @param base path of the host that was asked: `/api` or longer
 */
export function resultOf(service: Service, base: string, c: Context<Env>, job: Job): Result {
  const { operations } = service;
  const [download] = operations.of(job).own?.downloadPaths ?? [];
  return {
    url:
      download === undefined
        ? openUrl(service, new URL(c.req.url).origin, job)
        : base + download.replace(":id", job.id),
    liberties: service.liberties,
    async read() {
      const path = `/api${c.req.path.slice(base.length)}`;
      if (
        service.faults.takeUnready({ method: c.req.method, path, account: c.var.account.name }) ||
        !isReady(service, job)
      )
        throw new Error("The file is not ready.");
      return readFile(join(service.files, job.id, operations.resultFile(job)));
    },
  };
}

/** Where a result without a download path of its own is. */
function openUrl(service: Service, asked: string, job: Job): string {
  const { liberties, fileOrigin, operations } = service;
  const { resultHost, resultUrl } = liberties;
  const path = `/results/${job.id}${resultUrl === "bare" ? "" : extname(operations.resultFile(job))}`;
  if (resultHost === "other") return fileOrigin() + path + (resultUrl === "signed" ? SIGNATURE : "");
  if (resultUrl === "path") return path;
  return asked + path + (resultUrl === "signed" ? SIGNATURE : "");
}

/** Sends the result of the job that `c.var.job` is, whole or a range of it; 404 where there is none yet, or no more. */
export function sendResult(service: Service): MiddlewareHandler<Env> {
  const { operations } = service;
  const { resultType, resultLength, ranges, etag } = service.liberties;
  const send = serveStatic<Env>({
    root: service.files,
    rewriteRequestPath: (_, c) => join(c.var.job.id, operations.resultFile(c.var.job)),
  });
  const whole: MiddlewareHandler<Env> = async (c) => {
    const { job } = c.var;
    const file = await readFile(join(service.files, job.id, operations.resultFile(job))).catch(() => {
      throw new Refusal(404, "Result not found.");
    });
    c.header("content-length", String(file.length));
    c.header("content-type", getMimeType(operations.resultFile(job)) ?? "application/octet-stream");
    return c.body(new Blob([new Uint8Array(file)]).stream());
  };
  return async (c, next) => {
    const { job } = c.var;
    // A file may be there before its job has taken its time.
    if (job.status !== "COMPLETED" || !isReady(service, job)) throw new Refusal(404, "Result not found.");
    const sent = await (ranges === "taken" ? send(c, next) : whole(c, next));
    const answer = sent ?? c.res;
    if (!answer.ok) return sent;
    if (resultType === "binary") answer.headers.set("content-type", "application/octet-stream");
    if (etag === "sent") answer.headers.set("etag", `"${job.id.slice(0, 8)}"`);
    if (resultLength === "missing") {
      answer.headers.delete("content-length");
      answer.headers.set("transfer-encoding", "chunked");
    }
    return sent;
  };
}

/**
 * `/results/{job id}.{extension}`: results without a download path of their own.
 * @param own whether this is the service's own host, which may want the key and may redirect
 */
export function openResult(service: Service, own: boolean): MiddlewareHandler<Env> {
  const { accounts, counters, jobs, liberties, operations } = service;
  return (c, next) => {
    const key = c.req.header("x-api-key");
    if (!own && key !== undefined) counters.leakedKeys += 1;
    if (own && liberties.resultKey === "needed" && !accounts.byKey(key ?? ""))
      throw new Refusal(401, "Missing or invalid API key.");
    const [, id = "", extension] = /^(.+?)(\.\w+)?$/.exec(c.req.param("file") ?? "") ?? [];
    const job = jobs.get(id);
    const open = job && (operations.of(job).own?.downloadPaths ?? []).length === 0;
    const named =
      liberties.resultUrl === "bare" || (job && extname(operations.resultFile(job)) === extension);
    if (!open || !named) throw new Refusal(404, "Result not found.");
    if (own && liberties.resultHost === "redirect")
      return Promise.resolve(c.redirect(service.fileOrigin() + c.req.path + SIGNATURE, 302));
    c.set("job", job);
    return next();
  };
}

function isReady({ lags, liberties }: Service, { id, completed_at }: Job): boolean {
  return lags.isSeen(liberties.fileReady, `file ${id}`, completed_at ?? Date.now());
}
