import type { EndpointEventType } from "../../seam/events.ts";
import type { UserId } from "../../seam/values.ts";
import type { Attempt, WebhookDelivery, WebhookEndpoint } from "../../seam/access/webhooks.ts";
import type { WebhookEndpointsTable } from "../../infrastructure/storage/schema.ts";
import type { Due } from "./due.ts";

/** The columns that a delivery is read from: all but what is sent. */
export const DELIVERY_COLUMNS = [
  "id",
  "endpoint",
  "url",
  "type",
  "job",
  "state",
  "attempts",
  "next_at",
  "created_at",
] as const;

/** A delivery's row, as far as it is read. */
export interface DeliveryRow {
  readonly id: string;
  readonly endpoint: string | null;
  readonly url: string;
  readonly type: string;
  readonly job: string | null;
  readonly state: string;
  readonly attempts: string;
  readonly next_at: number | null;
  readonly created_at: number;
}

/** What is sent next is told by these. */
export const DUE_COLUMNS = ["seq", "user", "receiver"] as const;

/** Who is to be sent something. */
export interface DueRow {
  readonly seq: number;
  readonly user: string;
  readonly receiver: string;
}

/** What is due from now on. @param now milliseconds since 1970 */
export function dueOf({ seq, user, receiver }: DueRow, now: number): Due {
  return { seq, user: user as UserId, receiver, next_at: now };
}

export function deliveryOf(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    endpoint: row.endpoint,
    url: row.url,
    type: row.type as WebhookDelivery["type"],
    job: row.job,
    state: row.state as WebhookDelivery["state"],
    attempts: JSON.parse(row.attempts) as Attempt[],
    nextAt: row.next_at,
    createdAt: row.created_at,
  };
}

/** What an endpoint wants to hear of. */
export function eventsOf({ events }: Pick<WebhookEndpointsTable, "events">): readonly EndpointEventType[] {
  return JSON.parse(events) as EndpointEventType[];
}

export function endpointOf(row: WebhookEndpointsTable): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    events: eventsOf(row),
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    disabledBecause: row.disabled_because as WebhookEndpoint["disabledBecause"],
  };
}
