import { Hono } from "hono";
import { guard } from "../guard.ts";
import type { Job } from "../records.ts";
import { operationOf, OPERATIONS } from "../operations/index.ts";
import { Refusal } from "../refusal.ts";
import type { Env, Service } from "../service.ts";

/** Kinds of jobs that can be deleted but not made here: no id of theirs exists. */
const UNMADE_PATHS = [
  "/video-audio-jobs/delete/:id",
  "/vendor-h3-jobs/delete/:id",
  "/vid3-ref2v-jobs/delete/:id",
  "/image-upscale-jobs/delete/:id",
];

/** The delete endpoints (section 4.14). A job that still runs is stopped; what it cost stays charged. */
export function deleteRoutes(service: Service): Hono<Env> {
  const limited = guard(service, "delete");
  const remove = async (job: Job) => {
    service.jobs.remove(job.id);
    await service.worker.forget(job.id);
  };
  const app = new Hono<Env>().delete("/jobs/delete-all", limited, async (c) => {
    const jobs = service.jobs.of(c.var.account);
    await Promise.all(jobs.map(remove));
    return c.json({ success: true, message: `${jobs.length} jobs deleted.` });
  });
  for (const path of new Set([...OPERATIONS.flatMap(({ deletePaths }) => deletePaths), ...UNMADE_PATHS]))
    app.delete(path, limited, async (c) => {
      const job = service.jobs.find(c.var.account, c.req.param("id") ?? "");
      if (!job || !operationOf(job).deletePaths.includes(path)) throw new Refusal(404, "Job not found.");
      await remove(job);
      return c.json({ success: true, message: "Job deleted." });
    });
  return app;
}
