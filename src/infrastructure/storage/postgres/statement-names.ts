/** A statement has a name from this run on: what is run once, such as a migration, is planned once. */
const NAMED_AT = 3;

/** Statements that have a name: a server keeps what it knows of each for as long as a connection lasts. */
const MOST_NAMED = 300;

/** Texts that are counted until they have a name: lists of any length make others. */
const MOST_COUNTED = 1_000;

/** All columns of a table: which those are, a migration of another node changes. */
const ALL_COLUMNS = /[ .]\*/;

/** Where that is what a statement returns. */
const RETURNS_ALL = /^select \*(?= from )|(?<= returning )\*$/;

/** A statement that a server keeps under a name. */
export interface NamedStatement {
  readonly name: string;
  /** With the columns that it returned before instead of all that there are: under one name it must always return the same. */
  readonly text: string;
}

/**
 * Names of statements that are run again and again, by their text: a server reads and plans one that has a name once for each
 * connection, which takes it several times as long as to run it.
 */
export class StatementNames {
  readonly #named = new Map<string, NamedStatement>();
  readonly #runs = new Map<string, number>();

  /** What a statement is sent as; undefined where it has no name. */
  of(text: string): NamedStatement | undefined {
    return this.#named.get(text);
  }

  /** Counts a run of a statement that has no name yet. @param columns those that it returned, in their order */
  ran(text: string, columns: readonly string[]): void {
    // Runs that began before may end after it has one.
    if (this.#named.has(text) || this.#named.size >= MOST_NAMED) return;
    const runs = (this.#runs.get(text) ?? 0) + 1;
    if (this.#runs.size >= MOST_COUNTED) this.#runs.clear();
    this.#runs.set(text, runs);
    if (runs < NAMED_AT - 1) return;
    this.#runs.delete(text);
    const named = text.replace(RETURNS_ALL, (all) => all.replace("*", () => columns.map(quoted).join(", ")));
    if (!ALL_COLUMNS.test(named)) this.#named.set(text, { name: `reelay_${this.#named.size}`, text: named });
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
