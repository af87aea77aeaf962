import { z } from "zod";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import type { Misplaced } from "../body/read-json.ts";
import { objectIn, readRequest } from "../body/read-request.ts";
import { baseOf } from "../access/access.ts";
import { awaitedJob, wantedWait } from "../jobs/awaited-job.ts";
import { eventStream } from "../jobs/event-stream.ts";
import { checkedKey } from "../jobs/idempotency.ts";
import { longMetadata, misplaced } from "../jobs/input-values.ts";
import { operationsIn } from "../route/operations.ts";
import { jobQuerySchema, newJobSchema, newQuoteSchema, removalQuerySchema } from "../route/requests.ts";
import { acceptedJobSchema, isOver, type JobBody, jobListSchema, jobSchema } from "../resources/job.ts";
import { ACCEPTED } from "../resources/job-examples.ts";
import { firstPage } from "../resources/list.ts";
import { quoteSchema } from "../resources/operation.ts";
import { idOf, type OwnCall, type Route, route } from "../route/route.ts";
import { shownJob } from "../jobs/shown-job.ts";
import type { Asker, ReadInput, Submissions } from "../jobs/submissions.ts";

const ACCEPTED_HEADERS = {
  Location: "Where the job is read.",
  "Idempotency-Replayed": "`true` where the request was sent before.",
  "Preference-Applied": "How long it was waited for, where `Prefer` said so.",
};

const ID = { id: "The job's id." };

/** Jobs: asked for, read, followed and taken back. */
export function jobRoutes(parts: GatewayParts, submissions: Submissions): readonly Route[] {
  const { host, forPartners, intake } = parts;

  function askerOf({ c, caller, user, locale }: OwnCall): Asker {
    return { caller, user, locale, base: baseOf(c, host.config) };
  }

  /** What only takes text says so of what is read as a file. */
  const misplacedAt: Misplaced = (request, [top, ...path], isBare) => {
    if (top === "metadata") return longMetadata();
    const { operation } = objectIn(request);
    const spec = operationsIn(intake().commands).find(({ name }) => name === operation);
    return spec && top === "input" ? misplaced(spec.fields, path, isBare) : undefined;
  };

  function readerOf({ c }: OwnCall): ReadInput {
    return (hold) => readRequest(c.req.raw, forPartners.held, hold, undefined, undefined, misplacedAt);
  }

  /** What signs messages to addresses of single jobs, where they were not told it yet. */
  async function untoldSecret({ caller, user }: OwnCall): Promise<{ readonly callback_secret?: string }> {
    if (!caller.token.scopes.includes("webhooks")) return {};
    const secret = await forPartners.webhooks.untoldCallbackSecret(user);
    return secret === undefined ? {} : { callback_secret: secret };
  }

  return [
    route(
      {
        name: "createJob",
        method: "post",
        path: "/jobs",
        group: "Jobs",
        summary: "Make something",
        description:
          "Accepts a job. It is answered at once; follow it with events, a webhook, or by reading it. What was accepted is made and kept for you, through restarts of Reelay and of the service, and is charged once. Send it as JSON, or as a form (`multipart/form-data`) whose file parts are named like the fields: `-F operation=video -F image=@photo.jpg -F prompt='slow zoom'`.",
        scope: "jobs:write",
        streamed: newJobSchema,
        idempotent: true,
        headers: {
          Prefer:
            "`wait=N`: answer when the job has ended, if that is within N seconds, at most 60; otherwise with 202, as ever.",
        },
        answers: {
          200: {
            description: "Ended, within the time that `Prefer` gave: completed, or not.",
            schema: acceptedJobSchema,
            headers: ACCEPTED_HEADERS,
          },
          202: {
            description: "Accepted.",
            schema: acceptedJobSchema,
            example: ACCEPTED,
            headers: ACCEPTED_HEADERS,
          },
        },
        problems: [
          "not_connected",
          "not_found",
          "blocked",
          "user_blocked",
          "operation_off",
          "statement_missing",
          "field_unknown_choice",
          "webhook_url_refused",
          "minors_refused",
          "undressing_refused",
          "words_blocked",
          "words_unread",
          "moderation_refused",
          "moderation_down",
          "mature_here",
          "mature_picture",
          "mature_off",
          "tokens_missing",
          "shared_tokens_missing",
          "partner_cap",
          "partner_period_cap",
          "budget_reserved",
          "budget_spent",
          "shared_budget_spent",
          "network",
          "maintenance",
        ],
      },
      async (call) => {
        const { c } = call;
        // Before anything is read: without a key nothing of it would be used.
        const key = checkedKey(c.req.header("idempotency-key"));
        const once = { key, route: "POST /v1/jobs" };
        const accepted = await submissions.create(askerOf(call), once, readerOf(call));
        const { headers, replayed, hasCallback } = accepted;
        if (replayed) c.header("Idempotency-Replayed", "true");
        // What was kept is what `jobBody` made.
        const body = accepted.body as unknown as JobBody;
        // Not kept with the answer, where it would stand in the clear.
        const untold = hasCallback ? await untoldSecret(call) : {};
        const seconds = wantedWait(c.req.header("prefer"));
        if (seconds === 0) return c.json({ ...body, ...untold }, 202, headers);
        c.header("Preference-Applied", `wait=${seconds}`);
        const job = await awaitedJob(parts, call, { id: body.id, seconds });
        return c.json({ ...job, ...untold }, isOver(job) ? 200 : 202, headers);
      },
    ),
    route(
      {
        name: "listJobs",
        method: "get",
        path: "/jobs",
        group: "Jobs",
        summary: "List your jobs, newest first",
        scope: "jobs:read",
        links: true,
        query: jobQuerySchema,
        answers: { 200: { description: "One page.", schema: jobListSchema } },
      },
      async ({ c, user, query, locale }) => {
        const { limit, cursor, in_app_username: username, created_after, created_before, ...rest } = query;
        const sought = { ...rest, before: cursor, username, since: created_after, until: created_before };
        const found = await intake().jobs.list(user, { ...sought, limit: limit + 1 });
        const { page, next } = firstPage(found, limit);
        const data = await Promise.all(page.map((record) => shownJob(parts, record, locale)));
        return c.json({ object: "list", data, next_cursor: next } satisfies z.output<typeof jobListSchema>);
      },
    ),
    route(
      {
        name: "readJob",
        method: "get",
        path: "/jobs/:id",
        group: "Jobs",
        summary: "Read a job",
        scope: "jobs:read",
        links: true,
        params: ID,
        answers: { 200: { description: "The job as it is now.", schema: jobSchema } },
        problems: ["not_found"],
      },
      async (call) =>
        call.c.json(await shownJob(parts, await intake().jobs.find(call.user, idOf(call)), call.locale)),
    ),
    route(
      {
        name: "followJob",
        method: "get",
        path: "/jobs/:id/events",
        group: "Jobs",
        summary: "Follow a job",
        description:
          "Server-sent events: `job.progress`, then one of `job.completed`, `job.failed` and `job.cancelled`, each with the job as it was then; the stream closes after the last, and when your token is revoked or expires. A hundred may be open with one token. After a broken line send the last `id` as `Last-Event-ID`: nothing is missed.",
        scope: "jobs:read",
        streams: true,
        params: ID,
        headers: { "Last-Event-ID": "The `id` of the last event that arrived." },
        answers: { 200: { description: "Events.", schema: z.string(), type: "text/event-stream" } },
        problems: ["not_found"],
      },
      async (call) => {
        const { id } = await intake().jobs.find(call.user, idOf(call));
        return eventStream(call.c, { job: id, events: forPartners.events, ended: call.ended });
      },
    ),
    route(
      {
        name: "deleteJob",
        method: "delete",
        path: "/jobs/:id",
        group: "Jobs",
        summary: "Cancel or delete a job",
        description:
          "A job that still waits is cancelled and costs nothing. One that has ended is deleted, with its result, here and at the service; for the moments until its end has been written it is `job_busy`. Messages about it that no webhook has accepted yet are not sent any more: they are `dropped`.",
        scope: "jobs:write",
        query: removalQuerySchema,
        params: ID,
        answers: {
          200: {
            description: "What was done.",
            schema: z.object({
              id: z.string().meta({ example: "0mwprskck334cb5f05e" }),
              outcome: outcomeSchema,
            }),
          },
        },
        problems: ["not_found", "job_busy", "job_started", "not_deleted", "deletion_needs_key"],
      },
      async (call) => {
        const id = idOf(call);
        const where = call.query.here === "true" ? "here" : "everywhere";
        return call.c.json({ id, outcome: await intake().jobs.remove(call.user, id, where) });
      },
    ),
    route(
      {
        name: "createQuote",
        method: "post",
        path: "/quotes",
        group: "Jobs",
        summary: "Ask what a job would cost",
        description: "Takes what `POST /v1/jobs` takes, sends nothing and costs nothing.",
        scope: "jobs:read",
        streamed: newQuoteSchema,
        answers: { 200: { description: "The price.", schema: quoteSchema } },
        problems: ["not_connected", "blocked", "operation_off", "field_unknown_choice"],
      },
      async (call) => call.c.json(await submissions.quote(askerOf(call), readerOf(call))),
    ),
  ];
}

const outcomeSchema = z.enum(["cancelled", "deleted", "kept"]).meta({
  description:
    "`kept`: deleted here alone; the service offers no way to delete it there, or it was to stay there (`here`).",
});
