import type { Database } from "../../../infrastructure/storage/database.ts";
import { GOING_ON } from "../row.ts";

/** When jobs were last read at the service, over restarts; that is no step of their lives. */
export class ReadTimes {
  readonly #db: Database["kysely"];

  constructor(database: Pick<Database, "kysely">) {
    this.#db = database.kysely;
  }

  /** Of running jobs, by id, in milliseconds since 1970; those that never were read are left out. */
  async all(): Promise<ReadonlyMap<string, number>> {
    const goingOn = this.#db.selectFrom("jobs").select(["id", "read_at"]).where("going_on", "=", GOING_ON);
    const running = goingOn.where("state", "=", "running");
    const rows = await running.where("read_at", "is not", null).execute();
    return new Map(rows.flatMap(({ id, read_at }) => (read_at === null ? [] : [[id, read_at] as const])));
  }

  /** Remembers that jobs were read. */
  async keep(ids: readonly string[], at: number): Promise<void> {
    await this.#db.updateTable("jobs").set({ read_at: at }).where("id", "in", ids).execute();
  }
}
