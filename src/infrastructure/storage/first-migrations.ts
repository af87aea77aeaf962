/** The first of `MIGRATIONS`: they are complete, and never change. */
export const FIRST_MIGRATIONS: readonly string[] = [
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
