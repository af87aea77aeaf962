import { sql } from "kysely";
import type { ServiceJob } from "../../../../src/infrastructure/api/media-api.ts";
import type { Database } from "../../../../src/infrastructure/storage/database.ts";

/** A job as the service tells of it: one that runs, unless said otherwise. */
export const record = (id: string, different: Partial<ServiceJob> = {}): ServiceJob => ({
  id,
  type: "video",
  state: "running",
  status: "IN_PROGRESS",
  progress: null,
  createdAt: null,
  startedAt: null,
  completedAt: null,
  cost: null,
  preCost: null,
  billingAdjusted: false,
  mode: null,
  error: null,
  videoUrl: null,
  imageUrl: null,
  resultUrls: [],
  fileReady: true,
  raw: {},
  ...different,
});

/** How much was ever changed, once what stands in line has had its turn. */
export async function changesOf({ kysely }: Database): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  await kysely.selectFrom("runners").select("id").execute();
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(kysely);
  return rows[0]?.count ?? 0;
}

/** Changes one thing. What was written before is on the disk by then, and whoever waits for that goes on. */
export async function change({ kysely }: Database): Promise<void> {
  const row = { id: "nobody", pid: 0, started: null, boot: null, pid_namespace: null, beat_at: 0 };
  await kysely
    .insertInto("runners")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}
