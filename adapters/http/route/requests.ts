import { z } from "zod";
import {
  ENDPOINT_EVENT_TYPES,
  type EndpointEventType,
  EVENT_TYPES,
  type EventType,
} from "../../../src/seam/events.ts";
import { JOB_STATUSES } from "../../../src/seam/access/job-record.ts";
import { usernameNamed } from "../../../src/seam/access/partners.ts";
import { DIMENSIONS } from "../../../src/seam/access/usage.ts";
import { type Json, wellFormed } from "../../../src/common/json.ts";
import { STATEMENT_NAMES } from "../../../src/seam/values.ts";

/** The longest name of an end user, in characters. */
const MAX_USERNAME = 128;
/** More fields than any operation has. */
const MAX_FIELDS = 100;
/** What a partner may keep beside a job, in characters of JSON. */
const MAX_METADATA = 4_096;
/** The same, as it is told. */
export const METADATA_WANTED = `at most ${MAX_METADATA} characters of JSON`;
const MAX_URL = 2_048;

/** What is told where nothing else is asked for: how a job ended. */
const ENDS = EVENT_TYPES.filter((type) => type !== "job.progress");

const UNPRINTABLE = "text without line breaks or control characters, and more than dots";

/**
 * A name for an end user: anything that prints. Half a surrogate pair would come back from the disk as another name; dots
 * alone stand for something else in a path, so that nobody could read or erase what is kept under them. The expression is
 * part of the documentation: one that every language reads, so without classes of Unicode.
 */
export const inAppUsername = z
  .string()
  .trim()
  .overwrite(usernameNamed)
  .min(1)
  .max(MAX_USERNAME)
  .regex(/^(?!\.{1,2}$)[ -~\u00A0-\u2027\u202A-\uFFFF]+$/, { error: UNPRINTABLE })
  .refine((name) => name.isWellFormed(), { error: UNPRINTABLE })
  .meta({
    description: "Your own name for the person that this is for. Usage can be summed and capped by it.",
    example: "user-4711",
  });

/** One statement, by its name. */
export const statementName = z.enum(STATEMENT_NAMES);

/** What a partner's user states. */
const agreed = z
  .array(statementName)
  .max(STATEMENT_NAMES.length)
  .default([])
  .meta({
    description:
      "What your user stated to you for this request: that they accept the `terms`, that the people in their photos gave their `consent`, that the people whose `faces` are swapped agreed to just this, that they are `adult`. It is recorded with the time. Send only what they really said; nothing else is taken.",
    example: ["terms", "consent"],
  });

/** A label for statistics. */
const platform = z
  .string()
  .regex(/^[\w.-]{1,32}$/, { error: "up to 32 letters, digits, dots, hyphens or underscores" })
  .meta({ description: "What the job counts for. Left out: your own.", example: "ios-app" });

/** Where events are sent. */
export const webhookUrl = z
  .url({ protocol: /^https?$/, error: "a public https address" })
  .max(MAX_URL)
  .meta({ example: "https://example.com/reelay" });

/** Each once. */
const each = <T>(given: readonly T[]) => [...new Set(given)];

/** Which events are sent. */
const eventTypes = z
  .array(z.enum(EVENT_TYPES))
  .min(1)
  .max(EVENT_TYPES.length)
  .overwrite(each)
  .default([...ENDS] satisfies EventType[])
  .meta({
    description: "Which events are sent; progress only where it is asked for.",
    example: ["job.completed"],
  });

/** Which events an endpoint is sent. */
export const endpointEventTypes = z
  .array(z.enum(ENDPOINT_EVENT_TYPES))
  .min(1)
  .max(ENDPOINT_EVENT_TYPES.length)
  .overwrite(each)
  .default([...ENDS] satisfies EndpointEventType[])
  .meta({
    description: "Which events are sent; progress and warnings of budgets only where they are asked for.",
    example: ["job.completed"],
  });

const callback = z
  .union([webhookUrl, z.strictObject({ url: webhookUrl, events: eventTypes })], {
    error: "an https address, or {url, events}",
  })
  .transform((given) => (typeof given === "string" ? { url: given, events: [...ENDS] } : given))
  .meta({
    description:
      "An address for the events of this job alone, beside your webhooks. Signed with your callback secret.",
    example: "https://example.com/hooks/42",
  });

/** Whatever was parsed as JSON is JSON: looking at each value of it again is what others would wait for. */
const json = z.custom<Json>();

const metadata = z
  .record(z.string(), json)
  // What is told with half a character in it cannot be read by strict readers of JSON, nor anything beside it.
  .overwrite(wellFormed)
  .refine((given) => JSON.stringify(given).length <= MAX_METADATA, { error: METADATA_WANTED })
  .meta({ description: "Yours: it is sent back with the job, unread.", example: { order: "A-1" } });

const what = {
  operation: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: "What is to be made; `GET /v1/operations` lists them.", example: "video" }),
  input: z
    .record(z.string().max(64), json)
    .refine((given) => Object.keys(given).length <= MAX_FIELDS, { error: `at most ${MAX_FIELDS} fields` })
    .meta({
      description:
        "The operation's fields. A file is an `https` address, a data URI, or base64; in a form it is a file part.",
      example: { image: "https://example.com/photo.jpg", prompt: "slow zoom, golden light" },
    }),
};

/** What is to be made, for whom, and who is to be told. */
export const newJobSchema = z
  .strictObject({
    ...what,
    platform: platform.optional(),
    in_app_username: inAppUsername.optional(),
    agreed,
    metadata: metadata.default({}),
    webhook: callback.optional(),
  })
  .meta({ id: "NewJob" });

/** The same where a partner's people speak for themselves: it must be known who does. */
export const newNamedJobSchema = newJobSchema.extend({ in_app_username: inAppUsername });

/** What is to be priced. */
export const newQuoteSchema = z.strictObject(what).meta({ id: "NewQuote" });

const pageSize = z.int().min(1).max(100).default(20).meta({ example: 20 });

/** What is wrong with any other cursor: it would silently lead to another page than the one that is meant. */
export const CURSOR_WANTED = "`next_cursor` of the page before";

/**
 * Which page of a list is wanted.
 * @param ids how the ids look that the list is told by
 */
const pagesOf = (ids: RegExp) => ({
  limit: pageSize,
  cursor: z
    .string()
    .regex(ids, { error: CURSOR_WANTED })
    .optional()
    .meta({ description: "`next_cursor` of the page before." }),
});

const instant = z.iso
  .datetime({ offset: true, error: "a time such as 2026-01-31T12:00:00Z" })
  .transform((text) => Date.parse(text));

/** Which jobs are listed. */
export const jobQuerySchema = z
  .strictObject({
    ...pagesOf(/^[0-9a-z]{9}[0-9a-f]{10}$/),
    status: z.enum(JOB_STATUSES).optional().meta({ example: "completed" }),
    operation: what.operation.optional(),
    in_app_username: inAppUsername.optional(),
    created_after: instant
      .optional()
      .meta({ description: "This time or later.", example: "2026-01-01T00:00:00Z" }),
    created_before: instant.optional().meta({ example: "2026-02-01T00:00:00Z" }),
  })
  .refine(({ created_after: after = 0, created_before: before = Infinity }) => after <= before, {
    path: ["created_before"],
    error: "a time that is not before `created_after`",
  });

/** Where a job is deleted. */
export const removalQuerySchema = z.strictObject({
  here: z.enum(["true", "false"]).optional().meta({
    description:
      "`true`: what has ended is deleted here alone and stays in the account at the service, also where the key that a deletion there takes is not connected or not accepted any more.",
    example: "true",
  }),
});

/** Which deliveries of webhooks are listed. */
export const deliveryQuerySchema = z.strictObject({
  ...pagesOf(/^msg_[0-9a-f-]{36}$/),
  webhook: z.string().max(64).optional().meta({ description: "One webhook's alone." }),
});

/** Which entries of a catalogue are listed. */
export const catalogueQuerySchema = z.strictObject({
  limit: pageSize,
  cursor: z.coerce
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: CURSOR_WANTED })
    .transform(Number)
    .default(0)
    .meta({ description: "`next_cursor` of the page before." }),
  search: z
    .string()
    .max(200)
    .default("")
    .meta({ description: "Every word must be found.", example: "dance" }),
  of: z.string().max(200).optional().meta({ description: "The entry whose variants are wanted." }),
});

/** What `by` calls the dimensions of usage; the words are those of jobs. */
export const USAGE_BY = {
  platform: "platform",
  in_app_username: "username",
  operation: "operation",
  day: "day",
} as const;

/** One of {@link USAGE_BY}. */
export type UsageBy = keyof typeof USAGE_BY;

const day = z.iso.date({ error: "a day such as 2026-01-31" });

/** Which jobs are summed, and by what. */
export const usageQuerySchema = z
  .strictObject({
    by: z
      .string()
      .default("operation")
      .transform((text) => text.split(",").filter(Boolean))
      .pipe(
        z
          .array(z.enum(Object.keys(USAGE_BY) as UsageBy[]))
          .max(DIMENSIONS.length)
          .refine((names) => new Set(names).size === names.length, { error: "each name once" }),
      )
      .meta({
        description: `Any of ${Object.keys(USAGE_BY).join(", ")}, comma-separated, in the order of columns.`,
        example: "day,in_app_username",
      }),
    since: day.optional().meta({ description: "The first day (UTC).", example: "2026-01-01" }),
    until: day.optional().meta({ description: "The last day (UTC).", example: "2026-01-31" }),
    platform: platform.optional(),
    in_app_username: inAppUsername.optional(),
    operation: what.operation.optional(),
    format: z.enum(["json", "csv"]).default("json"),
  })
  .refine(({ since = "", until = since }) => since <= until, {
    path: ["until"],
    error: "a day that is not before `since`",
  });

/** Whose budgets are listed. */
export const budgetQuerySchema = z.strictObject({
  in_app_username: inAppUsername
    .optional()
    .meta({ description: "One of your people, whose budgets are listed, too." }),
});
