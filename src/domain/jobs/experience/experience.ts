import { Durations } from "./durations.ts";
import type { Database } from "../../../infrastructure/storage/database.ts";
import { isStorageDown } from "../../../infrastructure/storage/keeper.ts";
import type { LessonsTable } from "../../../infrastructure/storage/schema.ts";

/** What has been learned of one kind of job: an operation with the choices its price and duration depend on. */
interface Lesson {
  readonly price: number | null;
  readonly durations: Durations;
}

/** How often it is written how long jobs take, in milliseconds: that is learned again. */
const WRITE_EVERY_MS = 1_000;

const NOTHING: Lesson = { price: null, durations: Durations.none };

/** What past jobs cost and took at one service, kept over restarts: the contract shows neither for most operations. */
export class Experience {
  readonly #db: Database["kysely"];
  readonly #service: string;
  readonly #lessons: Map<string, Lesson>;
  /** What was learned of since it was last written, by name. */
  readonly #unwritten = new Map<string, Pick<LessonsTable, "operation" | "size">>();
  #writtenAt = Number.NEGATIVE_INFINITY;

  private constructor(database: Database, service: string, lessons: Map<string, Lesson>) {
    this.#db = database.kysely;
    this.#service = service;
    this.#lessons = lessons;
  }

  /**
   * Reads what was learned before.
   * @param service whose prices they are: its address, or `sandbox`
   * @param followsSandbox whether the sandbox was in use before it: what an earlier version learned may be of that
   */
  static async open(database: Database, service: string, followsSandbox = false): Promise<Experience> {
    const lessonsOf = (...services: readonly string[]) =>
      database.kysely.selectFrom("lessons").selectAll().where("service", "in", services).execute();
    let rows = await lessonsOf(service, UNNAMED);
    if (rows.some((row) => row.service === UNNAMED)) {
      await settleUnnamed(database, service, followsSandbox);
      rows = await lessonsOf(service);
    }
    const lessons = rows.map((row): [string, Lesson] => [
      nameOf(row.operation, row.size),
      { price: row.price, durations: durationsOf(row) },
    ]);
    return new Experience(database, service, new Map(lessons));
  }

  /** Tokens that the same choices cost last time. */
  price(operation: string, size: string): number | null {
    return this.#lesson(operation, size).price;
  }

  /** Tokens that the dearest choices of all cost last time; 0 where nothing is known to have cost any. */
  dearest(): number {
    return Math.max(0, ...[...this.#lessons.values()].map(({ price }) => price ?? 0));
  }

  /** How long such jobs took lately; undefined while none has ended yet. */
  durations(operation: string, size: string): Durations | undefined {
    const { durations } = this.#lesson(operation, size);
    return durations.count > 0 ? durations : undefined;
  }

  /** Remembers what a job was charged in the end. */
  async charged(operation: string, size: string, price: number): Promise<void> {
    const lesson = this.#lesson(operation, size);
    if (lesson.price === price) return;
    this.#note(operation, size, { ...lesson, price });
    // What a press costs is to be known in every process.
    await this.save();
  }

  /** Remembers how long a job took at the service, in milliseconds. */
  async took(operation: string, size: string, ms: number): Promise<void> {
    const lesson = this.#lesson(operation, size);
    await this.#keep(operation, size, { ...lesson, durations: lesson.durations.and(ms) });
  }

  /**
   * Remembers between which two times a job ended, in milliseconds after it was accepted: it was seen to run at the one
   * and to have ended at the other, and its record tells no time of its own.
   */
  async tookBetween(operation: string, size: string, least: number, most: number): Promise<void> {
    const lesson = this.#lesson(operation, size);
    const from = Math.max(0, least);
    const durations = lesson.durations.andBetween(from, Math.max(from, most));
    await this.#keep(operation, size, { ...lesson, durations });
  }

  #lesson(operation: string, size: string): Lesson {
    return this.#lessons.get(nameOf(operation, size)) ?? NOTHING;
  }

  #note(operation: string, size: string, lesson: Lesson): void {
    const name = nameOf(operation, size);
    this.#lessons.set(name, lesson);
    this.#unwritten.set(name, { operation, size });
  }

  async #keep(operation: string, size: string, lesson: Lesson): Promise<void> {
    this.#note(operation, size, lesson);
    if (performance.now() - this.#writtenAt >= WRITE_EVERY_MS) await this.save();
  }

  /** Writes what was learned and is not written yet. */
  async save(): Promise<void> {
    const unwritten = [...this.#unwritten];
    if (unwritten.length === 0) return;
    this.#unwritten.clear();
    this.#writtenAt = performance.now();
    const rows = unwritten.map(([, kind]) => {
      const { price, durations } = this.#lesson(kind.operation, kind.size);
      const { count, spreadMs } = durations;
      return {
        ...kind,
        service: this.#service,
        price,
        mean_ms: count > 0 ? durations.meanMs : null,
        spread_ms: spreadMs,
        count,
      };
    });
    const write = this.#db
      .insertInto("lessons")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["service", "operation", "size"]).doUpdateSet((now) => ({
          price: now.ref("excluded.price"),
          mean_ms: now.ref("excluded.mean_ms"),
          spread_ms: now.ref("excluded.spread_ms"),
          count: now.ref("excluded.count"),
        })),
      );
    // It is known here, and written with what is learned next: no step of a job's life may fail for it.
    await write.execute().catch((error: unknown) => {
      if (!isStorageDown(error)) throw error;
      for (const [name, kind] of unwritten) this.#unwritten.set(name, kind);
    });
  }
}

/** The service of what a version learned that did not write it down. */
const UNNAMED = "";

/** Has what an earlier version learned be of a service, or of none where it may be another's. */
async function settleUnnamed({ kysely }: Database, service: string, isDoubtful: boolean): Promise<void> {
  if (isDoubtful) await kysely.deleteFrom("lessons").where("service", "=", UNNAMED).execute();
  else await kysely.updateTable("lessons").set({ service }).where("service", "=", UNNAMED).execute();
}

/** What was kept of how long they took. */
const durationsOf = ({ mean_ms, spread_ms, count }: Pick<LessonsTable, "mean_ms" | "spread_ms" | "count">) =>
  mean_ms === null ? Durations.none : Durations.around(mean_ms, spread_ms, count);

const nameOf = (operation: string, size: string) => `${operation} ${size}`;
