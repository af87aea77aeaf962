import type { Database } from "../../infrastructure/storage/database.ts";
import type { Job, OpenState } from "./job.ts";
import { fromRow, GOING_ON, LAST_AT } from "./row.ts";

/** Other jobs of the key that look the same from outside, and may be on their way or lost. */
export function twinsInFlight(
  { kysely }: Pick<Database, "kysely">,
  { id, keyId, fingerprint }: Pick<Job, "id" | "keyId" | "fingerprint">,
) {
  return kysely
    .selectFrom("jobs as twin")
    .select("twin.id")
    .where("twin.key_id", "=", keyId)
    .where("twin.going_on", "=", GOING_ON)
    .where("twin.fingerprint", "=", fingerprint)
    .where("twin.state", "in", ["submitting", "unsure"])
    .where("twin.id", "!=", id);
}

/**
 * A key's other jobs that were accepted or ended since a time, or are in doubt, and those that have these ids of the service,
 * under whichever key: two keys may be one account's. Read at once: one that was accepted, or erased, between two reads would be
 * in doubt, or gone, in the one, and have its record in the other.
 */
export async function othersSince(
  { kysely }: Pick<Database, "kysely">,
  { id, keyId }: Job,
  since: number,
  serviceIds: readonly string[],
): Promise<readonly Job[]> {
  const ids = kysely.selectFrom("jobs").select("id");
  const ofKey = ids.where("key_id", "=", keyId);
  // By one index each: together they would be looked for among all that the key ever had.
  const ended = ofKey.where("ended_at", "is not", null).where(LAST_AT, ">=", since);
  const open = ofKey
    .where("going_on", "=", GOING_ON)
    .where("state", "in", ["submitting", "unsure", "running"] satisfies OpenState[])
    .where((where) => where.or([where("state", "!=", "running"), where("accepted_at", ">=", since)]));
  const held = ids.where("service_id", "in", serviceIds).where("service_id", "is not", null);
  const rows = await kysely
    .selectFrom("jobs")
    .selectAll()
    .where("id", "!=", id)
    .where("id", "in", ended.union(open).union(held))
    .execute();
  return rows.map(fromRow);
}

/** The jobs that have these ids of the service, under whichever key. */
export async function holders(
  { kysely }: Pick<Database, "kysely">,
  serviceIds: readonly string[],
): Promise<readonly Job[]> {
  const rows = await kysely
    .selectFrom("jobs")
    .selectAll()
    .where("service_id", "in", serviceIds)
    .where("service_id", "is not", null)
    .execute();
  return rows.map(fromRow);
}

/** A host's jobs that were accepted last, under any key: so many at most. */
export async function acceptedLast(
  { kysely }: Pick<Database, "kysely">,
  host: Job["host"],
  limit: number,
): Promise<readonly Job[]> {
  const rows = await kysely
    .selectFrom("jobs")
    .selectAll()
    .where("host", "=", host)
    .where("service_id", "is not", null)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}
