import type { PostgresQueryResult } from "kysely";
import { FOR_ONE_STATEMENT } from "../exclusive.ts";
import type { NamedStatement, StatementNames } from "./statement-names.ts";

/** A statement, and what it is run with. */
interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What a server answers. */
export interface DriverResult<R> extends PostgresQueryResult<R> {
  readonly fields: readonly { readonly name: string }[];
}

/** A connection of the driver's, which sends what it is given at once, and has it answered in that order. */
export interface DriverConnection {
  /** Of one with a name, the server is sent no more than that and the values once it knows it. */
  query<R>(statement: NamedStatement & { readonly values: readonly unknown[] }): Promise<DriverResult<R>>;
  query<R>(text: string, values: readonly unknown[]): Promise<DriverResult<R>>;
  release(destroy?: boolean): void;
}

const BEGINS = /^(?:begin|start)\b/;
const ENDS = /^(?:commit|rollback)\b/;

/** The answer to what was not sent. */
const nothing = <R>(): PostgresQueryResult<R> => ({ command: "SELECT", rowCount: 0, rows: [] });

/**
 * Sends statements over a connection in as few turns as can be: a transaction's beginning goes with its first statement, and where that
 * is its only one, its locks and its end go with it, too, so that nobody waits at a lock for this process to hear of having it. What is
 * asked again and again the server knows by its name.
 */
export class Sending {
  readonly #client: DriverConnection;
  readonly #names: StatementNames;
  /** What a transaction begins with, and was not sent yet. */
  #beginning: Statement[] = [];
  #isOpen = false;
  #isForOne = false;

  constructor(client: DriverConnection, names: StatementNames) {
    this.#client = client;
    this.#names = names;
  }

  /** Whether what is sent now is part of a transaction that is still to be committed. */
  get isInTransaction(): boolean {
    return this.#isOpen;
  }

  /**
   * @param isFollowed whether something is sent along with this in any transaction
   * @throws what the driver throws, also of what was sent along with it
   */
  async send<R>(
    text: string,
    values: readonly unknown[],
    isFollowed = false,
  ): Promise<PostgresQueryResult<R>> {
    const statement = { text, values };
    if (BEGINS.test(text)) {
      this.#beginning = [statement];
      this.#isOpen = true;
      this.#isForOne = false;
      return nothing();
    }
    if (ENDS.test(text)) return this.#end(statement);
    if (text.endsWith(FOR_ONE_STATEMENT)) {
      this.#isForOne = true;
      this.#beginning.push(statement);
      return nothing();
    }
    const end = this.#isForOne && !isFollowed ? [{ text: "commit", values: [] }] : [];
    this.#isForOne = false;
    const before = this.#beginning;
    this.#beginning = [];
    try {
      return await this.#together<R>(before, statement, end);
    } finally {
      if (end.length > 0) this.#isOpen = false;
    }
  }

  /** Nothing where nothing was sent, or the end was. */
  async #end<R>({ text, values }: Statement): Promise<PostgresQueryResult<R>> {
    const isSent = this.#isOpen && this.#beginning.length === 0;
    this.#beginning = [];
    this.#isOpen = false;
    return isSent ? this.#client.query<R>(text, values) : nothing();
  }

  async #together<R>(
    before: readonly Statement[],
    statement: Statement,
    after: readonly Statement[],
  ): Promise<PostgresQueryResult<R>> {
    const begun = before.map((one) => this.#one(one));
    const answer = this.#one<R>(statement);
    const ended = after.map((one) => this.#one(one));
    const all = await Promise.allSettled([...begun, answer, ...ended]);
    // What follows one that failed fails for that.
    for (const one of all) if (one.status === "rejected") throw one.reason;
    return answer;
  }

  async #one<R>({ text, values }: Statement): Promise<PostgresQueryResult<R>> {
    // Without values it may be several statements at once.
    if (values.length === 0) return this.#client.query<R>(text, values);
    const named = this.#names.of(text);
    if (named) return this.#client.query<R>({ ...named, values });
    const result = await this.#client.query<R>(text, values);
    this.#names.ran(
      text,
      result.fields.map(({ name }) => name),
    );
    return result;
  }
}
