import type { Generated, GeneratedAlways } from "kysely";

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

/** One job's whole life; the columns are those of `Job` in src/jobs/job.ts. Times are milliseconds since 1970. */
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
  progress: number | null;
  result: string | null;
  error: string | null;
  /** Null until the person has been told something. */
  receipt: Generated<string | null>;
  created_at: number;
  submitted_at: number | null;
  accepted_at: number | null;
  ended_at: number | null;
  delivered_at: number | null;
  not_before: number;
  attempts: number;
  /** The process that works on it. */
  runner: string;
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
}

/** What every job counts for; those that were erased have no id. */
interface UsageView extends Counted {
  id: string | null;
}

/** What past jobs of one kind cost and took. */
interface ExperienceTable {
  operation: string;
  size: string;
  price: number | null;
  mean_ms: number | null;
  spread_ms: number;
  count: number;
}

/** What happened to partners' jobs; the columns are those of `JobEvent` in src/chat/events.ts. */
interface JobEventsTable {
  id: Generated<number>;
  user: string;
  job: string;
  type: string;
  /** JSON. */
  data: string;
  at: number;
}

/** Where partners want to be told; the columns are those of `Endpoint` in src/chat/webhooks.ts. */
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

/** What partners are told and were told; the columns are those of `Delivery` in src/chat/webhooks.ts. */
interface WebhookDeliveriesTable {
  /** Grows from one to the next. */
  seq: Generated<number>;
  id: string;
  user: string;
  endpoint: string | null;
  url: string;
  /** That of the URL, with its port: what is sent there at once is counted by it. */
  host: string;
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

/** The processes that share this file. */
interface RunnersTable {
  id: string;
  pid: number;
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

/** What was decided and done about what people make; the columns are those of `AuditEntry` in src/policy/audit.ts. */
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
  /** What decided: an error's code, a statement, a line of the operator's words; null where nothing had to. */
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

/** Who reported which result. */
interface ReportsTable {
  job: string;
  reporter: string;
  at: number;
}

/** Results that were reported: what became of them. */
interface ReportedTable {
  job: string;
  /** `open`: it is shown. `withheld`: it is not. `settled`: whoever runs Reelay lets it stand. */
  state: string;
  /** When that was decided. */
  at: number;
  /** The operator who decided it; null where reports did. */
  by: Generated<string | null>;
  /** Counts what there is to tell operators of it, and how much of that they were told. */
  news: Generated<number>;
  told: Generated<number>;
  /** The count that wants a notice of its own instead of a change to the one before. */
  ping: Generated<number>;
  /** What their platform needs to find that notice again, as JSON. */
  notice: Generated<string | null>;
  /** They are told at this time or later; while they are being told: when that counts as lost. */
  next_at: Generated<number>;
  /** Tries to tell them that failed. */
  failures: Generated<number>;
}

/** Every table. */
export interface Schema {
  jobs: JobsTable;
  audit: AuditTable;
  reports: ReportsTable;
  reported: ReportedTable;
  erased_jobs: Counted;
  usage: UsageView;
  experience: ExperienceTable;
  job_events: JobEventsTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  held_files: HeldFilesTable;
  runners: RunnersTable;
  kv: KvTable;
  rate_slots: RateSlotTable;
  rate_blocks: RateBlockTable;
}

/**
 * What brings a database from nothing to {@link Schema}, in order. Only ever append: the number of scripts
 * that ran is kept in the file (`user_version`), so an entry that was released never runs again.
 */
export const MIGRATIONS: readonly string[] = [
  `create table kv (
     namespace text not null,
     key text not null,
     value text not null,
     expires_at integer,
     primary key (namespace, key)
   ) strict, without rowid;
   create index kv_expiry on kv (expires_at) where expires_at is not null;`,

  `create table rate_slots (
     id text not null,
     scope text not null,
     rate_group text not null,
     until integer not null,
     primary key (id, scope)
   ) strict, without rowid;
   create index rate_slots_window on rate_slots (scope, rate_group, until);
   create index rate_slots_expiry on rate_slots (until);
   create table rate_blocks (
     scope text not null,
     rate_group text not null,
     since integer not null,
     until integer not null,
     primary key (scope, rate_group)
   ) strict, without rowid;`,

  // One service job belongs to one job of ours, whatever happened to its answer.
  `create table jobs (
     id text primary key,
     user text not null,
     surface text not null,
     address text not null,
     key_id text not null,
     operation text not null,
     input text not null,
     fingerprint text not null,
     state text not null,
     delivery text not null,
     service_id text,
     cost real,
     balance real,
     progress real,
     result text,
     error text,
     receipt text,
     created_at integer not null,
     submitted_at integer,
     accepted_at integer,
     ended_at integer,
     delivered_at integer,
     not_before integer not null,
     attempts integer not null,
     runner text not null,
     unique (key_id, service_id)
   ) strict, without rowid;
   create index jobs_of_user on jobs (user, id);
   create index jobs_making on jobs (state, runner) where state in ('queued', 'submitting', 'unsure', 'running');
   create index jobs_telling on jobs (delivery, runner) where delivery in ('due', 'delivering');
   create table experience (
     operation text not null,
     size text not null,
     price real,
     mean_ms real,
     spread_ms real not null,
     count integer not null,
     primary key (operation, size)
   ) strict, without rowid;
   create table runners (
     id text primary key,
     pid integer not null,
     beat_at integer not null
   ) strict, without rowid;`,

  "alter table jobs add column host text not null default 'primary';",

  "alter table jobs add column chat text;",

  // One request of a platform makes one job, however often the platform hands it on.
  `alter table jobs add column request text;
   create unique index jobs_request on jobs (request) where request is not null;`,

  // Nullable: a process of the version before may still be writing jobs.
  `alter table jobs add column platform text;
   alter table jobs add column in_app_username text;
   create index jobs_untagged on jobs (user) where in_app_username is null;
   create table erased_jobs (
     user text,
     platform text not null,
     in_app_username text,
     operation text not null,
     day text not null,
     success integer not null,
     cost real,
     took_ms integer
   ) strict;
   create index erased_jobs_of_user on erased_jobs (user) where user is not null;
   create view usage as
     select id, user, coalesce(platform, surface) as platform, in_app_username, operation,
       date(created_at / 1000, 'unixepoch') as day, state = 'completed' as success, cost,
       case state when 'completed' then ended_at - created_at end as took_ms
     from jobs
     union all
     select null, user, platform, in_app_username, operation, day, success, cost, took_ms from erased_jobs;`,

  // What goes on is counted before each new job of a partner, however many of theirs have ended.
  `alter table jobs add column going_on integer generated always as
     (state in ('queued', 'submitting', 'unsure', 'running') or delivery in ('due', 'delivering')) virtual;
   create index jobs_going_on on jobs (user, going_on, in_app_username);`,

  // A job ends once.
  `create table job_events (
     id integer primary key autoincrement,
     user text not null,
     job text not null,
     type text not null,
     data text not null,
     at integer not null
   ) strict;
   create index job_events_of_job on job_events (job, id);
   create unique index job_events_end on job_events (job) where type <> 'job.progress';
   create index job_events_progress on job_events (at) where type = 'job.progress';
   create table webhook_endpoints (
     id text primary key,
     user text not null,
     url text not null,
     events text not null,
     created_at integer not null,
     disabled_at integer,
     disabled_because text
   ) strict, without rowid;
   create index webhook_endpoints_of_user on webhook_endpoints (user);
   create table webhook_deliveries (
     seq integer primary key autoincrement,
     id text not null unique,
     user text not null,
     endpoint text,
     url text not null,
     host text not null,
     type text not null,
     job text,
     body text,
     state text not null,
     attempts text not null default '[]',
     failures integer not null default 0,
     next_at integer,
     created_at integer not null
   ) strict;
   create index webhook_deliveries_due on webhook_deliveries (failures, next_at) where state = 'due';
   create index webhook_deliveries_of_user on webhook_deliveries (user, seq);
   create index webhook_deliveries_of_job on webhook_deliveries (job);
   create index webhook_deliveries_age on webhook_deliveries (created_at);`,

  `create table held_files (
     file text not null,
     owner text not null,
     until integer,
     primary key (file, owner)
   ) strict, without rowid;
   create index held_files_of_owner on held_files (owner);
   create index held_files_until on held_files (until) where until is not null;`,

  // SQLite cannot see that a parameter is one of a partial index's states: those two were never used, and every outcome
  // that was due was looked for among all jobs there ever were.
  `drop index jobs_making;
   drop index jobs_telling;
   create index jobs_open_by_runner on jobs (runner, delivery) where going_on = 1;
   create index jobs_open_by_user on jobs (user, id) where going_on = 1;
   create index jobs_open_by_key on jobs (key_id) where going_on = 1;`,

  `alter table jobs add column mature integer not null default 0;
   create table audit (
     id integer primary key autoincrement,
     at integer not null,
     user text,
     username text,
     chat text,
     surface text not null,
     act text not null,
     rule text,
     operation text,
     job text,
     digest text,
     files text,
     content text
   ) strict;
   create index audit_age on audit (at);
   create index audit_of_user on audit (user, id);
   create index audit_of_job on audit (job) where job is not null;
   create table reports (
     job text not null,
     reporter text not null,
     at integer not null,
     primary key (job, reporter)
   ) strict, without rowid;
   create index reports_of_reporter on reports (reporter);
   create table reported (
     job text primary key,
     state text not null,
     at integer not null
   ) strict, without rowid;`,

  // What has been kept long enough is looked for every hour, among everything there is. Comparisons with these columns
  // are enough for SQLite to see that their partial indexes fit.
  `create index jobs_told on jobs (delivered_at) where delivered_at is not null;
   create index erased_jobs_named on erased_jobs (day) where in_app_username is not null;
   create index audit_inputs on audit (at) where content is not null;`,

  // Whoever erases a job, in whichever way, erases what was said about it.
  `alter table reported add column by text;
   alter table reported add column news integer not null default 0;
   alter table reported add column told integer not null default 0;
   alter table reported add column ping integer not null default 0;
   alter table reported add column notice text;
   alter table reported add column next_at integer not null default 0;
   alter table reported add column failures integer not null default 0;
   create index reported_news on reported (next_at) where told < news;
   create trigger jobs_erased after delete on jobs begin
     delete from reports where job = old.id;
     delete from reported where job = old.id;
     delete from webhook_deliveries where job = old.id and type in ('result.reported', 'result.withheld');
   end;`,
];
