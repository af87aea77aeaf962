/** What is counted beside the statements: flushes of the database's log, which several commits may share. */
export const FLUSH = "-- flush";

/** And transactions, by what they write. */
const COMMIT = "-- writes ";

/** Under which a transaction is counted. @param writes what its statements change, in their order */
export const commitOf = (writes: readonly string[]) => `${COMMIT}${[...new Set(writes)].join(", ")}`;

/** What a transaction wrote that was counted under such a name; undefined for a statement. */
export const writtenBy = (name: string) => (name.startsWith(COMMIT) ? name.slice(COMMIT.length) : undefined);
