import type { Database } from "../../infrastructure/storage/database.ts";
import type { Job } from "./job.ts";
import { fromRow, GOING_ON } from "./row.ts";

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
  const rows = await kysely
    .selectFrom("jobs")
    .selectAll()
    .where("id", "!=", id)
    .where((where) => {
      const counts = where.or([
        where("accepted_at", ">=", since),
        where("ended_at", ">=", since),
        where("state", "in", ["submitting", "unsure"]),
      ]);
      return where.or([
        where.and([where("key_id", "=", keyId), counts]),
        where("service_id", "in", serviceIds),
      ]);
    })
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
