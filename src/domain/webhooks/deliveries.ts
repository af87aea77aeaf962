import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import type {
  Callback,
  EndpointEventType,
  EventType,
  JobEvent,
  PartnerEventType,
} from "../../seam/events.ts";
import type { Json } from "../../common/json.ts";
import type { UserId } from "../../seam/values.ts";
import type {
  Attempt,
  WebhookDelivery,
  DeliveryQuery,
  WebhookEndpoint,
  OperatorEvent,
} from "../../seam/access/webhooks.ts";
import { ReelayError } from "../../common/errors.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { exclusive, type LockName } from "../../infrastructure/storage/exclusive.ts";
import { prepared } from "../../infrastructure/storage/prepared.ts";
import { type Due, dueIn, settleIn } from "./due.ts";
import type { Receiver } from "./places.ts";
import {
  type DeliveryRow,
  DELIVERY_COLUMNS,
  deliveryOf,
  DUE_COLUMNS,
  dueOf,
  type DueRow,
  eventsOf,
} from "./rows.ts";
import type { Fate } from "./schedule.ts";
import { currentTime } from "../../common/time.ts";

type Kysely = Database["kysely"];

/** Whom messages to the operator's own address belong to, and the secret that signs them. */
export const OPERATOR: UserId = "web:me";

/** How long a try may take, in milliseconds. */
export const TRY_MS = 15_000;

/**
 * For how long a message belongs to the process that took it, in milliseconds: longer than a try takes. If
 * nothing was heard of it then, that process is gone.
 */
const CLAIM_MS = TRY_MS + 5_000;

/** A message that is to be sent now. */
export interface WebhookMessage {
  /** `webhook-id`. */
  readonly id: string;
  readonly user: UserId;
  readonly type: string;
  /** The job that it tells of; null where it tells of none. */
  readonly job: string | null;
  readonly endpoint: string | null;
  readonly url: string;
  readonly body: string;
  readonly failures: number;
}

/** One that was just written. */
export interface Fresh extends Due {
  /** Set where it was taken as it was written: whoever hears of it sends it, or gives it back. */
  readonly taken?: WebhookMessage;
}

/** Where a message goes. */
interface Target {
  /** Null: where a request said. */
  readonly id: string | null;
  readonly url: string;
  /** What that request asked to be told of. */
  readonly events?: Callback["events"];
}

/** What partners are told and were told. A message is on disk before it is tried, and so is every outcome. */
export class Deliveries {
  readonly #db: Kysely;
  readonly #keeper: Database["keeper"];
  readonly #reads: Database["reads"];
  readonly #bell = new EventEmitter<{ due: [fresh?: readonly Fresh[]] }>();
  #maySend = (_to: Receiver) => false;

  constructor(database: Database) {
    this.#db = database.kysely;
    this.#keeper = database.keeper;
    this.#reads = database.reads;
  }

  /**
   * Calls back when this process wrote something that can be sent at once, with what.
   * @param maySend whether somebody may be sent something now: what is written for them is taken by that
   * @returns the way to stop it
   */
  onDue(
    listener: (fresh?: readonly Fresh[]) => void,
    maySend: (to: Receiver) => boolean = () => false,
  ): () => void {
    this.#bell.on("due", listener);
    this.#maySend = maySend;
    return () => {
      this.#bell.off("due", listener);
      this.#maySend = () => false;
    };
  }

  /** Says that something can be sent, or what: after the transaction in which it was written. */
  ring(fresh?: readonly Fresh[]): void {
    this.#bell.emit("due", fresh);
  }

  /** Who wants to be told of such an event of somebody's jobs. @param db where it is asked if it is not in mind */
  async targetsOf(
    db: Kysely,
    user: UserId,
    type: EndpointEventType,
    callback: Callback | undefined,
  ): Promise<readonly Target[]> {
    const endpoints = await this.#reads.get("webhook_endpoints", user, () => endpointsOf(db, user).execute());
    const awaiting = endpoints.filter((endpoint) => eventsOf(endpoint).includes(type));
    const targets: Target[] = awaiting.map(({ id, url }) => ({ id, url }));
    return callback?.events.some((wanted) => wanted === type)
      ? [...targets, { ...callback, id: null }]
      : targets;
  }

  /** Writes who is to be told of an event. What they were not told of earlier steps of that job is dropped. */
  async add(
    db: Kysely,
    { type, job, at, data }: JobEvent,
    user: UserId,
    callback: Callback | undefined,
  ): Promise<readonly Fresh[]> {
    const fresh: Fresh[] = [];
    for (const target of await this.targetsOf(db, user, type, callback)) {
      // What a request asked for stays as it was.
      if (target.id !== null || target.events?.includes("job.progress"))
        await dropped(db)
          .set({ body: null })
          .where("job", "=", job)
          .where("type", "=", "job.progress" satisfies EventType)
          .where("endpoint", "is not distinct from", target.id)
          .where("url", "=", target.url)
          .execute();
      fresh.push(await this.#write(db, { user, target, type, job, data, now: at }));
    }
    return fresh;
  }

  /** Writes what a partner's endpoints are told of all their jobs together. */
  async addWarning(user: UserId, type: PartnerEventType, data: Json, now: number): Promise<void> {
    const due = await exclusive(this.#db, [webhooksOf(user)], async (db) => {
      const messages: Fresh[] = [];
      for (const target of await this.targetsOf(db, user, type, undefined))
        messages.push(await this.#write(db, { user, target, type, job: null, data, now }));
      return messages;
    });
    if (due.length > 0) this.ring(due);
  }

  /**
   * Writes what an address of the operator's own is told.
   * @param job the one that it is about: it goes with that
   * @returns the message's id
   */
  async addForOperator(
    db: Kysely,
    url: string,
    type: OperatorEvent,
    job: string | null,
    data: Json,
  ): Promise<string> {
    const message = { user: OPERATOR, target: { id: null, url }, type, job, data, now: currentTime() };
    return (await this.#insert(db, message)).id;
  }

  /** Writes a `ping` for an endpoint, in place of one that did not arrive yet: what costs nothing must not pile up. */
  async addPing(user: UserId, endpoint: WebhookEndpoint, now: number): Promise<WebhookDelivery> {
    const data = { webhook: endpoint.id };
    const row = await exclusive(this.#db, [webhooksOf(user)], async (db) => {
      await dropped(db).where("endpoint", "=", endpoint.id).where("type", "=", "ping").execute();
      return this.#insert(db, {
        user,
        target: { id: endpoint.id, url: endpoint.url },
        type: "ping",
        job: null,
        data,
        now,
      });
    });
    this.ring();
    return deliveryOf(row);
  }

  /** The next message of each receiver that one is due for: first those that were never tried. */
  async due(now: number): Promise<readonly Due[]> {
    return dueIn(this.#db, now);
  }

  /** Takes a message for {@link CLAIM_MS}; undefined where somebody else was faster. */
  async claim({ seq }: Due, now: number): Promise<WebhookMessage | undefined> {
    const { rows } = await claimOne(this.#db, { seq, now, until: now + CLAIM_MS });
    const [row] = rows;
    return row && { ...row, user: row.user as UserId, body: row.body ?? "" };
  }

  /** Gives a message back that was taken and not sent. */
  async release({ id }: WebhookMessage, now: number): Promise<void> {
    await this.#db
      .updateTable("webhook_deliveries")
      .set({ next_at: now })
      .where("id", "=", id)
      .where("state", "=", "due")
      .execute();
  }

  /** Writes what a try came to, as soon as that can be written. What was dropped meanwhile stays dropped, unless it arrived. */
  settle(message: WebhookMessage, attempt: Attempt, fate: Fate): Promise<void> {
    return this.#keeper.keep(() => this.#settle(message, attempt, fate));
  }

  async #settle(message: WebhookMessage, attempt: Attempt, fate: Fate): Promise<void> {
    const { id, user, endpoint, url } = message;
    if (fate.state !== "gone") return settleIn(this.#db, id, attempt, fate);
    await exclusive(this.#db, [webhooksOf(user)], async (db) => {
      await settleIn(db, id, attempt, { state: "dropped" });
      const since = { disabled_at: attempt.at, disabled_because: "gone" };
      await db
        .updateTable("webhook_endpoints")
        .set(since)
        .where("id", "=", endpoint)
        .where("url", "=", url)
        .where("disabled_at", "is", null)
        .execute();
      await dropped(db)
        .where("user", "=", user)
        .where("endpoint", "is not distinct from", endpoint)
        .where("url", "=", url)
        .execute();
    });
  }

  /** A partner's log, newest first. @throws ReelayError `not_found` where what it goes on from is not theirs, or is gone */
  async list(user: UserId, { endpoint, before, limit }: DeliveryQuery): Promise<readonly WebhookDelivery[]> {
    let query = this.#db.selectFrom("webhook_deliveries").select(DELIVERY_COLUMNS).where("user", "=", user);
    if (endpoint !== undefined) query = query.where("endpoint", "=", endpoint);
    if (before !== undefined) {
      const from = await this.#db
        .selectFrom("webhook_deliveries")
        .select("seq")
        .where("id", "=", before)
        .where("user", "=", user)
        .executeTakeFirst();
      if (!from) throw new ReelayError("not_found");
      query = query.where("seq", "<", from.seq);
    }
    return (await query.orderBy("seq", "desc").limit(limit).execute()).map(deliveryOf);
  }

  /** @throws ReelayError `not_found`, also where nothing is left to send: of a job that was forgotten, of old progress */
  async find(user: UserId, id: string): Promise<WebhookDelivery> {
    const row = await this.#db
      .selectFrom("webhook_deliveries")
      .select(DELIVERY_COLUMNS)
      .where("id", "=", id)
      .where("user", "=", user)
      .where("body", "is not", null)
      .executeTakeFirst();
    if (!row) throw new ReelayError("not_found");
    return deliveryOf(row);
  }

  /** Begins a message anew. */
  async renew(id: string, url: string, now: number): Promise<WebhookDelivery> {
    const row = await this.#db
      .updateTable("webhook_deliveries")
      .set({ state: "due", failures: 0, next_at: now, url, host: new URL(url).host })
      .where("id", "=", id)
      .returning(DELIVERY_COLUMNS)
      .executeTakeFirst();
    if (!row) throw new ReelayError("not_found");
    this.ring();
    return deliveryOf(row);
  }

  /** Erases what was to be told of a job; that something was told stays in the log. */
  async forgetJob(db: Kysely, job: string): Promise<void> {
    await dropped(db).where("job", "=", job).execute();
    await db.updateTable("webhook_deliveries").set({ body: null }).where("job", "=", job).execute();
  }

  /** Erases what is older. */
  async sweep(before: number): Promise<void> {
    await this.#db.deleteFrom("webhook_deliveries").where("created_at", "<", before).execute();
  }

  /** Writes what may be sent at once as taken, so that it need not be taken in a step of its own. */
  async #write(db: Kysely, message: NewMessage): Promise<Fresh> {
    const { user, target, now } = message;
    const receiver = target.id ?? `${user} ${new URL(target.url).host}`;
    if (!this.#maySend({ receiver, user })) return dueOf(await this.#insert(db, message), now);
    const { id, type, job, endpoint, url, body, ...due } = await this.#insert(db, message, now + CLAIM_MS);
    return { ...dueOf(due, now), taken: { id, user, type, job, endpoint, url, body, failures: 0 } };
  }

  /** @param nextAt when it is due, in milliseconds since 1970 */
  async #insert(
    db: Kysely,
    { user, target, type, job, data, now }: NewMessage,
    nextAt = now,
  ): Promise<DeliveryRow & DueRow & Pick<WebhookMessage, "body">> {
    const { id: endpoint, url } = target;
    const { host } = new URL(url);
    const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data });
    const id = `msg_${randomUUID()}`;
    const message = { id, user, endpoint, url, host, type, job, body, now, nextAt };
    const { rows } = await insertMessage(db, message);
    const [row] = rows;
    if (!row) throw new Error("A message was not written.");
    return { ...row, body };
  }
}

/** A message that is still to be written. */
interface NewMessage {
  readonly user: UserId;
  readonly target: Target;
  readonly type: WebhookDelivery["type"] | OperatorEvent;
  readonly job: string | null;
  readonly data: Json;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const insertMessage = prepared(
  (
    db,
    message: {
      readonly endpoint: string | null;
      readonly job: string | null;
      readonly now: number;
      readonly nextAt: number;
    } & Readonly<Record<"id" | "user" | "url" | "host" | "type" | "body", string>>,
  ) => {
    const { id, user, endpoint, url, host, type, job, body, now, nextAt } = message;
    const row = {
      id,
      user,
      endpoint,
      url,
      host,
      type,
      job,
      body,
      state: "due",
      next_at: nextAt,
      created_at: now,
    };
    return db
      .insertInto("webhook_deliveries")
      .values(row)
      .returning([...DELIVERY_COLUMNS, ...DUE_COLUMNS]);
  },
);

const claimOne = prepared((db, { seq, now, until }: Readonly<Record<"seq" | "now" | "until", number>>) =>
  db
    .updateTable("webhook_deliveries")
    .set({ next_at: until })
    .where("seq", "=", seq)
    .where("next_at", "<=", now)
    .returning(["id", "user", "type", "job", "endpoint", "url", "body", "failures"]),
);

/** Whoever changes an endpoint, or what is to be sent there, names this. */
export const webhooksOf = (user: UserId): LockName => `webhooks:${user}`;

/** Drops those of the messages that were not sent yet; the caller says which. */
export function dropped(db: Kysely) {
  return db
    .updateTable("webhook_deliveries")
    .set({ state: "dropped", next_at: null })
    .where("state", "=", "due");
}

/** Where somebody wants to be told of their jobs. */
function endpointsOf(db: Kysely, user: UserId) {
  return db
    .selectFrom("webhook_endpoints")
    .select(["id", "url", "events"])
    .where("user", "=", user)
    .where("disabled_at", "is", null);
}
