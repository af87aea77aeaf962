import { DAY_SUMS } from "./steps/day-sums.ts";
import { LESSONS } from "./steps/lessons.ts";
import { PLAY_MONEY } from "./steps/play-money.ts";
import { FIRST_MIGRATIONS } from "./first-migrations.ts";

/**
 * What brings a database from nothing to `Schema`, in order. Only ever append: the number of scripts
 * that ran is kept in the file (`user_version`), so an entry that was released never runs again.
 */
export const MIGRATIONS: readonly string[] = [
  ...FIRST_MIGRATIONS,

  // Two presses of one button within seconds are one request.
  "alter table jobs add column press text;",

  // Numbers are never used again: what came since is found by them.
  `create table known_keys (
     seq integer primary key autoincrement,
     digest text not null,
     mark integer not null,
     length integer not null,
     owner text not null,
     until integer
   ) strict;
   create unique index known_keys_of_owner on known_keys (owner, digest);
   create index known_keys_by_digest on known_keys (digest);`,

  // What is due is looked for receiver by receiver: however much waits for one, the next message of another is found
  // without passing over it.
  `alter table webhook_deliveries add column receiver text
     generated always as (coalesce(endpoint, user || ' ' || host)) virtual;
   alter table webhook_deliveries add column retried integer generated always as (failures > 0) virtual;
   drop index webhook_deliveries_due;
   create index webhook_deliveries_due on webhook_deliveries (receiver, retried, next_at) where next_at is not null;`,

  // What accepted jobs wait for, and when they were last read: no restart reads them sooner than is allowed.
  `alter table jobs add column awaits text;
   alter table jobs add column read_at integer;`,

  // What a lost answer is judged by, and the way to whoever has a job of the service, under whichever key.
  `alter table jobs add column before text;
   alter table jobs add column lost_at integer;
   create index jobs_by_service_id on jobs (service_id) where service_id is not null;`,

  // A number of a process says nothing in another container, nor after it was given to another process.
  `alter table runners add column started text;
   alter table runners add column boot text;
   alter table runners add column pid_namespace text;
   alter table jobs add column fence integer not null default 0;
   alter table jobs add column released_at integer;`,

  // Of two looks of one picture one part at least is the same: it is found by any of them.
  `alter table jobs add column traits text;
   create table made_pictures (
     digest text primary key,
     look text,
     signs text not null,
     mature integer not null,
     photo integer not null,
     at integer not null
   ) strict, without rowid;
   create index made_pictures_age on made_pictures (at);
   create table made_looks (
     part integer not null,
     digest text not null,
     primary key (part, digest)
   ) strict, without rowid;
   create index made_looks_of_picture on made_looks (digest);
   create trigger made_pictures_erased after delete on made_pictures begin
     delete from made_looks where digest = old.digest;
   end;`,

  `create table examined_pictures (
     digest text not null,
     examiner text not null,
     categories text not null,
     at integer not null,
     primary key (digest, examiner)
   ) strict, without rowid;
   create index examined_pictures_age on examined_pictures (at);`,

  // Names that partners give their people are one name in either form of Unicode.
  `update jobs set in_app_username = nfc(in_app_username) where in_app_username <> nfc(in_app_username);
   update erased_jobs set in_app_username = nfc(in_app_username) where in_app_username <> nfc(in_app_username);
   update audit set username = nfc(username) where username <> nfc(username);
   update or ignore kv set key = nfc(key) where namespace = 'people' and key <> nfc(key);
   delete from kv where namespace = 'people' and key <> nfc(key);`,

  // Asked for with everything that is heard of a chat.
  `create index jobs_unreached on jobs (chat, user) where delivery = 'undeliverable';`,

  // What is asked for at every step stands in the index: a row has a job's whole input in it.
  `drop index jobs_open_by_runner;
   drop index jobs_open_by_user;
   drop index jobs_open_by_key;
   create index jobs_open_by_runner on jobs (runner, state) where going_on = 1;
   create index jobs_undelivered on jobs (runner, delivery, not_before, id, user) where delivery in ('due', 'delivering');
   create index jobs_open_by_user on jobs (user, state, not_before, id) where going_on = 1;
   create index jobs_open_by_key on jobs (key_id, state, fingerprint) where going_on = 1;`,

  // Of one report several are told, each in a notice of their own. Whoever erases what was decided erases those, too.
  `create table report_notices (
     job text not null,
     audience text not null,
     news integer not null,
     told integer not null default 0,
     ping integer not null default 0,
     notice text,
     next_at integer not null default 0,
     failures integer not null default 0,
     primary key (job, audience)
   ) strict, without rowid;
   create index report_notices_due on report_notices (next_at) where told < news;
   insert into report_notices (job, audience, news, told, ping, notice, next_at, failures)
     select job, 'operators', news, told, ping, notice, next_at, failures from reported where news > 0;
   drop index reported_news;
   alter table reported drop column news;
   alter table reported drop column told;
   alter table reported drop column ping;
   alter table reported drop column notice;
   alter table reported drop column next_at;
   alter table reported drop column failures;
   create trigger reported_erased after delete on reported begin
     delete from report_notices where job = old.job;
   end;`,

  // Where a notice stands: it is changed there alone, wherever its readers are told by now.
  "alter table report_notices add column place text;",

  // Where several machines share a database: who waits for a place in a window, so that the nearest is not always served first.
  `create table rate_waits (
     waiter text primary key,
     scope text not null,
     rate_group text not null,
     since integer not null,
     until integer not null
   ) strict, without rowid;
   create index rate_waits_of_scope on rate_waits (scope, rate_group, since);`,

  // Whether what is here was moved to another database, or from one.
  `create table moved (
     id integer not null primary key,
     state text not null,
     move text not null,
     place text not null,
     at integer not null
   ) strict, without rowid;`,

  // As what somebody decided about a result. Who was named as an operator then is not known: what stands is undone by no place.
  `alter table reported add column role text;
   update reported set role = 'operator' where by is not null;`,

  // Notices that stand where nobody is told any more: their buttons go.
  `create table left_notices (
     notice text primary key,
     surface text not null,
     next_at integer not null default 0,
     failures integer not null default 0
   ) strict, without rowid;`,

  // What one process does for all; see `SharedRole`.
  `create table roles (
     name text primary key,
     node text not null,
     fence integer not null,
     until integer not null,
     state text
   ) strict, without rowid;`,

  // What a process knows of these scripts: on a server nodes of two versions work side by side.
  "alter table runners add column schema integer;",

  // Several run Reelay, each with a role; and of what is done about partners it stands there who did it.
  `create table operators (
     id text primary key,
     name text,
     role text not null,
     invited_at integer not null,
     invited_by text not null,
     seen_at integer,
     removed_at integer,
     link_digest text, link_until integer
   ) strict, without rowid;
   alter table audit add column by text;`,

  // What was spent of budgets, in millionths of a token, and what each job counts for in them.
  `create table spent (
     entry text primary key,
     tokens integer not null,
     warned integer,
     until integer not null
   ) strict, without rowid;
   create index spent_until on spent (until);
   alter table jobs add column held text;`,

  DAY_SUMS.sqlite,

  // What older versions wrote, of which no budget knows yet.
  "create index jobs_uncounted on jobs (id) where held is null and paid_by is null;",

  // What waits for one of the service's windows is asked for by its operations; see `Lane`.
  `drop index jobs_open_by_user;
   create index jobs_open_by_user on jobs (user, state, operation, not_before, id) where going_on = 1;`,

  // What a lost answer is judged by: what a key's jobs did since, and the last ones that a host accepted.
  `create index jobs_of_key on jobs (key_id, (case when accepted_at > ended_at then accepted_at else ended_at end))
     where ended_at is not null;
   create index jobs_of_host on jobs (host, id) where service_id is not null;`,

  // What somebody has that is going on is an index of its own; all jobs of a name, and what came to nothing, are listed by theirs.
  `drop index jobs_going_on;
   create index jobs_going_on on jobs (user, going_on, in_app_username) where going_on = 1;
   create index jobs_named on jobs (user, in_app_username, id);
   create index jobs_in_vain on jobs (user, id) where state in ('failed', 'cancelled') or delivery = 'undeliverable';
   create index jobs_open_by_chat on jobs (chat) where going_on = 1 and chat is not null;`,

  LESSONS.sqlite,
  "drop table experience;",

  PLAY_MONEY.sqlite,
];
