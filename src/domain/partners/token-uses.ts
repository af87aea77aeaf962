import type { Database } from "../../infrastructure/storage/database.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import { currentTime } from "../../common/time.ts";

const NAMESPACE = "token-uses";

/** How exactly a last use is known, in milliseconds: of a token that is in use, one write a minute. */
const EVERY_MS = 60_000;

/** When tokens were last used. */
export class TokenUses {
  readonly #database: Pick<Database, "kysely">;
  readonly #now: () => number;
  /** What this process wrote last, by token. */
  readonly #written = new Map<string, number>();

  /** @param now milliseconds since 1970 */
  constructor(database: Pick<Database, "kysely">, now: () => number = currentTime) {
    this.#database = database;
    this.#now = now;
  }

  /** Notes that a token was used just now, if that is not known yet. */
  async note(partner: string, token: string): Promise<void> {
    const name = nameOf(partner, token);
    const now = this.#now();
    if (Math.abs(now - (this.#written.get(name) ?? -Infinity)) < EVERY_MS) return;
    this.#written.set(name, now);
    await memory(this.#database, NAMESPACE).set(name, now);
  }

  /** When it was used, to the minute, in milliseconds since 1970; undefined: never. */
  async last(partner: string, token: string): Promise<number | undefined> {
    return memory(this.#database, NAMESPACE).get<number>(nameOf(partner, token));
  }

  async forget(partner: string, token: string): Promise<void> {
    await memory(this.#database, NAMESPACE).delete(nameOf(partner, token));
  }
}

const nameOf = (partner: string, token: string) => `${partner} ${token}`;
