import { expect, vi } from "vitest";
import { parsePriced, parseToken } from "../../src/chat/actions.ts";
import type { Database } from "../../src/storage/database.ts";

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
  return vi.waitFor(look, { timeout: 60_000 });
}

/** The job that a message is about, by the tokens of its buttons; undefined for one without "Again". */
export function jobOf(tokens: readonly string[]): string | undefined {
  const again = tokens.map(parseToken).find(({ command }) => command === "again");
  return again && parsePriced(again.arg).of;
}
