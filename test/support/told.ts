import { expect, vi } from "vitest";
import { parsePriced, parseToken } from "../../src/seam/text/actions.ts";
import type { Database } from "../../src/infrastructure/storage/database.ts";
import { PATIENCE_MS } from "./patience.ts";

/** The ids of all jobs, oldest first, once there are so many and nothing is to be told of them any more. */
export async function allTold(
  { database }: { readonly database: Database },
  count: number,
): Promise<readonly string[]> {
  const look = async () => {
    const jobs = await database.kysely
      .selectFrom("jobs")
      .select(["id", "delivery"])
      .orderBy("created_at")
      .execute();
    expect(jobs.map(({ delivery }) => delivery)).toEqual(Array.from({ length: count }, () => "delivered"));
    return jobs.map(({ id }) => id);
  };
  return vi.waitFor(look, { timeout: PATIENCE_MS });
}

/** The commands that make a job once more. */
const MORE = new Set(["again", "new-seed"]);

/** The job that a message is about, by the tokens of its buttons; undefined for one that makes nothing once more. */
export function jobOf(tokens: readonly string[]): string | undefined {
  const more = tokens.map(parseToken).find(({ command }) => MORE.has(command));
  return more && parsePriced(more.arg).of;
}
