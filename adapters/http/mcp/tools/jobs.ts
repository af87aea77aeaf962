import { z } from "zod";
import type { GatewayParts } from "../../jobs/gateway-parts.ts";
import type { JobBody } from "../../resources/job.ts";
import { shownJob } from "../../jobs/shown-job.ts";
import { isOver, jobResult, type LinkTo } from "../session/results.ts";
import { type Tool, tool, type ToolCall } from "../session/tool.ts";
import { untilEnded } from "../../jobs/until-ended.ts";

/** Clients give a call up after a minute, as a rule. */
export const WAIT_S = { usual: 50, longest: 59 } as const;

const job = z.string().min(1).max(64).meta({ description: "The job's id.", example: "0mwprskck334cb5f05e" });

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
  await untilEnded(parts.forPartners.events, id, { signal, hear: async (step) => call.progress?.(step) });
  return readJob(parts, id, call);
}

/** Jobs, looked at. */
export function jobTools(parts: GatewayParts, linkTo: LinkTo): readonly Tool[] {
  return [
    tool(
      {
        name: "status",
        title: "Read a job",
        description: "The job as it is now, with links to its files once it is completed. Costs nothing.",
        scope: "jobs:read",
        changes: false,
        schema: z.strictObject({ job }),
      },
      async ({ job: id }, call) => jobResult(await readJob(parts, id, call), linkTo),
    ),
    tool(
      {
        name: "wait",
        title: "Wait for a job",
        description:
          "Answers as soon as the job has ended, else after `seconds` with its state: then call it again. Making something takes from some seconds to some minutes. Costs nothing.",
        scope: "jobs:read",
        changes: false,
        schema: z.strictObject({
          job,
          seconds: z
            .number()
            .min(0)
            .max(WAIT_S.longest)
            .default(WAIT_S.usual)
            .meta({ example: WAIT_S.usual }),
        }),
      },
      async ({ job: id, seconds }, call) => jobResult(await waitFor(parts, id, seconds, call), linkTo),
    ),
  ];
}
