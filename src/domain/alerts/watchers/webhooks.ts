import { PartnerBook } from "../../partners/partner-book.ts";
import type { UserId } from "../../../seam/values.ts";
import type { Database } from "../../../infrastructure/storage/database.ts";
import type { Watcher } from "../watcher.ts";

/** So many failures of one message, over more than half an hour (`schedule`), are no hiccup. */
const FAILURES = 4;

/** How far back is looked, in milliseconds: longer than one message is tried. */
const LOOK_BACK_MS = 7 * 24 * 3_600_000;

/** Sees that a partner's endpoint answers that it is gone, or takes nothing for long. */
export function watchWebhooks(database: Database, now: () => number): Watcher {
  const book = new PartnerBook(database);
  return {
    everyMs: 60_000,
    once: true,
    async look() {
      const dead = [...(await gone(database)), ...(await silent(database, now() - LOOK_BACK_MS))];
      const found = dead.map(async ({ id: of, user }) => {
        const partner = await book.ofUser(user as UserId);
        const sighting = {
          kind: "webhook_dead",
          of,
          params: { partner: partner?.id ?? "", webhook: of },
        } as const;
        return partner ? [sighting] : [];
      });
      return (await Promise.all(found)).flat();
    },
  };
}

/** Those that said so themselves; what a partner switched off is their own affair. */
function gone({ kysely }: Pick<Database, "kysely">) {
  return kysely
    .selectFrom("webhook_endpoints")
    .select(["id", "user"])
    .where("disabled_because", "=", "gone")
    .execute();
}

/** Those where nothing has arrived since what failed again and again. */
async function silent({ kysely }: Pick<Database, "kysely">, since: number) {
  const failing = await kysely
    .selectFrom("webhook_deliveries as failed")
    .innerJoin("webhook_endpoints as endpoint", "endpoint.id", "failed.endpoint")
    .select(({ fn }) => ["endpoint.id", "endpoint.user", fn.max("failed.seq").as("seq")])
    .where("failed.state", "in", ["due", "failed"])
    .where("failed.failures", ">=", FAILURES)
    .where("failed.created_at", ">=", since)
    .where("endpoint.disabled_at", "is", null)
    .groupBy(["endpoint.id", "endpoint.user"])
    .execute();
  const dead = [];
  for (const { id, user, seq } of failing) {
    const arrived = await kysely
      .selectFrom("webhook_deliveries")
      .select("seq")
      .where("user", "=", user)
      .where("seq", ">", seq)
      .where("endpoint", "=", id)
      .where("state", "=", "delivered")
      .limit(1)
      .executeTakeFirst();
    if (!arrived) dead.push({ id, user });
  }
  return dead;
}
