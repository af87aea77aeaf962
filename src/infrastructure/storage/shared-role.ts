import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { RolePart, Role } from "../../common/role.ts";
import { ageOf, type Instant, instant, lookAgain } from "../../common/time.ts";
import type { Logger } from "../telemetry/telemetry.ts";
import type { Database } from "./database.ts";
import { NOW } from "./dialect.ts";

/** How long a role is somebody's who shows nothing more, in milliseconds: another one is to begin within ten seconds. */
const LEASE_MS = 6_000;

/** What may pass between asking whether it is ours and what is done then, in milliseconds. */
const MARGIN_MS = 1_000;

/** How often whoever has it shows that, and whoever has it not asks for it, in milliseconds. */
const BEAT_MS = 1_000;

/** What whoever has it may do of all: nearly everything is told by whoever hears it. The others have equal parts of the rest. */
const SHARE_OF_HOLDER = 0.6;

/**
 * A role that is a row of the database: whoever wrote it last has it, until that is over by the database's clock. One that stood still
 * knows by its own clocks that it may be somebody else's.
 */
export class SharedRole implements Role {
  readonly #db: Database["kysely"];
  readonly #log: Logger;
  readonly #name: string;
  readonly #node = randomUUID();
  readonly #leaving = new AbortController();
  #running: Promise<void> | undefined;
  /** When it was last shown to be ours, before that was asked for. */
  #shownAt: Instant | undefined;
  /** Other processes that may tell something; until they were counted, more than there will be. */
  #others = Number.POSITIVE_INFINITY;
  /** What has begun, until it has ended. */
  #playing: Promise<void> | undefined;
  /** Whether beginning came to nothing: it is begun anew, by whoever has the role next. */
  #hasFailed = false;

  constructor({ kysely }: Pick<Database, "kysely">, name: string, log: Logger) {
    this.#db = kysely;
    this.#name = name;
    this.#log = log;
  }

  get isOurs(): boolean {
    return this.#shownAt !== undefined && ageOf(this.#shownAt) < LEASE_MS - MARGIN_MS;
  }

  get share(): number {
    if (this.isOurs) return this.#others === 0 ? 1 : SHARE_OF_HOLDER;
    return (1 - SHARE_OF_HOLDER) / Math.max(1, this.#others);
  }

  async play(part: RolePart): Promise<void> {
    const first = Promise.withResolvers<void>();
    this.#running = this.#run(part, first.resolve);
    await first.promise;
    await this.#playing;
  }

  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.#running;
  }

  async #run(part: RolePart, onKnown: () => void): Promise<void> {
    const { signal } = this.#leaving;
    await lookAgain(() => this.#beat(part).then(onKnown), BEAT_MS, signal);
    await this.#end(part);
    await this.#release().catch(() => undefined);
  }

  async #beat(part: RolePart): Promise<void> {
    try {
      const at = instant();
      const row = await this.#take(this.#playing && part.state?.());
      this.#shownAt = row ? at : undefined;
      this.#others = await this.#countOthers();
      if (row && !this.#playing) this.#begin(part, row.state ?? undefined);
    } catch (err) {
      if (this.#playing) this.#log.warn({ err, role: this.#name }, "A role could not be kept");
    }
    if (this.#playing && this.#hasFailed) {
      await this.#end(part);
      await this.#release().catch(() => undefined);
    } else if (this.#playing && !this.isOurs) {
      this.#log.warn({ role: this.#name }, "Another process does from now on what this one did");
      await this.#end(part);
    }
  }

  #begin(part: RolePart, state: string | undefined): void {
    // It is shown on to be ours, however long that takes.
    this.#hasFailed = false;
    this.#playing = part.begin(state).catch((err: unknown) => {
      this.#hasFailed = true;
      if (!this.#leaving.signal.aborted)
        this.#log.error({ err, role: this.#name }, "A role could not be begun");
    });
  }

  async #end(part: RolePart): Promise<void> {
    if (!this.#playing) return;
    this.#shownAt = undefined;
    await part.end().catch((err: unknown) => this.#log.warn({ err }, "A role did not end well"));
    await this.#playing;
    this.#playing = undefined;
  }

  /** @returns the row, if it is ours now, with what was left in it before */
  async #take(state: string | undefined) {
    const ours = { node: this.#node, until: sql<number>`now_ms() + ${sql.lit(LEASE_MS)}` };
    return this.#db
      .insertInto("roles")
      .values({ name: this.#name, fence: 1, state: null, ...ours })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet((eb) => ({
            ...ours,
            fence: sql<number>`roles.fence + case when ${eb.ref("roles.node")} = ${this.#node} then 0 else 1 end`,
            ...(state !== undefined && { state }),
          }))
          .where((eb) => eb.or([eb("roles.node", "=", this.#node), eb("roles.until", "<", NOW)])),
      )
      .returning(["fence", "state"])
      .executeTakeFirst();
  }

  /** How many processes are at work beside this one: those whose sign of life is not older than a lease. */
  async #countOthers(): Promise<number> {
    const { living } = await this.#db
      .selectFrom("runners")
      .select((eb) => eb.fn.countAll<number>().as("living"))
      .where("beat_at", ">", sql<number>`now_ms() - ${sql.lit(LEASE_MS)}`)
      .executeTakeFirstOrThrow();
    return Math.max(0, living - 1);
  }

  async #release(): Promise<void> {
    await this.#db
      .updateTable("roles")
      .set({ until: 0 })
      .where("name", "=", this.#name)
      .where("node", "=", this.#node)
      .execute();
  }
}
