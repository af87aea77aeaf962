import { z } from "zod";
import {
  JOB_STATUSES,
  type JobPhase,
  type JobRecord,
  MOST_AHEAD,
} from "../../../src/seam/access/job-record.ts";
import { isMediaRef, type MediaRef, type Value, type Values } from "../../../src/seam/values.ts";
import { decimal } from "../../../src/seam/amounts.ts";
import { type Json, wellFormed } from "../../../src/common/json.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { sayToProgram } from "../../../src/seam/text/say.ts";
import type { TokenMode } from "../../../src/seam/access/partners.ts";
import { type Locale, translator } from "../../../src/common/i18n.ts";
import { pageSchema } from "./list.ts";
import { type KeptResult, type Notes, notesOf, requestOf } from "./notes.ts";
import { currentTime } from "../../../src/common/time.ts";

const at = () => z.iso.datetime();
/** Where a job is, more finely than its status says. */
const PHASES = [
  "queued",
  "unreachable",
  "submitting",
  "checking",
  "running",
  "sending",
  "awaiting_file",
  "awaiting_check",
  "awaiting_key",
  "awaiting_record",
  "awaiting_operator",
  "completed",
  "failed",
  "cancelled",
] as const;

const mediaSchema = z
  .object({
    kind: z.enum(["video", "image"]),
    type: z.string().meta({ example: "video/mp4" }),
    bytes: z.int().meta({ example: 1_843_200 }),
    name: z.string().meta({ example: "video-0mwprskck334cb5f05e.mp4" }),
    url: z.url().meta({
      description: "The file, for whoever has a token. Takes `Range`.",
      example: "https://reelay.example.com/v1/jobs/0mwprskck334cb5f05e/media",
    }),
    link: z.url().meta({
      description: "The same for whoever has this address, until `expires_at`.",
      example: "https://reelay.example.com/v1/media/eyJmaWxlIjoiM2YxYSJ9.kQ2v9Xh0",
    }),
    expires_at: at().meta({ description: "The file is erased then.", example: "2026-02-07T12:01:10.000Z" }),
  })
  .meta({ id: "Media" });

const jobErrorSchema = z
  .object({
    code: z.string().meta({ example: "job_failed" }),
    detail: z.string().meta({ description: "A sentence that can be shown to people." }),
  })
  .meta({ id: "JobError" });

const urlsSchema = z
  .object({
    get: z.url().meta({ example: "https://reelay.example.com/v1/jobs/0mwprskck334cb5f05e" }),
    cancel: z.url().meta({
      description: "Called by DELETE; deletes what has ended.",
      example: "https://reelay.example.com/v1/jobs/0mwprskck334cb5f05e",
    }),
    events: z.url().meta({ example: "https://reelay.example.com/v1/jobs/0mwprskck334cb5f05e/events" }),
    files: z.url().meta({
      description: "The result, once the job is completed: the first of its files.",
      example: "https://reelay.example.com/v1/jobs/0mwprskck334cb5f05e/media",
    }),
  })
  .meta({ id: "JobUrls", description: "Where everything about the job is, for whoever has a token." });

/** A job, as partners read it. */
export const jobSchema = z
  .object({
    object: z.literal("job"),
    id: z.string().meta({ example: "0mwprskck334cb5f05e" }),
    livemode: z.boolean().meta({
      description: "False for what a test token made: it was made by the built-in sandbox and cost nothing.",
      example: true,
    }),
    operation: z.string().meta({ example: "video" }),
    status: z.enum(JOB_STATUSES).meta({ example: "completed" }),
    phase: z.enum(PHASES).meta({
      example: "completed",
      description:
        "The same in finer steps. `unreachable`: the service does not answer, Reelay tries again. `checking`: the answer to a submission was lost; Reelay is looking whether it was accepted, and never sends it twice blindly. `sending`: the result is on its way here. `awaiting_file`: the service has finished it, but gives no whole file of it yet; Reelay asks again for up to a day. `awaiting_check`: it is finished, but could not be examined yet; Reelay tries again for up to a day. `awaiting_key`: the service accepts the key no more that the job is read with; it goes on with the next key of the same account. `awaiting_record`: the service says that it does not know the job; Reelay asks again before believing it. `awaiting_operator`: it was not sent yet, because none of the keys that pay here takes it; it starts by itself once one does, and can be cancelled.",
    }),
    phase_detail: z.string().nullable().meta({
      description:
        "Why it does not go on at the moment, as a sentence that can be shown to people: with `unreachable`, `checking` and each `awaiting_…`; null otherwise.",
      example: null,
    }),
    progress: z
      .number()
      .nullable()
      .meta({ description: "0 to 100, as the service estimates it.", example: 100 }),
    queue_position: z
      .int()
      .nullable()
      .meta({
        description: `Its place among your jobs that wait for their turn and count in the same of the service's rates, 1 for the next one; null where it does not wait for one, and beyond ${MOST_AHEAD}.`,
        example: null,
      }),
    expected_at: at().nullable().meta({
      description:
        "When it will probably have ended, once the service has accepted it: by then three of four of the last jobs like it had. An estimate, not a promise; null where there is none, because none like it has ended yet or this one takes longer.",
      example: null,
    }),
    platform: z.string().meta({ description: "What it counts for.", example: "acme" }),
    in_app_username: z.string().meta({ description: "Whom it counts for.", example: "user-4711" }),
    mature: z
      .boolean()
      .meta({ description: "Whether it was made with a template for adults.", example: false }),
    metadata: z
      .record(z.string(), z.unknown())
      .meta({ description: "What came with the request, unread.", example: { order: "A-1" } }),
    input: z.record(z.string(), z.unknown()).meta({
      description: "Files are shown by name and size.",
      example: { image: "https://example.com/photo.jpg", prompt: "slow zoom, golden light" },
    }),
    cost: z
      .number()
      .nullable()
      .meta({ description: "Tokens charged; null as long as that is not known.", example: 2.7 }),
    error: jobErrorSchema.nullable(),
    media: z.array(mediaSchema).meta({ description: "The result, once the job is completed." }),
    urls: urlsSchema,
    created_at: at().meta({ example: "2026-01-31T12:00:00.000Z" }),
    accepted_at: at()
      .nullable()
      .meta({ description: "When the service accepted it.", example: "2026-01-31T12:00:01.000Z" }),
    ended_at: at().nullable().meta({
      description: "When it was made, or came to nothing; null until it is over.",
      example: "2026-01-31T12:01:10.000Z",
    }),
  })
  .meta({ id: "Job", title: "Job" });

/** A job, as it is answered to whoever asked for it. */
export const acceptedJobSchema = jobSchema
  .extend({
    callback_secret: z.string().exactOptional().meta({
      description:
        "What signs the messages to addresses of single jobs. Told this once, to the first token for `webhooks` that gives such an address.",
      example: "whsec_…",
    }),
  })
  .meta({ id: "AcceptedJob" });

/** Phases in which it is to be said why. */
type Waiting = Extract<JobPhase, "unreachable" | "checking" | `awaiting_${string}`>;

/** A job, as it is sent. */
export type JobBody = z.output<typeof jobSchema>;

/** One page of jobs. */
export const jobListSchema = pageSchema(jobSchema).meta({ id: "JobList" });

/** What a job is shown with. */
interface ShownWith {
  /** Makes links to a result that work for whoever has them. */
  readonly makeLink: (file: KeptResult) => Promise<string>;
  /** Which tokens see it. */
  readonly mode: TokenMode;
}

/** A job as partners read it. */
export async function jobBody(
  record: JobRecord,
  { makeLink, mode }: ShownWith,
  locale: Locale,
): Promise<JobBody> {
  const { base, metadata } = requestOf(record.address);
  const notes = notesOf(record.receipt);
  const problem = notes?.problem ?? record.problem;
  const ended = endOf(record, notes);
  const status = ended ?? record.status;
  const phase = ended ?? record.phase;
  const translate = translator(locale);
  const self = `${base}/v1/jobs/${record.id}`;
  const media = (notes?.media ?? []).map(async (file, index) => ({
    kind: file.kind,
    type: file.type,
    bytes: file.bytes,
    name: file.name,
    url: `${self}/media${index > 0 ? `?index=${index}` : ""}`,
    link: base + (await makeLink(file)),
    expires_at: isoOf(file.until),
  }));
  return {
    object: "job",
    id: record.id,
    livemode: mode === "live",
    operation: record.operation,
    status,
    phase,
    phase_detail: isWaiting(phase) ? translate(`view.phase.${phase}`) : null,
    progress: ended === "completed" ? 100 : record.progress,
    queue_position: positionOf(record),
    expected_at: ended || record.expectedAt === null ? null : isoOf(record.expectedAt),
    platform: record.tags.platform,
    in_app_username: record.tags.inAppUsername,
    mature: record.mature,
    // What an older version kept may have halves of characters, and tails of floating point.
    metadata: wellFormed({ ...metadata }),
    input: wellFormed(inputBody(record.values)),
    cost: record.cost && decimal(record.cost),
    error: problem && {
      code: problem.code,
      detail: sayToProgram(translate, problem),
    },
    media: await Promise.all(media),
    urls: { get: self, cancel: self, events: `${self}/events`, files: `${self}/media` },
    created_at: isoOf(record.createdAt),
    accepted_at: record.acceptedAt === null ? null : isoOf(record.acceptedAt),
    // What was made may still be on its way here.
    ended_at: record.endedAt === null || !isOver({ status }) ? null : isoOf(record.endedAt),
  };
}

function positionOf({ ahead }: JobRecord): number | null {
  return ahead === null || ahead >= MOST_AHEAD ? null : ahead + 1;
}

/** Whether a phase says why a job does not go on. */
function isWaiting(phase: JobPhase): phase is Waiting {
  return phase === "unreachable" || phase === "checking" || phase.startsWith("awaiting_");
}

/** Whether a job has ended, as its partner reads it. */
export function isOver({ status }: Pick<JobBody, "status">): boolean {
  return status !== "queued" && status !== "running";
}

/** How a job ended, once its outcome is here: a moment before the ledger says that it was told. */
function endOf({ status }: JobRecord, notes: Notes | undefined): "completed" | "failed" | undefined {
  if (notes?.problem) return "failed";
  return status === "completed" || (notes && notes.media.length > 0) ? "completed" : undefined;
}

/**
 * A file of a result that is still here.
 * @throws ReelayError `not_found` for what there never was; `result_expired`; `result_gone` where the service gave no whole one
 */
export function mediaAt({ receipt }: JobRecord, index: number): KeptResult {
  const notes = notesOf(receipt);
  const file = notes?.media[index];
  if (!file) throw new ReelayError(notes?.problem?.code === "result_gone" ? "result_gone" : "not_found");
  if (file.until <= currentTime()) throw new ReelayError("result_expired");
  return file;
}

function inputBody(values: Values): Record<string, Json> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, valueBody(value)]));
}

function valueBody(value: Value | undefined): Json {
  if (isMediaRef(value)) return fileBody(value);
  if (Array.isArray(value)) return value.map(fileBody);
  return value as string | number | boolean;
}

/** What a partner recognises their file by: its address, or its digest. */
function fileBody({ id, name, bytes }: MediaRef): Json {
  if (URL.canParse(id)) return id;
  return { sha256: id, ...(name !== undefined && { name }), ...(bytes !== undefined && { bytes }) };
}

/** Milliseconds since 1970 as partners read times. */
export const isoOf = (ms: number): string => new Date(ms).toISOString();
