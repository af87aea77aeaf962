import { Hono } from "hono";
import { guard } from "../service/guard.ts";
import type { Job } from "../records/records.ts";
import { Refusal } from "../records/refusal.ts";
import type { Env, Service } from "../service/service.ts";

/** Upscaling is a feature of web sessions (section 1, rule 4): no key can make such a job, so no id of one exists. */
const UPSCALE_PATH = "/image-upscale-jobs/delete/:id";

/** The delete endpoints (section 4.14). A job that still runs is stopped; what it cost stays charged. */
export function deleteRoutes(service: Service): Hono<Env> {
  const limited = guard(service, "delete");
  const remove = async (job: Job) => {
    service.jobs.remove(job);
    await service.worker.forget(job.id);
  };
  const app = new Hono<Env>().delete("/jobs/delete-all", limited, async (c) => {
    const jobs = service.jobs.of(c.var.account);
    await Promise.all(jobs.map(remove));
    return c.json({ success: true, message: `${jobs.length} jobs deleted.` });
  });
  for (const path of new Set([
    ...service.operations.all.flatMap(({ deletePaths }) => deletePaths),
    UPSCALE_PATH,
  ]))
    app.delete(path, limited, async (c) => {
      const job = service.jobs.find(c.var.account, c.req.param("id") ?? "");
      if (!job || !service.operations.of(job).deletePaths.includes(path))
        throw new Refusal(404, "Job not found.");
      await remove(job);
      return c.json({ success: true, message: "Job deleted." });
    });
  return app;
}
