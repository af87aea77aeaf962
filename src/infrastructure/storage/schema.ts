import type { Generated, GeneratedAlways } from "kysely";
import type { LeftNoticesTable, ReportedTable, ReportNoticesTable, ReportsTable } from "./report-tables.ts";

/** Entries of the key-value stores, one namespace each. */
interface KvTable {
  namespace: string;
  key: string;
  value: string;
  /** Milliseconds since 1970; null: never. */
  expires_at: number | null;
}

/** Requests that still count towards a published rate: one row per slot and scope (section 8.1). */
interface RateSlotTable {
  /** Shared by the rows that one request holds, one in each scope. */
  id: string;
  /** Whose limit it counts towards: `key:<fingerprint>` or `egress:<name>`. */
  scope: string;
  rate_group: string;
  /** Counts up to and including this time, in milliseconds since 1970. */
  until: number;
}

/** Scopes in which a 429 told us to wait. */
interface RateBlockTable {
  scope: string;
  rate_group: string;
  /** When the refusal came and when asking may go on, in milliseconds since 1970. */
  since: number;
  until: number;
}

/** Who waits for a place in a window, where several machines share the database. */
interface RateWaitTable {
  waiter: string;
  scope: string;
  rate_group: string;
  /** When it first asked, and until when a place is kept for it, in milliseconds since 1970. */
  since: number;
  until: number;
}

/** One job's whole life; the columns are those of `Job` in src/domain/jobs/job.ts. Times are milliseconds since 1970. */
export interface JobsTable {
  id: string;
  user: string;
  chat: string | null;
  surface: string;
  address: string;
  /** Null where an earlier version wrote the job; see `Tagger`. */
  platform: string | null;
  in_app_username: string | null;
  request: string | null;
  /** What was pressed for it, where something was; see `Origin.press`. */
  press: Generated<string | null>;
  /** JSON of `Traits`; null where an earlier version wrote the job. */
  traits: Generated<string | null>;
  key_id: string;
  host: string;
  operation: string;
  input: string;
  fingerprint: string;
  /** 1: of a template flagged mature. */
  mature: Generated<number>;
  state: string;
  delivery: string;
  /** 1: something is still to come of it; see `isGoingOn`. */
  going_on: GeneratedAlways<number>;
  service_id: string | null;
  cost: number | null;
  balance: number | null;
  before: string | null;
  progress: number | null;
  result: string | null;
  error: string | null;
  /** What it waits for that was accepted; see `Awaited`. */
  awaits: string | null;
  /** When the service was last asked about it; null: never. */
  read_at: Generated<number | null>;
  /** Null until the person has been told something. */
  receipt: Generated<string | null>;
  created_at: number;
  submitted_at: number | null;
  lost_at: number | null;
  accepted_at: number | null;
  ended_at: number | null;
  delivered_at: number | null;
  not_before: number;
  attempts: number;
  /** The process that works on it. */
  runner: string;
  /** How often it was taken over. */
  fence: Generated<number>;
  released_at: number | null;
  /** JSON of `HeldTokens`; null where nobody's budget could apply. */
  held: Generated<string | null>;
  /** Whose key pays, as `KeySource` says it; null where an earlier version wrote the job. */
  paid_by: Generated<string | null>;
}

/** What a job counts for in sums. Neither words nor files: it outlasts the job. */
interface Counted {
  /** Null once they wanted to be forgotten, and so is the name. */
  user: string | null;
  platform: string;
  in_app_username: string | null;
  operation: string;
  /** When it was asked for, as YYYY-MM-DD (UTC). */
  day: string;
  /** 1: completed. */
  success: number;
  cost: number | null;
  /** From request to result; null where none came. */
  took_ms: number | null;
  /** As of jobs. */
  paid_by: Generated<string | null>;
}

/** What erased jobs count for. */
interface ErasedJobsTable extends Counted {
  /** SQLite's own: they have no other name. */
  rowid: GeneratedAlways<number>;
}

/** What every job counts for; those that were erased have no id. */
interface UsageView extends Counted {
  id: string | null;
}

/** What past jobs of one kind cost and took at a service: its address, or `sandbox`; empty where a version before did not write it down. */
export interface LessonsTable {
  service: string;
  operation: string;
  size: string;
  price: number | null;
  mean_ms: number | null;
  spread_ms: number;
  count: number;
}

/** What happened to partners' jobs; the columns are those of `JobEvent` in src/seam/events.ts. */
interface JobEventsTable {
  id: Generated<number>;
  user: string;
  job: string;
  type: string;
  /** JSON. */
  data: string;
  at: number;
}

/** Where partners want to be told; the columns are those of `Endpoint` in src/seam/access/webhooks.ts. */
export interface WebhookEndpointsTable {
  id: string;
  user: string;
  url: string;
  /** A list, as JSON. */
  events: string;
  created_at: number;
  disabled_at: number | null;
  disabled_because: string | null;
}

/** What partners are told and were told; the columns are those of `Delivery` in src/seam/access/webhooks.ts. */
interface WebhookDeliveriesTable {
  /** Grows from one to the next. */
  seq: Generated<number>;
  id: string;
  user: string;
  endpoint: string | null;
  url: string;
  /** That of the URL, with its port: what is sent there at once is counted by it. */
  host: string;
  /** See `Receiver`. */
  receiver: GeneratedAlways<string>;
  type: string;
  job: string | null;
  /** What is sent; null once the job was forgotten. */
  body: string | null;
  state: string;
  /** A list, as JSON. */
  attempts: Generated<string>;
  /** Failures since it began, or was begun anew. */
  failures: Generated<number>;
  /** While it is tried: when that counts as lost. */
  next_at: number | null;
  created_at: number;
}

/** The processes that share this file; see `ProcessIdentity` for what tells them apart. */
interface RunnersTable {
  id: string;
  pid: number;
  started: string | null;
  boot: string | null;
  pid_namespace: string | null;
  /** How many steps of the migrations it knows; null of versions that did not say so. */
  schema: number | null;
  /** When it last showed that it lives. */
  beat_at: number;
}

/** Who needs which file of a partner. */
interface HeldFilesTable {
  file: string;
  owner: string;
  /** Milliseconds since 1970; null: until they release it. */
  until: number | null;
}

/** What was decided and done about what people make; the columns are those of `AuditEntry` in src/seam/access/audit.ts. */
export interface AuditTable {
  id: Generated<number>;
  at: number;
  /** Null once they wanted to be forgotten. */
  user: string | null;
  /** What their partner calls them. */
  username: string | null;
  chat: string | null;
  surface: string;
  act: string;
  /** Who did it, where the line is about somebody else. */
  by: Generated<string | null>;
  /** What decided: an error's code, a statement with its version, whom a block is about; null where nothing had to. */
  rule: string | null;
  operation: string | null;
  job: string | null;
  /** Of the words and choices. */
  digest: string | null;
  /** Of each file, as JSON. */
  files: string | null;
  /** The words and choices themselves, as JSON, where the operator wants them kept. */
  content: string | null;
}

/** Who runs Reelay beside whoever has its terminal; the columns are those of `OperatorEntry` in src/seam/access/operators.ts. */
interface OperatorsTable {
  id: string;
  /** As they want to be called; null until they came in. */
  name: string | null;
  role: string;
  invited_at: number;
  invited_by: string;
  /** To the minute. */
  seen_at: number | null;
  /** They may nothing since; they stay as long as the audit may name them. */
  removed_at: number | null;
  /** SHA-256 of the secret in the one link that opens a session for them, in hex; null: there is none. */
  link_digest: string | null;
  link_until: number | null;
}

/** What is known of keys that are stored or were entered lately, to recognise them among words. */
interface KnownKeysTable {
  seq: Generated<number>;
  /** HMAC-SHA-256 under a secret of this installation. */
  digest: string;
  /** 32 bits of its beginning, under the same secret. */
  mark: number;
  length: number;
  /** As in the vault; "" for what is nobody's. */
  owner: string;
  /** When it is forgotten; null: as long as it is stored. */
  until: number | null;
}

/** Pictures that were made here; nothing of a person. */
interface MadePicturesTable {
  /** SHA-256 of the file, in hex. */
  digest: string;
  /** See `lookOf`. */
  look: string | null;
  /** Comma-separated. */
  signs: string;
  mature: number;
  photo: number;
  /** Milliseconds since 1970. */
  at: number;
}

/** What examiners flagged pictures for that were made here. */
interface ExaminedPicturesTable {
  digest: string;
  examiner: string;
  /** Comma-separated. */
  categories: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Parts of what those look like. */
interface MadeLooksTable {
  part: number;
  digest: string;
}

/** Where everything is in charge, if it was ever moved: one row at most. */
interface MovedTable {
  id: 1;
  /** See `MoveMark` in moving/side.ts. */
  state: "arriving" | "here" | "moved";
  /** The move that it is about. */
  move: string;
  /** The other database, as it may be shown. */
  place: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** What one process does for all that share a database. */
interface RolesTable {
  name: string;
  /** Who has it, or had it last. */
  node: string;
  /** Counts those who have had it. */
  fence: number;
  /** Until when, by the database's clock; 0: it was left. */
  until: number;
  /** What whoever has it next goes on with. */
  state: string | null;
}

/** What was spent, for budgets that are set or may be. */
interface SpentTable {
  /** A digest of whose budget it is, of which period; see `entryOf`. */
  entry: string;
  /** Millionths of a token. */
  tokens: number;
  /** The budget that was warned of, in the same; null: none. */
  warned: Generated<number | null>;
  /** When the period ends. */
  until: number;
}

/** What the jobs of a day came to, of nobody in particular; what changes it stands in day-sums.ts. */
interface DaySumsTable {
  /** When they were asked for, as YYYY-MM-DD (UTC). */
  day: string;
  operation: string;
  surface: string;
  /** Their id; "": of no partner, or of one that was removed. */
  partner: string;
  /** Whose key paid, as `KeySource` says it; "": not known. */
  paid_by: string;
  /** Those that ended, of which so many were completed, failed, or failed so that nobody knows what they cost. */
  jobs: number;
  completed: number;
  failed: number;
  unsure: number;
  /** Millionths of a token: what was charged, and how much of it for what failed. */
  tokens: number;
  failed_tokens: number;
}

/** Every table. */
export interface DatabaseSchema {
  moved: MovedTable;
  roles: RolesTable;
  jobs: JobsTable;
  audit: AuditTable;
  operators: OperatorsTable;
  reports: ReportsTable;
  reported: ReportedTable;
  report_notices: ReportNoticesTable;
  left_notices: LeftNoticesTable;
  erased_jobs: ErasedJobsTable;
  usage: UsageView;
  spent: SpentTable;
  day_sums: DaySumsTable;
  lessons: LessonsTable;
  job_events: JobEventsTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  held_files: HeldFilesTable;
  runners: RunnersTable;
  made_pictures: MadePicturesTable;
  made_looks: MadeLooksTable;
  examined_pictures: ExaminedPicturesTable;
  kv: KvTable;
  known_keys: KnownKeysTable;
  rate_slots: RateSlotTable;
  rate_blocks: RateBlockTable;
  rate_waits: RateWaitTable;
}
