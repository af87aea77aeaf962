/** What SQLite and PostgreSQL each say in their own way of the table `day_sums`. */
interface Saying {
  /** The day of a time in milliseconds since 1970, as YYYY-MM-DD (UTC). */
  readonly day: (at: string) => string;
}

/** States in which a job has ended. */
const ENDED = "('completed', 'failed', 'cancelled')";

/** What tells the rows of `day_sums` apart. */
const KEY = ["day", "operation", "surface", "partner", "paid_by"] as const;

/** The most tokens that are counted of a job, in millionths: as in budgets. */
const MOST = "1000000000000000";

/** What is counted of a job, as a number of the row that has its columns. */
const COUNTS: Readonly<Record<string, (row: string) => string>> = {
  jobs: (row) => `case when ${row}.state in ${ENDED} then 1 else 0 end`,
  completed: (row) => `case when ${row}.state = 'completed' then 1 else 0 end`,
  failed: (row) => `case when ${row}.state = 'failed' and not ${unsure(row)} then 1 else 0 end`,
  unsure: (row) => `case when ${row}.state = 'failed' and ${unsure(row)} then 1 else 0 end`,
  tokens: millionths,
  failed_tokens: (row) => `case when ${row}.state = 'failed' then ${millionths(row)} else 0 end`,
};

/** Nobody knows what it cost, as `costOf` says it: it was accepted and its price never told, or its answer was lost. */
function unsure(row: string): string {
  return `(${row}.cost is null and (${row}.service_id is not null or coalesce(${row}.error, '') like '%"code":"lost_%'))`;
}

/** Sums of whole numbers are exact, those of binary fractions are not. */
function millionths(row: string): string {
  return `cast(case when ${row}.cost > 0 then
    case when ${row}.cost * 1000000 < ${MOST} then round(${row}.cost * 1000000) else ${MOST} end
  else 0 end as bigint)`;
}

/** Ids of partners begin after `http:`; "": somebody else's. */
const partner = (row: string) =>
  `case when ${row}."user" like 'http:%' then substr(${row}."user", 6) else '' end`;

/** Adds what a job comes to now, less what it came to before. */
const change = ({ day }: Saying) => `
  insert into day_sums (${[...KEY, ...Object.keys(COUNTS)].join(", ")})
  values (${day("new.created_at")}, new.operation, new.surface, ${partner("new")}, coalesce(new.paid_by, ''),
    ${Object.values(COUNTS)
      .map((count) => `${count("new")} - ${count("old")}`)
      .join(", ")})
  on conflict (${KEY.join(", ")}) do update set
    ${Object.keys(COUNTS)
      .map((name) => `${name} = day_sums.${name} + excluded.${name}`)
      .join(", ")};`;

/** Whether a step of a job changes any of it. */
const CHANGES = `(old.cost is distinct from new.cost
  or (old.state <> new.state and (old.state in ${ENDED} or new.state in ${ENDED})))`;

/** What older versions wrote: who paid is not known of it. Of jobs that were erased it is known whether they were completed, and what they cost. */
const fill = ({ day }: Saying) => `
  insert into day_sums (${[...KEY, ...Object.keys(COUNTS)].join(", ")})
  select day, operation, surface, partner, '', ${Object.keys(COUNTS)
    .map((name) => `sum(${name})`)
    .join(", ")}
  from (
    select ${day("jobs.created_at")} as day, operation, surface, ${partner("jobs")} as partner,
      ${Object.entries(COUNTS)
        .map(([name, count]) => `${count("jobs")} as ${name}`)
        .join(", ")}
    from jobs
    union all
    select day, operation,
      case when platform in ('web', 'cli', 'telegram', 'discord') and coalesce("user", '') not like 'http:%' then platform
        else 'http' end,
      ${partner("erased_jobs")}, 1, success, case when success = 0 and cost > 0 then 1 else 0 end, 0,
      ${millionths("erased_jobs")}, case when success = 0 then ${millionths("erased_jobs")} else 0 end
    from erased_jobs
  ) as counted
  group by day, operation, surface, partner
  having sum(jobs) > 0 or sum(tokens) > 0;`;

const columns = (text: string, number: string) => `
  ${KEY.map((name) => `${name} ${text} not null`).join(", ")},
  ${Object.keys(COUNTS)
    .map((name) => `${name} ${number} not null`)
    .join(", ")},
  primary key (${KEY.join(", ")})`;

const sqlite: Saying = { day: (at) => `date(${at} / 1000, 'unixepoch')` };

const postgres: Saying = {
  day: (at) => `to_char(to_timestamp(${at} / 1000) at time zone 'UTC', 'YYYY-MM-DD')`,
};

/**
 * The step of the migrations that makes `day_sums`: what the jobs of each day came to, of no person. Whatever changes a job changes
 * it by a trigger, in the same statement: nothing can forget to, nor a node of a version that does not know of it.
 */
export const DAY_SUMS = {
  sqlite: `alter table jobs add column paid_by text;
    create table day_sums (${columns("text", "integer")}) strict, without rowid;
    create trigger jobs_summed after update of state, cost on jobs when ${CHANGES} begin ${change(sqlite)} end;
    ${fill(sqlite)}`,
  // The trigger keeps others from changing jobs until all of them are counted.
  postgres: `alter table jobs add column paid_by words;
    create table day_sums (${columns("words", "bigint")});
    create function sum_job() returns trigger language plpgsql as $$ begin ${change(postgres)} return null; end $$;
    create trigger jobs_summed after update of state, cost on jobs for each row when ${CHANGES}
      execute function sum_job();
    ${fill(postgres)}`,
} as const;
