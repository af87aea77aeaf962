import { randomUUID } from "node:crypto";
import type { Audit } from "../audit/audit.ts";
import type { Act } from "../../seam/access/audit.ts";
import type { Platform, UserId } from "../../seam/values.ts";
import type {
  WebhookDelivery,
  DeliveryQuery,
  WebhookEndpoint,
  FreshEndpoint,
  Webhooks,
} from "../../seam/access/webhooks.ts";
import { ReelayError } from "../../common/errors.ts";
import { checkedUrl } from "../../infrastructure/net/guarded.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { exclusive } from "../../infrastructure/storage/exclusive.ts";
import { type Deliveries, dropped, webhooksOf } from "./deliveries.ts";
import type { WebhookParts } from "./parts.ts";
import { endpointOf } from "./rows.ts";
import type { SigningSecrets } from "./signing-secrets.ts";

/** How many endpoints one partner may have. */
const MOST_ENDPOINTS = 20;

/** What partners' webhooks are made of. */
interface PartnerWebhooksParts
  extends
    Required<Pick<WebhookParts, "database" | "audit" | "surface" | "privateHosts" | "now">>,
    Pick<WebhookParts, "by"> {
  readonly deliveries: Deliveries;
  readonly secrets: SigningSecrets;
}

/** Partners' endpoints and secrets, and their hold on what is sent there. */
export class PartnerWebhooks implements Webhooks {
  readonly #db: Database["kysely"];
  readonly #audit: Pick<Audit, "write">;
  readonly #about: { readonly surface: Platform; readonly by?: UserId };
  readonly #deliveries: Deliveries;
  readonly #secrets: SigningSecrets;
  readonly #privateHosts: readonly string[];
  readonly #now: () => number;

  constructor(parts: PartnerWebhooksParts) {
    const { database, audit, surface, by, deliveries, secrets, privateHosts, now } = parts;
    this.#db = database.kysely;
    this.#audit = audit;
    this.#about = { surface, ...(by && { by }) };
    this.#deliveries = deliveries;
    this.#secrets = secrets;
    this.#privateHosts = privateHosts;
    this.#now = now;
  }

  async create(
    user: UserId,
    { url, events }: Pick<WebhookEndpoint, "url" | "events">,
  ): Promise<FreshEndpoint> {
    this.checkUrl(url);
    const id = `ep_${randomUUID()}`;
    const secret = await this.#secrets.renew(id, this.#now());
    const row = await exclusive(this.#db, [webhooksOf(user)], async (db) => {
      const { count } = await db
        .selectFrom("webhook_endpoints")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("user", "=", user)
        .executeTakeFirstOrThrow();
      if (count >= MOST_ENDPOINTS) return undefined;
      return db
        .insertInto("webhook_endpoints")
        .values({ id, user, url, events: JSON.stringify(events), created_at: this.#now() })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    if (!row) {
      await this.#secrets.remove(id);
      throw new ReelayError("too_many_webhooks", { max: MOST_ENDPOINTS });
    }
    await this.#write(user, "webhook_add", id);
    return { endpoint: endpointOf(row), secret };
  }

  async list(user: UserId): Promise<readonly WebhookEndpoint[]> {
    const rows = await this.#db
      .selectFrom("webhook_endpoints")
      .selectAll()
      .where("user", "=", user)
      .orderBy("created_at")
      .execute();
    return rows.map(endpointOf);
  }

  async get(user: UserId, id: string): Promise<WebhookEndpoint> {
    const row = await this.#db
      .selectFrom("webhook_endpoints")
      .selectAll()
      .where("id", "=", id)
      .where("user", "=", user)
      .executeTakeFirst();
    if (!row) throw new ReelayError("not_found");
    return endpointOf(row);
  }

  async change(
    user: UserId,
    id: string,
    { url, events, enabled }: Parameters<Webhooks["change"]>[2],
  ): Promise<WebhookEndpoint> {
    if (url !== undefined) this.checkUrl(url);
    await exclusive(this.#db, [webhooksOf(user)], async (db) => {
      const change = {
        ...(url !== undefined && { url }),
        ...(events && { events: JSON.stringify(events) }),
        ...(enabled === true && { disabled_at: null, disabled_because: null }),
        ...(enabled === false && { disabled_at: this.#now(), disabled_because: "owner" }),
      };
      if (Object.keys(change).length > 0) {
        const own = db.updateTable("webhook_endpoints").set(change).where("id", "=", id);
        const { numUpdatedRows } = await own.where("user", "=", user).executeTakeFirst();
        if (numUpdatedRows !== 1n) throw new ReelayError("not_found");
      }
      if (enabled === false) await dropped(db).where("endpoint", "=", id).execute();
      // What is still to be sent goes where the partner is now, where nothing has failed yet.
      if (url !== undefined)
        await db
          .updateTable("webhook_deliveries")
          .set({ url, host: new URL(url).host, failures: 0 })
          .where("endpoint", "=", id)
          .where("url", "!=", url)
          .where("state", "=", "due")
          .execute();
    });
    const given = Object.entries({ url, events, enabled }).filter(([, value]) => value !== undefined);
    if (given.length > 0)
      await this.#write(user, "webhook_change", `${id} ${given.map(([name]) => name).join(",")}`);
    return this.get(user, id);
  }

  async remove(user: UserId, id: string): Promise<void> {
    await this.get(user, id);
    await exclusive(this.#db, [webhooksOf(user)], async (db) => {
      await db.deleteFrom("webhook_endpoints").where("id", "=", id).execute();
      await dropped(db).where("endpoint", "=", id).execute();
    });
    await this.#secrets.remove(id);
    await this.#write(user, "webhook_remove", id);
  }

  async rotate(user: UserId, id: string): Promise<string> {
    await this.get(user, id);
    const secret = await this.#secrets.renew(id, this.#now());
    await this.#write(user, "webhook_secret", id);
    return secret;
  }

  callbackSecret(user: UserId): Promise<string> {
    return this.#secrets.newest(user, this.#now());
  }

  untoldCallbackSecret(user: UserId): Promise<string | undefined> {
    return this.#secrets.untold(user, this.#now());
  }

  async rotateCallbackSecret(user: UserId): Promise<string> {
    const secret = await this.#secrets.renew(user, this.#now());
    await this.#write(user, "webhook_secret");
    return secret;
  }

  checkUrl(url: string): void {
    try {
      checkedUrl(url, this.#privateHosts);
    } catch (cause) {
      if (cause instanceof ReelayError && cause.code === "url_with_password") throw cause;
      throw new ReelayError("webhook_url_refused", {}, { cause });
    }
  }

  deliveries(user: UserId, query: DeliveryQuery): Promise<readonly WebhookDelivery[]> {
    return this.#deliveries.list(user, query);
  }

  async resend(user: UserId, delivery: string): Promise<WebhookDelivery> {
    const { endpoint, url } = await this.#deliveries.find(user, delivery);
    const to = endpoint === null ? url : (await this.#enabled(user, endpoint)).url;
    const renewed = await this.#deliveries.renew(delivery, to, this.#now());
    await this.#write(user, "webhook_resend", delivery);
    return renewed;
  }

  async ping(user: UserId, id: string): Promise<WebhookDelivery> {
    return this.#deliveries.addPing(user, await this.#enabled(user, id), this.#now());
  }

  /** Erases a partner's endpoints, secrets and log. */
  async forgetUser(user: UserId): Promise<void> {
    const endpoints = await this.list(user);
    await exclusive(this.#db, [webhooksOf(user)], async (db) => {
      await db.deleteFrom("webhook_endpoints").where("user", "=", user).execute();
      await db.deleteFrom("webhook_deliveries").where("user", "=", user).execute();
    });
    for (const signer of [user, ...endpoints.map(({ id }) => id)]) await this.#secrets.remove(signer);
  }

  /** Writes down what was done, by ids alone: in an address there may be what opens it. */
  async #write(user: UserId, act: Act, rule?: string): Promise<void> {
    await this.#audit.write({ act, user, ...this.#about, ...(rule !== undefined && { rule }) });
  }

  async #enabled(user: UserId, id: string): Promise<WebhookEndpoint> {
    const endpoint = await this.get(user, id);
    if (endpoint.disabledAt !== null) throw new ReelayError("webhook_disabled");
    return endpoint;
  }
}
