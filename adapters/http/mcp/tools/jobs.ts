import { z } from "zod";
import type { GatewayParts } from "../../jobs/gateway-parts.ts";
import { isOver, type JobBody, jobSchema } from "../../resources/job.ts";
import { firstPage } from "../../resources/list.ts";
import { jobQuerySchema } from "../../route/requests.ts";
import { shownJob } from "../../jobs/shown-job.ts";
import { factsResult, jobFacts, jobResult, type LinkTo, sentenceOf } from "../session/results.ts";
import { type Tool, tool, type ToolCall } from "../session/tool.ts";
import { followJob } from "../../jobs/follow-job.ts";

/** Clients give a call up after a minute, as a rule. */
export const WAIT_S = { usual: 50, longest: 59 } as const;

const job = z.string().min(1).max(64).meta({ description: "The job's id." });

const query = jobQuerySchema.shape;

const listedSchema = z.object({
  data: z.array(jobSchema.pick({ id: true, operation: true, status: true, created_at: true })),
  next_cursor: z.string().nullable(),
});

/** Reads a job of whoever calls. @throws ReelayError `not_found` */
export async function readJob(parts: GatewayParts, id: string, { asker }: ToolCall): Promise<JobBody> {
  return shownJob(parts, await parts.intake().jobs.find(asker.user, id), asker.locale);
}

/** A job when it has ended, or as it is after so many seconds. */
export async function waitFor(
  parts: GatewayParts,
  id: string,
  seconds: number,
  call: ToolCall,
): Promise<JobBody> {
  const now = await readJob(parts, id, call);
  if (isOver(now)) return now;
  await call.progress?.(now);
  const signal = AbortSignal.any([call.signal, parts.stopped, AbortSignal.timeout(seconds * 1000)]);
  await followJob(parts.forPartners.events, id, {
    signal,
    hear: async ({ type, data }) => {
      // What was told is what `jobBody` made.
      if (type === "job.progress") await call.progress?.(data as unknown as JobBody);
    },
  });
  return readJob(parts, id, call);
}

/** Jobs, looked at. */
export function jobTools(parts: GatewayParts, linkTo: LinkTo): readonly Tool[] {
  return [
    tool(
      {
        name: "status",
        title: "Read a job",
        description: "The job as it is now, with links to its files once it is completed.",
        scope: "jobs:read",
        changes: false,
        extra: true,
        schema: z.strictObject({ job }),
        facts: jobFacts,
      },
      async ({ job: id }, call) => jobResult(await readJob(parts, id, call), linkTo),
    ),
    tool(
      {
        name: "wait",
        title: "Wait for a job",
        description:
          "Answers when the job has ended, with links to its files, else after `seconds`: then call it again. It may take minutes.",
        scope: "jobs:read",
        changes: false,
        schema: z.strictObject({
          job,
          seconds: z.number().min(0).max(WAIT_S.longest).default(WAIT_S.usual),
        }),
        facts: jobFacts,
      },
      async ({ job: id, seconds }, call) => jobResult(await waitFor(parts, id, seconds, call), linkTo),
    ),
    tool(
      {
        name: "list",
        title: "List jobs",
        description: "Your jobs, newest first.",
        scope: "jobs:read",
        changes: false,
        schema: z.strictObject({ limit: query.limit, cursor: query.cursor, status: query.status }),
        facts: listedSchema,
      },
      async ({ limit, cursor: before, status }, { asker: { user, locale } }) => {
        const found = await parts.intake().jobs.list(user, { before, status, limit: limit + 1 });
        const { page, next } = firstPage(found, limit);
        const jobs = await Promise.all(page.map((record) => shownJob(parts, record, locale)));
        const lines = jobs.map((one) => `${one.operation}: ${sentenceOf(one)}`);
        const data = jobs.map(({ id, operation, status: now, created_at }) => ({
          id,
          operation,
          status: now,
          created_at,
        }));
        return factsResult(lines.join("\n") || "There are none.", { data, next_cursor: next });
      },
    ),
    tool(
      {
        name: "cancel",
        title: "Cancel a job",
        description: "Takes a job out of the queue, before it costs anything. What has ended stays as it is.",
        scope: "jobs:write",
        changes: true,
        schema: z.strictObject({ job }),
        facts: jobSchema.pick({ id: true, status: true, cost: true }),
      },
      async ({ job: id }, call) => {
        const { user, locale } = call.asker;
        return jobResult(await shownJob(parts, await parts.intake().jobs.cancel(user, id), locale), linkTo);
      },
    ),
  ];
}
