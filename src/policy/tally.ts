import { createHash } from "node:crypto";
import type { Database } from "../storage/database.ts";
import { memory } from "../storage/key-value.ts";

const NAMESPACE = "tally";

const DAY_MS = 24 * 60 * 60_000;

/** What is counted: what somebody, or everybody in a group, begins with a key. */
interface Counted {
  readonly keyId: string;
  /** A person or a group. */
  readonly by: string;
}

/** Up to how many jobs may be begun in a day, and the error that says so. */
export interface Cap extends Counted {
  readonly code: "daily_cap" | "chat_cap";
  readonly max: number;
}

/**
 * What was begun today (UTC) with keys that several people share. It is kept apart from the jobs, because deleting
 * one gives nothing back; and under digests, because until midnight it outlasts a person's wish to be forgotten.
 */
export class Tally {
  readonly #database: Pick<Database, "kysely">;

  constructor(database: Pick<Database, "kysely">) {
    this.#database = database;
  }

  /** How many were begun. */
  async count(counted: Counted): Promise<number> {
    return (await memory(this.#database, NAMESPACE).get<number>(entryOf(counted))) ?? 0;
  }

  /** The first cap that is reached. */
  async reached(caps: readonly Cap[]): Promise<Cap | undefined> {
    for (const cap of caps) if ((await this.count(cap)) >= cap.max) return cap;
    return undefined;
  }

  /**
   * Counts one more under each cap unless one is reached: under the write lock, so that of several at the same
   * moment only as many begin as may.
   * @returns the cap that is reached
   */
  async begin(caps: readonly Cap[]): Promise<Cap | undefined> {
    return this.#database.kysely.transaction().execute(async (kysely) => {
      const tally = new Tally({ kysely });
      const reached = await tally.reached(caps);
      if (reached) return reached;
      const untilMidnight = DAY_MS - (Date.now() % DAY_MS);
      for (const cap of caps)
        await memory({ kysely }, NAMESPACE).set(entryOf(cap), (await tally.count(cap)) + 1, untilMidnight);
      return undefined;
    });
  }
}

/** The day is in it: what was begun before midnight does not count after it. */
function entryOf({ keyId, by }: Counted): string {
  const day = Math.floor(Date.now() / DAY_MS);
  return createHash("sha256").update(`${day} ${keyId} ${by}`).digest("base64url");
}
