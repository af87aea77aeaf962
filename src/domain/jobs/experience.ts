import type { Database } from "../../infrastructure/storage/database.ts";

/** How much a new duration counts against the older ones, once there are a few. */
const WEIGHT = 0.2;

/** What nothing spoke against is expected a little sooner next time: that such jobs became faster would never be seen. */
const UNSEEN = 0.95;

/** What has been learned of one kind of job: an operation with the choices its price and duration depend on. */
interface Lesson {
  readonly price: number | null;
  readonly meanMs: number | null;
  /** Mean distance from the mean, in milliseconds. */
  readonly spreadMs: number;
  readonly count: number;
}

const NOTHING: Lesson = { price: null, meanMs: null, spreadMs: 0, count: 0 };

/** What past jobs cost and took, kept over restarts: the contract shows neither for most operations. */
export class Experience {
  readonly #db: Database["kysely"];
  readonly #lessons: Map<string, Lesson>;

  private constructor(database: Database, lessons: Map<string, Lesson>) {
    this.#db = database.kysely;
    this.#lessons = lessons;
  }

  /** Reads what was learned before. */
  static async open(database: Database): Promise<Experience> {
    const rows = await database.kysely.selectFrom("experience").selectAll().execute();
    const lessons = rows.map((row): [string, Lesson] => [
      nameOf(row.operation, row.size),
      { price: row.price, meanMs: row.mean_ms, spreadMs: row.spread_ms, count: row.count },
    ]);
    return new Experience(database, new Map(lessons));
  }

  /** Tokens that the same choices cost last time. */
  price(operation: string, size: string): number | null {
    return this.#lesson(operation, size).price;
  }

  /** How long such a job usually takes, in milliseconds: most have ended by then. */
  usualMs(operation: string, size: string): number | undefined {
    const { meanMs, spreadMs } = this.#lesson(operation, size);
    return meanMs === null ? undefined : meanMs + spreadMs;
  }

  /** How long such a job takes at the least, in milliseconds: few have ended by then. */
  soonestMs(operation: string, size: string): number | undefined {
    const { meanMs, spreadMs } = this.#lesson(operation, size);
    return meanMs === null ? undefined : Math.max(0, meanMs - 2 * spreadMs);
  }

  /** Remembers what a job was charged in the end. */
  async charged(operation: string, size: string, price: number): Promise<void> {
    const lesson = this.#lesson(operation, size);
    if (lesson.price !== price) await this.#keep(operation, size, { ...lesson, price });
  }

  /** Remembers how long a job took at the service, in milliseconds. */
  async took(operation: string, size: string, ms: number): Promise<void> {
    const lesson = this.#lesson(operation, size);
    const weight = Math.max(WEIGHT, 1 / (lesson.count + 1));
    const mean = lesson.meanMs ?? ms;
    await this.#keep(operation, size, {
      ...lesson,
      meanMs: mean + weight * (ms - mean),
      spreadMs: lesson.spreadMs + weight * (Math.abs(ms - mean) - lesson.spreadMs),
      count: lesson.count + 1,
    });
  }

  /**
   * Remembers between which two times a job ended, in milliseconds after it was accepted: it was seen to run at the one
   * and to have ended at the other, and its record tells no time of its own. When it was read is our own doing and teaches
   * nothing: what was expected stays, unless it cannot be.
   */
  async tookBetween(operation: string, size: string, least: number, most: number): Promise<void> {
    const { meanMs } = this.#lesson(operation, size);
    const from = Math.max(0, least);
    const to = Math.max(from, most);
    const expected = meanMs === null ? (from + to) / 2 : meanMs * UNSEEN;
    await this.took(operation, size, Math.min(to, Math.max(from, expected)));
  }

  #lesson(operation: string, size: string): Lesson {
    return this.#lessons.get(nameOf(operation, size)) ?? NOTHING;
  }

  async #keep(operation: string, size: string, lesson: Lesson): Promise<void> {
    this.#lessons.set(nameOf(operation, size), lesson);
    const row = {
      price: lesson.price,
      mean_ms: lesson.meanMs,
      spread_ms: lesson.spreadMs,
      count: lesson.count,
    };
    await this.#db
      .insertInto("experience")
      .values({ operation, size, ...row })
      .onConflict((conflict) => conflict.columns(["operation", "size"]).doUpdateSet(row))
      .execute();
  }
}

const nameOf = (operation: string, size: string) => `${operation} ${size}`;
