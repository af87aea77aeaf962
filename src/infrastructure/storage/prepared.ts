import type { Compilable, CompiledQuery, Kysely, QueryResult } from "kysely";
import { type Dialect, dialectOf } from "./dialect.ts";
import type { DatabaseSchema } from "./schema.ts";

type Db = Kysely<DatabaseSchema>;

/** What a statement is run with. */
type Values<Names extends PropertyKey = string> = Readonly<Record<Names, string | number | null>>;

/** A statement as it was compiled, and where each of its values comes from. */
interface Prepared<Row> {
  readonly query: CompiledQuery<Row>;
  /** By place: the name of a value, or undefined where it is the same every time. */
  readonly names: readonly (string | undefined)[];
}

/** Stands for a value while a statement is compiled. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement that is built and compiled once for each engine, and then run with other values each time: building one costs
 * more than SQLite takes to run it.
 * @param build builds it, with something in place of each value that is only passed on: what it is, nobody may look at. Those of
 * one statement have the same names every time
 * @returns runs it, in a transaction or without
 */
export function prepared<V extends Values<keyof V>, Row>(
  build: (db: Db, values: V) => Compilable<Row>,
): (db: Db, values: V) => Promise<QueryResult<Row>> {
  const known = new Map<Dialect, Prepared<Row>>();
  const compile = (db: Db, values: V): Prepared<Row> => {
    const slots = Object.fromEntries(Object.keys(values).map((name) => [name, new Slot(name)]));
    const query = build(db, slots as unknown as V).compile();
    return { query, names: query.parameters.map((one) => (one instanceof Slot ? one.name : undefined)) };
  };
  return (db, values) => {
    const dialect = dialectOf(db);
    const { query, names } = known.get(dialect) ?? compile(db, values);
    if (!known.has(dialect)) known.set(dialect, { query, names });
    const given: Partial<Values> = values;
    const parameters = names.map((name, place) =>
      name === undefined ? query.parameters[place] : given[name],
    );
    return db.executeQuery<Row>({ ...query, parameters });
  };
}
