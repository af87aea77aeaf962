import { DAY_SUMS } from "../steps/day-sums.ts";
import { LESSONS } from "../steps/lessons.ts";
import { PLAY_MONEY } from "../steps/play-money.ts";
import type { Migration } from "./migrate.ts";
import { RATE_SLOTS } from "./rate-slots.ts";

/**
 * What brings a PostgreSQL database from nothing to `DatabaseSchema`, in order, as the scripts of SQLite do there; a test holds
 * the tables of both against each other. Only ever append; what takes away a column or
 * a table that the version before uses is `takesAway`. Text is compared by its bytes, as SQLite does: ids are in the order in which they
 * were given, whatever the language of the database.
 */
export const MIGRATIONS: readonly Migration[] = [
  `create domain words as text collate "C";
   create function now_ms() returns bigint language sql volatile
     as $$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint $$;

   create table kv (
     namespace words not null,
     key words not null,
     value words not null,
     expires_at bigint,
     primary key (namespace, key)
   );
   create index kv_expiry on kv (expires_at) where expires_at is not null;

   create table rate_slots (
     id words not null,
     scope words not null,
     rate_group words not null,
     until bigint not null,
     primary key (id, scope)
   );
   create index rate_slots_window on rate_slots (scope, rate_group, until);
   create index rate_slots_expiry on rate_slots (until);
   create table rate_blocks (
     scope words not null,
     rate_group words not null,
     since bigint not null,
     until bigint not null,
     primary key (scope, rate_group)
   );

   create table jobs (
     id words primary key,
     "user" words not null,
     chat words,
     surface words not null,
     address words not null,
     platform words,
     in_app_username words,
     request words,
     press words,
     traits words,
     key_id words not null,
     host words not null default 'primary',
     operation words not null,
     input words not null,
     fingerprint words not null,
     mature bigint not null default 0,
     state words not null,
     delivery words not null,
     going_on bigint generated always as (
       (state in ('queued', 'submitting', 'unsure', 'running') or delivery in ('due', 'delivering'))::int) stored,
     service_id words,
     cost double precision,
     balance double precision,
     before words,
     progress double precision,
     result words,
     error words,
     awaits words,
     read_at bigint,
     receipt words,
     created_at bigint not null,
     submitted_at bigint,
     lost_at bigint,
     accepted_at bigint,
     ended_at bigint,
     delivered_at bigint,
     not_before bigint not null,
     attempts bigint not null,
     runner words not null,
     fence bigint not null default 0,
     released_at bigint,
     unique (key_id, service_id)
   ) with (fillfactor = 70);
   create index jobs_of_user on jobs ("user", id);
   create unique index jobs_request on jobs (request) where request is not null;
   create index jobs_untagged on jobs ("user") where in_app_username is null;
   create index jobs_going_on on jobs ("user", going_on, in_app_username);
   create index jobs_told on jobs (delivered_at) where delivered_at is not null;
   create index jobs_by_service_id on jobs (service_id) where service_id is not null;
   create index jobs_unreached on jobs (chat, "user") where delivery = 'undeliverable';
   create index jobs_open_by_runner on jobs (runner, state) where going_on = 1;
   create index jobs_undelivered on jobs (runner, delivery, not_before, id, "user") where delivery in ('due', 'delivering');
   create index jobs_open_by_user on jobs ("user", state, not_before, id) where going_on = 1;
   create index jobs_open_by_key on jobs (key_id, state, fingerprint) where going_on = 1;

   create table experience (
     operation words not null,
     size words not null,
     price double precision,
     mean_ms double precision,
     spread_ms double precision not null,
     count bigint not null,
     primary key (operation, size)
   );
   create table runners (
     id words primary key,
     pid bigint not null,
     started words,
     boot words,
     pid_namespace words,
     beat_at bigint not null
   );

   create table erased_jobs (
     rowid bigint generated always as identity,
     "user" words,
     platform words not null,
     in_app_username words,
     operation words not null,
     day words not null,
     success bigint not null,
     cost double precision,
     took_ms bigint
   );
   create index erased_jobs_of_user on erased_jobs ("user") where "user" is not null;
   create index erased_jobs_named on erased_jobs (day) where in_app_username is not null;
   create view usage as
     select id, "user", coalesce(platform, surface) as platform, in_app_username, operation,
       to_char(to_timestamp(created_at / 1000) at time zone 'UTC', 'YYYY-MM-DD') collate "C" as day,
       (state = 'completed')::int as success, cost,
       case state when 'completed' then ended_at - created_at end as took_ms
     from jobs
     union all
     select null, "user", platform, in_app_username, operation, day, success, cost, took_ms from erased_jobs;

   create table job_events (
     id bigint generated by default as identity primary key,
     "user" words not null,
     job words not null,
     type words not null,
     data words not null,
     at bigint not null
   );
   create index job_events_of_job on job_events (job, id);
   create unique index job_events_end on job_events (job) where type <> 'job.progress';
   create index job_events_progress on job_events (at) where type = 'job.progress';

   create table webhook_endpoints (
     id words primary key,
     "user" words not null,
     url words not null,
     events words not null,
     created_at bigint not null,
     disabled_at bigint,
     disabled_because words
   );
   create index webhook_endpoints_of_user on webhook_endpoints ("user");
   create table webhook_deliveries (
     seq bigint generated by default as identity primary key,
     id words not null unique,
     "user" words not null,
     endpoint words,
     url words not null,
     host words not null,
     receiver words generated always as (coalesce(endpoint, "user" || ' ' || host)) stored,
     type words not null,
     job words,
     body words,
     state words not null,
     attempts words not null default '[]',
     failures bigint not null default 0,
     retried bigint generated always as ((failures > 0)::int) stored,
     next_at bigint,
     created_at bigint not null
   );
   create index webhook_deliveries_due on webhook_deliveries (receiver, retried, next_at) where next_at is not null;
   create index webhook_deliveries_of_user on webhook_deliveries ("user", seq);
   create index webhook_deliveries_of_job on webhook_deliveries (job);
   create index webhook_deliveries_age on webhook_deliveries (created_at);

   create table held_files (
     file words not null,
     owner words not null,
     until bigint,
     primary key (file, owner)
   );
   create index held_files_of_owner on held_files (owner);
   create index held_files_until on held_files (until) where until is not null;

   create table audit (
     id bigint generated by default as identity primary key,
     at bigint not null,
     "user" words,
     username words,
     chat words,
     surface words not null,
     act words not null,
     rule words,
     operation words,
     job words,
     digest words,
     files words,
     content words
   );
   create index audit_age on audit (at);
   create index audit_of_user on audit ("user", id);
   create index audit_of_job on audit (job) where job is not null;
   create index audit_inputs on audit (at) where content is not null;

   create table reports (
     job words not null,
     reporter words not null,
     at bigint not null,
     primary key (job, reporter)
   );
   create index reports_of_reporter on reports (reporter);
   create table reported (
     job words primary key,
     state words not null,
     at bigint not null,
     by words,
     news bigint not null default 0,
     told bigint not null default 0,
     ping bigint not null default 0,
     notice words,
     next_at bigint not null default 0,
     failures bigint not null default 0
   );
   create index reported_news on reported (next_at) where told < news;
   create function erase_with_job() returns trigger language plpgsql as $$ begin
     delete from reports where job = old.id;
     delete from reported where job = old.id;
     delete from webhook_deliveries where job = old.id and type in ('result.reported', 'result.withheld');
     return null;
   end $$;
   create trigger jobs_erased after delete on jobs for each row execute function erase_with_job();

   create table known_keys (
     seq bigint generated by default as identity primary key,
     digest words not null,
     mark bigint not null,
     length bigint not null,
     owner words not null,
     until bigint
   );
   create unique index known_keys_of_owner on known_keys (owner, digest);
   create index known_keys_by_digest on known_keys (digest);

   create table made_pictures (
     digest words primary key,
     look words,
     signs words not null,
     mature bigint not null,
     photo bigint not null,
     at bigint not null
   );
   create index made_pictures_age on made_pictures (at);
   create table made_looks (
     part bigint not null,
     digest words not null,
     primary key (part, digest)
   );
   create index made_looks_of_picture on made_looks (digest);
   create function erase_with_picture() returns trigger language plpgsql as $$ begin
     delete from made_looks where digest = old.digest;
     return null;
   end $$;
   create trigger made_pictures_erased after delete on made_pictures for each row execute function erase_with_picture();
   create table examined_pictures (
     digest words not null,
     examiner words not null,
     categories words not null,
     at bigint not null,
     primary key (digest, examiner)
   );
   create index examined_pictures_age on examined_pictures (at);`,

  `create table report_notices (
     job words not null,
     audience words not null,
     news bigint not null,
     told bigint not null default 0,
     ping bigint not null default 0,
     notice words,
     next_at bigint not null default 0,
     failures bigint not null default 0,
     primary key (job, audience)
   );
   create index report_notices_due on report_notices (next_at) where told < news;
   insert into report_notices (job, audience, news, told, ping, notice, next_at, failures)
     select job, 'operators', news, told, ping, notice, next_at, failures from reported where news > 0;
   drop index reported_news;
   alter table reported drop column news, drop column told, drop column ping, drop column notice,
     drop column next_at, drop column failures;
   create function erase_with_report() returns trigger language plpgsql as $$ begin
     delete from report_notices where job = old.job;
     return null;
   end $$;
   create trigger reported_erased after delete on reported for each row execute function erase_with_report();`,

  // Where a notice stands: it is changed there alone, wherever its readers are told by now.
  "alter table report_notices add column place words;",
  // Who waits for a place in a window, so that the node that is nearest is not always served first.
  `create table rate_waits (
     waiter words primary key,
     scope words not null,
     rate_group words not null,
     since bigint not null,
     until bigint not null
   );
   create index rate_waits_of_scope on rate_waits (scope, rate_group, since);`,

  // Whether what is here was moved to another database, or from one.
  `create table moved (
     id bigint primary key,
     state words not null,
     move words not null,
     place words not null,
     at bigint not null
   );`,

  // As what somebody decided about a result. Who was named as an operator then is not known: what stands is undone by no place.
  `alter table reported add column role words;
   update reported set role = 'operator' where by is not null;`,

  // Notices that stand where nobody is told any more: their buttons go.
  `create table left_notices (
     notice words primary key,
     surface words not null,
     next_at bigint not null default 0,
     failures bigint not null default 0
   );`,

  // What one process does for all; see `SharedRole`.
  `create table roles (
     name words primary key,
     node words not null,
     fence bigint not null,
     until bigint not null,
     state words
   );`,

  // What a node knows of these steps; see `migrate`.
  "alter table runners add column schema bigint;",

  // Several run Reelay, each with a role; and of what is done about partners it stands there who did it.
  `create table operators (
     id words primary key,
     name words,
     role words not null,
     invited_at bigint not null,
     invited_by words not null,
     seen_at bigint,
     removed_at bigint,
     link_digest words,
     link_until bigint
   );
   alter table audit add column by words;`,

  // What was spent of budgets, in millionths of a token, and what each job counts for in them.
  `create table spent (
     entry words primary key,
     tokens bigint not null,
     warned bigint,
     until bigint not null
   );
   create index spent_until on spent (until);
   alter table jobs add column held words;`,

  DAY_SUMS.postgres,

  // What older versions wrote, of which no budget knows yet.
  "create index jobs_uncounted on jobs (id) where held is null and paid_by is null;",

  RATE_SLOTS,

  // What waits for one of the service's windows is asked for by its operations; see `Lane`.
  `drop index jobs_open_by_user;
   create index jobs_open_by_user on jobs ("user", state, operation, not_before, id) where going_on = 1;`,

  // What a lost answer is judged by: what a key's jobs did since, and the last ones that a host accepted.
  `create index jobs_of_key on jobs (key_id, (case when accepted_at > ended_at then accepted_at else ended_at end))
     where ended_at is not null;
   create index jobs_of_host on jobs (host, id) where service_id is not null;`,

  // What somebody has that is going on is an index of its own; all jobs of a name, and what came to nothing, are listed by theirs.
  `drop index jobs_going_on;
   create index jobs_going_on on jobs ("user", going_on, in_app_username) where going_on = 1;
   create index jobs_named on jobs ("user", in_app_username, id);
   create index jobs_in_vain on jobs ("user", id) where state in ('failed', 'cancelled') or delivery = 'undeliverable';
   create index jobs_open_by_chat on jobs (chat) where going_on = 1 and chat is not null;`,

  LESSONS.postgres,
  { takesAway: "drop table experience;" },
  PLAY_MONEY.postgres,
];
