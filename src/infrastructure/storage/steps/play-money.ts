/** A job that was erased before it was kept who paid: the sandbox, where nobody else did for the like on that day. */
const like = (paidBy: string) => `select 1 from day_sums where day_sums.day = erased_jobs.day
  and day_sums.operation = erased_jobs.operation and day_sums.paid_by ${paidBy}`;

const known = `update erased_jobs set paid_by = 'sandbox'
  where exists (${like("= 'sandbox'")}) and not exists (${like("<> 'sandbox'")});`;

const view = (day: string, success: string) => `
  select id, "user", coalesce(platform, surface) as platform, in_app_username, operation, ${day} as day,
    ${success} as success, cost, case state when 'completed' then ended_at - created_at end as took_ms, paid_by
  from jobs
  union all
  select null, "user", platform, in_app_username, operation, day, success, cost, took_ms, paid_by from erased_jobs;`;

/**
 * The step of the migrations that has play money told apart wherever jobs are summed. What jobs of the sandbox hold in budgets is given
 * back: until then it was counted with a service's tokens.
 */
const step = (column: string, usage: string, tokens: string, entries: string) => `
  alter table erased_jobs add column paid_by ${column};
  ${known}
  ${usage}
  update spent set tokens = spent.tokens - play.tokens
  from (
    select entries.value as entry, cast(sum(${tokens}) as bigint) as tokens from jobs, ${entries}
    where jobs.paid_by = 'sandbox' and jobs.held is not null
    group by entries.value
  ) as play
  where play.entry = spent.entry;
  update jobs set held = null where paid_by = 'sandbox' and held is not null;`;

/** See {@link step}; its entries in budgets are counted apart since (`purseOf`). */
export const PLAY_MONEY = {
  sqlite: step(
    "text",
    `drop view if exists usage;
    create view usage as ${view("date(created_at / 1000, 'unixepoch')", "state = 'completed'")}`,
    "json_extract(jobs.held, '$.tokens')",
    "json_each(jobs.held, '$.entries') as entries",
  ),
  postgres: step(
    "words",
    `create or replace view usage as ${view(
      `to_char(to_timestamp(created_at / 1000) at time zone 'UTC', 'YYYY-MM-DD') collate "C"`,
      "(state = 'completed')::int",
    )}`,
    "(jobs.held::json ->> 'tokens')::bigint",
    "json_array_elements_text(jobs.held::json -> 'entries') as entries (value)",
  ),
} as const;
