import { liberty } from "./liberty.ts";

/*
 * What the contract leaves open and a client could notice: each row one question, with every answer that this
 * sandbox can give. The first answer is the usual one; a seed draws among all of them. README's table is written
 * from this one. Seconds are before `timeScale`, those of the clock excepted.
 */

const LAG = {
  "at-once": "at once",
  "after-3-s": "3 s later",
  "after-20-s": "20 s later",
  "third-read": "when it is read for the third time",
} as const;

const WITHOUT_READS = {
  "at-once": "at once",
  "after-3-s": "3 s later",
  "after-20-s": "20 s later",
} as const;

/** Keys, ids, times and numbers. */
const VALUES = {
  keys: liberty("5, rule 2", "shape of keys", {
    prefixed: "`rk_` and 40 hexadecimal digits",
    short: "16 letters and digits",
    long: "200 of all printable characters",
    padded: "base64 that ends in `=`",
    dotted: "three parts with dots, dashes and underscores",
    uuid: "a UUID",
    letters: "32 small letters",
  }),
  ids: liberty("2.1", "letters in ids of jobs", { lower: "small", upper: "capital" }),
  zone: liberty("2.1", "zone of timestamps, which never say it", {
    utc: "UTC",
    "utc-12": "UTC-12",
    "utc-5": "UTC-5",
    "utc-3:30": "UTC-3:30",
    "utc+1": "UTC+1",
    "utc+5:30": "UTC+5:30",
    "utc+5:45": "UTC+5:45",
    "utc+14": "UTC+14",
  }),
  clock: liberty("2.1", "the service's clock", {
    exact: "exact",
    slow: "90 s slow",
    fast: "90 s fast",
  }),
  fractions: liberty("2.1", "fractions of a second in timestamps", {
    milliseconds: "three digits",
    none: "none",
    microseconds: "six digits",
  }),
  amounts: liberty("2.1", "decimals of token amounts", {
    exact: "two",
    noisy: "as floating point leaves them, such as 249.79999999999998",
  }),
  emptyFields: liberty("2", "fields without a value", { null: "null", missing: "missing" }),
  texts: liberty("2.2, 2.8, 2.10", "names of a person, descriptions, hints and negative prompts", {
    shown: "shown",
    null: "null",
  }),
  extraFields: liberty("2", "further fields in answers and errors", {
    none: "none",
    some: "some that nobody knows",
  }),
} as const;

/** Accepting a job. */
const SUBMISSION = {
  submitStatus: liberty("2.3", "status of a successful POST", { "200": "200", "201": "201", "202": "202" }),
  slots: liberty("8.1", "concurrent job slots", {
    tier: "by tier, as above",
    one: "1",
    two: "2",
    five: "5",
    hundred: "100",
  }),
  slotMessage: liberty("7", "the slot's 429", {
    used: "`All N concurrent job slots are in use. Wait for a job to finish.`",
    exceeded: "`Concurrent job slot exceeded.`",
    maximum: "`You have reached the maximum number of running jobs for your plan.`",
    many: "`Too many concurrent jobs (N). Please try again later.`",
  }),
  retryAfter: liberty("7", "`Retry-After` of a 429", {
    none: "never sent",
    seconds: "in seconds",
    date: "as a date",
  }),
  counting: liberty("8.1", "counting of rates", {
    sliding: "any 60-second window",
    fixed: "windows that follow each other",
  }),
  refusedCount: liberty("8.1", "requests refused for the rate", {
    uncounted: "do not count",
    counted: "count",
  }),
  imgproRate: liberty("8.1", "rate of image pro", { image: "that of images", own: "5 per 60 s of its own" }),
  imgproAnswer: liberty("4.9", "answer to an image pro submission", {
    common: "the common fields with `message`",
    bare: "`success` and `job_id` alone",
    id: "`id` and `status` alone",
  }),
  h3Final: liberty("4.7, rule 4", "final cost of H3", {
    turbo: "15% less with `turbo_mode`",
    reserved: "what was reserved",
    dearer: "10% more, as far as the account has it",
  }),
} as const;

/** What is told of a job. */
const RECORDS = {
  newJob: liberty("4.13", "when a new job is known by its id; before, 404", LAG),
  statuses: liberty("2.4", "statuses of jobs that have not ended", {
    named: "`SUBMITTED`, `IN_PROGRESS`",
    queued: "`QUEUED`, `PROCESSING`",
    staged: "`PENDING`, `PREPARING`, `RENDERING`, `FINALIZING`",
  }),
  progress: liberty("2.4", "progress", {
    rising: "rises",
    zero: "stays 0 until the end",
    jumps: "jumps from 0 to 95",
    falls: "falls from the middle on",
    full: "is 100 from the start",
  }),
  createdAt: liberty("2.4", "`created_at`", { shown: "shown", null: "null" }),
  otherTimes: liberty("2.4", "`started_at`, `completed_at`", { shown: "shown", null: "null" }),
  listOrder: liberty("4.13", "order of the list", {
    newest: "newest first",
    oldest: "oldest first",
    id: "by id",
  }),
  listLag: liberty("4.13", "when a new job is in the list", LAG),
  listed: liberty("4.13", "what the list shows to subscribers", {
    three: "as to standard users: `video`, `video_audio` and `image_edit`",
    unified: "every type of section 2.4",
    all: "every job",
  }),
  statusFilter: liberty("4.13", "`status` of the list", {
    "any-case": "upper or lower case",
    exact: "as written in records",
  }),
  perPage: liberty("4.13", "`page`, `per_page` out of bounds", {
    refused: "400",
    clamped: "the nearest that fits",
  }),
  hostJobs: liberty("1, rule 5", "jobs of the other host", {
    known: "known here",
    unknown: "unknown here: 404",
  }),
  settingsPrompt: liberty("2.7", "`prompt` of the settings", {
    sent: "as it was sent",
    trimmed: "without spaces around it",
    collapsed: "every run of white space is one space",
    cut: "its first 40 characters",
    null: "null",
  }),
  statsLag: liberty("2.6", "when the statistics count a new job", WITHOUT_READS),
  statsTypes: liberty("2.6", "types of the `breakdown`", {
    all: "every type, also `vid3` and `imgpro`",
    unified: "those of section 2.4",
  }),
  imgproRecord: liberty("2.4", "record of image pro", {
    flat: "`id`, and `image_url` when complete",
    pathless: "`job_id`, and no address: only the download path has it",
    wrapped: "all of it inside `job`",
  }),
} as const;

/** What a job makes, and costs. */
const RESULTS = {
  fileReady: liberty("2.4", "when a completed job's file is there; before, 404 and `_base64_error`", LAG),
  resultHost: liberty("2.4", "host of results without a download path", {
    own: "the one that was asked",
    other: "another one, without a key",
    redirect: "the one that was asked, which redirects to another",
  }),
  resultUrl: liberty("2.4", "form of a result's address", {
    absolute: "absolute, `<job_id>.<extension>`",
    path: "the path alone, unless on another host",
    signed: "absolute, with a query that expires",
    bare: "absolute, without an extension",
  }),
  resultKey: liberty("5", "the key for results on the service's own host", {
    free: "not needed",
    needed: "needed, else 401",
  }),
  resultType: liberty("2.4", "`Content-Type` of a result", {
    exact: "its own",
    binary: "`application/octet-stream`",
  }),
  resultLength: liberty("2.4", "`Content-Length` of a result", { sent: "sent", missing: "none: chunked" }),
  ranges: liberty("2.4", "`Range` of results", {
    taken: "taken",
    ignored: "ignored: 200 and the whole file",
  }),
  head: liberty("4.13", "HEAD", { taken: "taken", refused: "405" }),
  etag: liberty("2.4", "`ETag` of a result", { none: "none", sent: "sent" }),
  videoBase64: liberty("2.4", '`video_base64` of a video with audio, "often" there', {
    small: "up to 8 MB",
    never: "never",
  }),
  imageBase64: liberty("2.4", "`image_base64` but of a face swap", {
    plain: "plain base64",
    "data-uri": "a data URI",
  }),
  refunds: liberty("7", "tokens of a failed job", {
    all: "are given back",
    half: "are given back by half",
    none: "stay charged",
  }),
  refundLag: liberty("7", "when they are given back", WITHOUT_READS),
  failedCost: liberty("2.4", "`token_cost` of a failed job", {
    left: "what stayed charged",
    charged: "what was charged at first",
  }),
  deletedCost: liberty("4.14", "tokens of a job that was deleted while it ran", {
    kept: "stay charged",
    returned: "are given back",
  }),
  deleteRunning: liberty("4.14", "deleting a job that runs", { removed: "stops it", refused: "400" }),
  balanceLag: liberty("4.1", "when reads of the balance tell a charge", WITHOUT_READS),
  canGenerate: liberty("4.1", "`can_generate`", {
    tokens: "any tokens at all",
    slot: "any tokens, and a free slot",
  }),
} as const;

/** Every question, by its name. */
export const LIBERTIES = { ...VALUES, ...SUBMISSION, ...RECORDS, ...RESULTS } as const;
