import { createHash } from "node:crypto";
import { PartnerBook } from "../../partners/partner-book.ts";
import type { UserId } from "../../../seam/values.ts";
import type { Database } from "../../../infrastructure/storage/database.ts";
import type { Sighting } from "../alert.ts";
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
      const found: Sighting[] = [];
      const see = async (kind: WebhookAlert, endpoint: Endpoint) => {
        const { id: webhook, user } = endpoint;
        const partner = await book.ofUser(user as UserId);
        if (partner) found.push({ kind, of: nameOf(endpoint), params: { partner: partner.id, webhook } });
      };
      for (const endpoint of await gone(database)) await see("webhook_gone", endpoint);
      for (const endpoint of await failingSince(database, now() - LOOK_BACK_MS))
        if (!(await hasArrived(database, endpoint))) await see("webhook_dead", endpoint);
      return found;
    },
    removed: {
      kinds: ["webhook_dead", "webhook_gone"] satisfies readonly WebhookAlert[],
      async isRemoved({ kind, of }) {
        const left = kind === "webhook_gone" ? await gone(database) : await enabled(database);
        return left.every((endpoint) => nameOf(endpoint) !== of);
      },
    },
  };
}

type WebhookAlert = "webhook_dead" | "webhook_gone";

interface Endpoint {
  readonly id: string;
  readonly user: string;
  readonly url: string;
}

/** An endpoint at its address: at another one nothing has failed yet. In an address there may be what opens it. */
const nameOf = ({ id, url }: Endpoint) =>
  `${id}:${createHash("sha256").update(url).digest("hex").slice(0, 8)}`;

const endpointsIn = ({ kysely }: Pick<Database, "kysely">) =>
  kysely.selectFrom("webhook_endpoints").select(["id", "user", "url"]);

/** Those that said so themselves; what a partner switched off is their own affair. */
const gone = (database: Database): Promise<readonly Endpoint[]> =>
  endpointsIn(database).where("disabled_because", "=", "gone").execute();

const enabled = (database: Database): Promise<readonly Endpoint[]> =>
  endpointsIn(database).where("disabled_at", "is", null).execute();

/** Those where something failed again and again at the address that they have now, and the newest of that. */
function failingSince({ kysely }: Pick<Database, "kysely">, since: number) {
  return kysely
    .selectFrom("webhook_deliveries as failed")
    .innerJoin("webhook_endpoints as endpoint", (join) =>
      join.onRef("endpoint.id", "=", "failed.endpoint").onRef("endpoint.url", "=", "failed.url"),
    )
    .select(({ fn }) => ["endpoint.id", "endpoint.user", "endpoint.url", fn.max("failed.seq").as("seq")])
    .where("failed.state", "in", ["due", "failed"])
    .where("failed.failures", ">=", FAILURES)
    .where("failed.created_at", ">=", since)
    .where("endpoint.disabled_at", "is", null)
    .groupBy(["endpoint.id", "endpoint.user", "endpoint.url"])
    .execute();
}

/** Whether anything has arrived at an endpoint since what failed there. */
async function hasArrived(
  { kysely }: Pick<Database, "kysely">,
  { id, user, seq }: Endpoint & { readonly seq: number },
): Promise<boolean> {
  const arrived = await kysely
    .selectFrom("webhook_deliveries")
    .select("seq")
    .where("user", "=", user)
    .where("seq", ">", seq)
    .where("endpoint", "=", id)
    .where("state", "=", "delivered")
    .limit(1)
    .executeTakeFirst();
  return arrived !== undefined;
}
