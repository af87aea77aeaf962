import { type ServiceJob, type MediaApi, NotFound } from "../../../infrastructure/api/media-api.ts";
import type { Operation } from "../../operations/operation.ts";

/** How many jobs of the list are looked through for one: the newest of three pages. */
const LOOKED_THROUGH = 300;

/**
 * Looks for a job, whose own record is not found, in the other places where the service may show it.
 * @returns undefined where it is in none
 */
export async function findElsewhere(
  api: MediaApi,
  operation: Operation,
  serviceId: string,
): Promise<ServiceJob | undefined> {
  for (const read of operation.otherReads ?? []) {
    const record = await read(api, serviceId).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
      return undefined;
    });
    if (record) return record;
  }
  if (!operation.listed) return undefined;
  let seen = 0;
  for await (const record of api.allJobs()) {
    if (record.id === serviceId) return record;
    if (++seen === LOOKED_THROUGH) break;
  }
  return undefined;
}
