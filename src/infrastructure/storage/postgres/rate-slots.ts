/**
 * What is asked of a server for each request: one round trip, so that nobody waits for another node between its lock and the end of its
 * transaction. A function that is volatile shows each of its statements what was committed before that statement.
 */
export const RATE_SLOTS = `
  -- Takes a slot in all scopes or in none: null where it was taken; else for each scope, in milliseconds, how long it is to be waited for;
  -- an empty list where nobody has met this server yet. Whoever waits is known to others from then on.
  create function take_slot(
    slot words, of_group words, limited words[], noted words[], lock_names text[], most bigint, left_scope words, left_least bigint,
    left_most bigint, asker words, window_ms bigint, held_ms bigint, kept_ms bigint, behind_ms bigint
  ) returns double precision[] language plpgsql as $$
  declare
    at_ms bigint;
    taken_before bigint := most - 1;
    waits double precision[];
  begin
    -- As a write would say it: a standby does not tell which server it is.
    if pg_is_in_recovery() then
      raise read_only_sql_transaction;
    end if;
    perform pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(lock_names) as name;
    at_ms := now_ms();
    if not exists (
      select from rate_blocks where scope = 'server' and rate_group = substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
    ) then
      return '{}';
    end if;
    if left_scope is not null then
      taken_before := greatest(0, taken_before - least(left_most, greatest(left_least, (
        select count(*) from rate_slots where scope = left_scope and rate_group = of_group and until >= at_ms))));
    end if;
    select array_agg(greatest(0, used.wait, blocked.wait, behind.wait) order by place) into waits
    from unnest(limited) with ordinality as scopes (name, place)
    -- A call that is still out gives its slot back one window from now at the earliest. The clock's millisecond has a fraction, so
    -- that a slot is free only in the one after.
    left join lateral (
      select least(until - at_ms, window_ms) + 1 as wait from rate_slots
      where scope = name and rate_group = of_group and until >= at_ms order by until desc limit 1 offset taken_before
    ) as used on true
    cross join lateral (
      select max(until) - at_ms as wait from rate_blocks where (scope = name and rate_group = of_group) or scope = 'server'
    ) as blocked
    left join lateral (
      select behind_ms as wait from rate_waits as other
      where other.scope = name and other.rate_group = of_group and other.waiter <> asker and other.until >= at_ms
        and other.since < coalesce((select since from rate_waits where waiter = asker), other.since + 1)
      limit 1
    ) as behind on true;
    if 0 = all (waits) then
      insert into rate_slots (id, scope, rate_group, until)
        select slot, name, of_group, at_ms + held_ms from unnest(limited || noted) as name;
      delete from rate_waits where waiter = asker;
      return null;
    end if;
    if asker is not null then
      -- A crash takes a place in a line back, and nothing else.
      perform set_config('synchronous_commit', 'off', true);
      -- In the line of the first scope alone that it waits for: at the others it would keep out who need not wait.
      insert into rate_waits (waiter, scope, rate_group, since, until)
        select asker, name, of_group, at_ms, at_ms + (select max(wait) from unnest(waits) as wait) + kept_ms
        from unnest(limited, waits) as scopes (name, wait) where wait > 0 limit 1
        on conflict (waiter) do update set scope = excluded.scope, until = excluded.until;
    end if;
    return waits;
  end $$;

  -- From now on a slot counts for one more window. Should a crash take that back, it counts for longer: nobody waits for the disk.
  create function release_slot(slot words, of_group words, scopes words[], window_ms bigint) returns void language plpgsql as $$
  begin
    perform set_config('synchronous_commit', 'off', true);
    insert into rate_slots (id, scope, rate_group, until)
      select slot, name, of_group, now_ms() + window_ms from unnest(scopes) as name
      on conflict (id, scope) do update set until = excluded.until;
  end $$;

  -- Erases what counts no more, which a crash may take back. What is later than this clock can have given is from before it was set back:
  -- it counts anew.
  create function sweep_slots(window_ms bigint, held_ms bigint) returns void language plpgsql as $$
  declare
    at_ms bigint := now_ms();
  begin
    perform set_config('synchronous_commit', 'off', true);
    delete from rate_slots where until < at_ms;
    delete from rate_waits where until < at_ms - window_ms;
    update rate_slots set until = at_ms + held_ms where until > at_ms + held_ms;
    update rate_blocks set since = at_ms, until = at_ms + until - since where since > at_ms;
  end $$;`;
