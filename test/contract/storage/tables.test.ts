import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { startEngines, twoNodes } from "./engines.ts";

const engines = await startEngines();

/** What a database consists of, each as a line. */
type Parts = Record<"columns" | "keys" | "indexes" | "triggers", readonly string[]>;

const TYPES: Readonly<Record<string, string>> = { bigint: "integer", "double precision": "real" };

interface Column {
  readonly owner: string;
  readonly name: string;
  readonly type: string;
  readonly empty: 0 | 1;
  readonly generated: 0 | 1;
}

interface Index {
  readonly name: string;
  readonly columns: string;
  readonly once: 0 | 1;
  readonly partial: 0 | 1;
}

async function sqliteParts({ kysely }: Database): Promise<Parts> {
  const { rows: columns } = await sql<Column>`
    select part.name as owner, columns.name, lower(columns.type) as type,
      not (columns."notnull" or columns.pk > 0) as empty, columns.hidden > 1 as generated
    from sqlite_master as part, pragma_table_xinfo(part.name) as columns
    where part.type = 'table' and part.name not like 'sqlite_%'
    union all
    select 'usage', name, 'shown', 1, 0 from pragma_table_xinfo('usage')
  `.execute(kysely);
  const { rows: keys } = await sql<Index>`
    select part.name, group_concat(columns.name order by columns.pk) as columns, 1 as once, 0 as partial
    from sqlite_master as part, pragma_table_xinfo(part.name) as columns
    where part.type = 'table' and part.name not like 'sqlite_%' and columns.pk > 0 group by part.name
    union all
    select part.name, (select group_concat(name order by seqno) from pragma_index_info(indexes.name)), 1, 0
    from sqlite_master as part, pragma_index_list(part.name) as indexes
    where part.type = 'table' and indexes.origin = 'u'
  `.execute(kysely);
  const { rows: indexes } = await sql<Index>`
    select indexes.name,
      (select group_concat(coalesce(name, '<expr>') order by seqno) from pragma_index_info(indexes.name)) as columns,
      indexes."unique" as once, indexes.partial
    from sqlite_master as part, pragma_index_list(part.name) as indexes
    where part.type = 'table' and indexes.origin = 'c'
  `.execute(kysely);
  const { rows: triggers } = await sql<Index>`select name from sqlite_master where type = 'trigger'`.execute(
    kysely,
  );
  return partsOf(columns, keys, indexes, triggers);
}

async function postgresParts({ kysely }: Database): Promise<Parts> {
  const { rows: columns } = await sql<Column>`
    select table_name as owner, column_name as name,
      case table_name when 'usage' then 'shown' else data_type end as type,
      (is_nullable = 'YES')::int as empty, (is_generated = 'ALWAYS')::int as generated
    from information_schema.columns where table_schema = 'public' and table_name <> 'migrated'
  `.execute(kysely);
  const { rows: all } = await sql<Index & { readonly key: 0 | 1 }>`
    select case when own.oid is null then index.relname else of.relname end as name,
      (select string_agg(case indkey[place - 1] when 0 then '<expr>' else pg_get_indexdef(indexrelid, place, true) end, ','
          order by place)
        from generate_series(1, indnatts) as place) as columns,
      indisunique::int as once, (indpred is not null)::int as partial, (own.oid is not null)::int as key
    from pg_index join pg_class as index on index.oid = indexrelid join pg_class as of on of.oid = indrelid
      left join pg_constraint as own on own.conindid = indexrelid
    where index.relnamespace = 'public'::regnamespace
  `.execute(kysely);
  const { rows: triggers } = await sql<Index>`
    select tgname as name from pg_trigger where not tgisinternal
  `.execute(kysely);
  const [keys, indexes] = [all.filter(({ key }) => key === 1), all.filter(({ key }) => key === 0)];
  return partsOf(columns, keys, indexes, triggers);
}

function partsOf(
  columns: readonly Column[],
  keys: readonly Index[],
  indexes: readonly Index[],
  triggers: readonly Index[],
): Parts {
  const lineOf = ({ owner, name, type, empty, generated }: Column) =>
    `${owner}.${name} ${TYPES[type] ?? type}${empty ? "" : " not null"}${generated ? " generated" : ""}`;
  const indexOf = ({ name, columns: named, once, partial }: Index) =>
    `${name} (${named.replaceAll('"', "")})${once ? " unique" : ""}${partial ? " partial" : ""}`;
  return {
    // SQLite has it of every table.
    columns: columns
      .filter(({ name }) => name !== "rowid")
      .map(lineOf)
      .toSorted(),
    keys: keys.map(indexOf).toSorted(),
    indexes: indexes.map(indexOf).toSorted(),
    triggers: triggers.map(({ name }) => name).toSorted(),
  };
}

describe.each(engines)("the tables on $name", (engine) => {
  it("are made once, and keep what they are given", async () => {
    const [here, there] = await twoNodes(engine);
    await here.check();
    expect(await there.kysely.selectFrom("kv").selectAll().execute()).toHaveLength(1);
  });
});

it.runIf(engines.length > 1)("are the same on all engines", async () => {
  const [sqlite, postgres] = await Promise.all(engines.map(twoNodes));
  const parts = sqlite && (await sqliteParts(sqlite[0]));
  expect(parts?.columns.length).toBeGreaterThan(100);
  expect(postgres && (await postgresParts(postgres[0]))).toEqual(parts);
});
