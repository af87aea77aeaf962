import type { Database } from "../../infrastructure/storage/database.ts";
import type { JobStep } from "../../seam/access/console.ts";
import type { Attempt } from "../../seam/access/webhooks.ts";
import type { Audit } from "../audit/audit.ts";
import type { Job } from "../jobs/job.ts";

/** More than anything adds to one job. */
const MOST_LINES = 200;

/** The times that a job keeps itself, by what happened then. */
const OWN_STEPS = {
  created: "createdAt",
  submitted: "submittedAt",
  lost: "lostAt",
  accepted: "acceptedAt",
  ended: "endedAt",
  told: "deliveredAt",
} as const satisfies Record<string, keyof Job>;

/** A message to a partner, as far as it is read here. */
interface MessageRow {
  readonly type: string;
  readonly url: string;
  /** JSON of attempts. */
  readonly attempts: string;
  readonly created_at: number;
}

/** Everything that is known of a job's life, the oldest first: from the ledger, the audit, events and messages to partners. */
export async function timeLineOf(
  job: Job,
  database: Pick<Database, "kysely">,
  audit: Pick<Audit, "read">,
): Promise<readonly JobStep[]> {
  const { kysely } = database;
  const [lines, events, messages] = await Promise.all([
    audit.read({ job: job.id, limit: MOST_LINES }),
    kysely.selectFrom("job_events").select(["type", "at"]).where("job", "=", job.id).orderBy("id").execute(),
    kysely
      .selectFrom("webhook_deliveries")
      .select(["type", "url", "attempts", "created_at"])
      .where("job", "=", job.id)
      .orderBy("seq")
      .limit(MOST_LINES)
      .execute(),
  ]);
  const steps: JobStep[] = [
    ...ownSteps(job),
    ...lines.map(({ at, act, user, rule, content }): JobStep => {
      // What people wrote is covered; a note is an operator's.
      const words = act === "note" ? textOf(content) : (rule ?? "");
      return { at, from: "audit", what: act, detail: [user ?? "", words].filter(Boolean).join(" · ") };
    }),
    ...events.map(({ at, type }): JobStep => ({ at, from: "event", what: type, detail: "" })),
    ...messages.flatMap(messageSteps),
  ];
  return steps.sort((a, b) => a.at - b.at);
}

/** A message to a partner, and each try to deliver it. */
function messageSteps({ type, url, attempts, created_at }: MessageRow): readonly JobStep[] {
  const { host } = new URL(url);
  const tries = (JSON.parse(attempts) as readonly Attempt[]).map(({ at, status, error }): JobStep => {
    const detail = [host, status ?? error ?? ""].filter((part) => part !== "").join(" · ");
    return { at, from: "webhook", what: type, detail };
  });
  return [{ at: created_at, from: "webhook", what: type, detail: host }, ...tries];
}

function ownSteps(job: Job): readonly JobStep[] {
  return Object.entries(OWN_STEPS).flatMap(([what, column]): JobStep[] => {
    const at = job[column];
    if (at === null) return [];
    const detail = what === "ended" ? [job.state, job.error?.code ?? ""].filter(Boolean).join(" · ") : "";
    return [{ at, from: "job", what, detail }];
  });
}

const textOf = (content: unknown) =>
  typeof content === "object" && content !== null && "note" in content ? String(content.note) : "";
