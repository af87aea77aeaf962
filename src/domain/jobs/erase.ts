import type { UserId } from "../../seam/values.ts";
import { ReelayError } from "../../common/errors.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { exclusive } from "../../infrastructure/storage/exclusive.ts";
import { partnerIdOf } from "../../seam/access/partners.ts";
import { countJobs } from "./count.ts";

/** What stays of an erased job. */
const COUNTED = [
  "user",
  "platform",
  "in_app_username",
  "operation",
  "day",
  "success",
  "cost",
  "took_ms",
  "paid_by",
] as const;

/**
 * Erases jobs; what they count for in sums stays.
 * @param transaction in which nobody sees them twice, or not at all
 * @param column what `values` are: the jobs, or whose they are
 */
export async function eraseJobs(
  { kysely }: Pick<Database, "kysely">,
  column: "id" | "user",
  values: readonly string[],
): Promise<void> {
  const erased = kysely.selectFrom("usage").select(COUNTED).where(column, "in", values);
  await kysely
    .insertInto("erased_jobs")
    .columns(COUNTED)
    // Without an id it was erased before.
    .expression(erased.where("id", "is not", null))
    .execute();
  await kysely.deleteFrom("jobs").where(column, "in", values).execute();
}

/** Erases a job, with what is done `within` the same transaction. */
export function removeJob(
  { kysely }: Pick<Database, "kysely">,
  id: string,
  within?: (transaction: Pick<Database, "kysely">) => Promise<void>,
): Promise<void> {
  return exclusive(kysely, ["erasing"], async (kysely) => {
    await within?.({ kysely });
    await eraseJobs({ kysely }, "id", [id]);
  });
}

/** Erases every job of a person, and takes them out of the sums. @throws ReelayError `jobs_open` */
export function forgetJobs({ kysely }: Pick<Database, "kysely">, user: UserId): Promise<void> {
  return exclusive(kysely, [`user:${user}`, "erasing"], async (kysely) => {
    const count = await countJobs({ kysely }, { user, unseen: true });
    if (count > 0) throw new ReelayError("jobs_open", { count });
    await eraseJobs({ kysely }, "user", [user]);
    await forgetSums({ kysely }, user);
    const partner = partnerIdOf(user);
    if (partner === undefined) return;
    // Seldom does one go.
    const { unnamePartner } = await import("../usage/day-sums.ts");
    await unnamePartner({ kysely }, partner);
  });
}

/** Takes somebody out of the sums of erased jobs, or only a partner's name for one of their people. */
export async function forgetSums(
  { kysely }: Pick<Database, "kysely">,
  user: UserId,
  username?: string,
): Promise<void> {
  const sums = kysely.updateTable("erased_jobs").where("user", "=", user);
  const forgotten =
    username === undefined
      ? sums.set({ user: null, in_app_username: null })
      : sums.set({ in_app_username: null }).where("in_app_username", "=", username);
  await forgotten.execute();
}
