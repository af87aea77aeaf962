import type { EndpointEventType } from "../events.ts";
import type { AlertEvent } from "./alerts.ts";
import type { UserId } from "../values.ts";

/** Where a partner wants to be told what happened; they call it a webhook. Times are milliseconds since 1970. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EndpointEventType[];
  readonly createdAt: number;
  /** Nothing is sent to it since. */
  readonly disabledAt: number | null;
  /** `gone`: it answered 410. `owner`: its partner switched it off. */
  readonly disabledBecause: "gone" | "owner" | null;
}

/** An endpoint with the secret that signs what it is sent: the only moment when that can be shown. */
export interface FreshEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** `whsec_` and base64, as Standard Webhooks wants it. */
  readonly secret: string;
}

/** What the operator's own address is told of: a result was reported for the first time, or is withheld. */
export type ReportEvent = "result.reported" | "result.withheld";

/** What addresses of the operator's own are told of. */
export type OperatorEvent = ReportEvent | AlertEvent;

/** One try to deliver. */
export interface Attempt {
  readonly at: number;
  /** What was answered; null where nothing was. */
  readonly status: number | null;
  /** What went wrong, in a word. */
  readonly error: string | null;
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
}

/** One message to one address, with everything that was tried. */
export interface WebhookDelivery {
  /** The same for all tries: the receiver's way to tell repetitions (`webhook-id`). */
  readonly id: string;
  /** Null: the address came with the request of the job. */
  readonly endpoint: string | null;
  readonly url: string;
  readonly type: EndpointEventType | "ping";
  /** Null for a ping. */
  readonly job: string | null;
  /**
   * `dropped`: its endpoint is gone, was switched off or removed; its job was forgotten; or it told of a step that a
   * later event has overtaken.
   */
  readonly state: "due" | "delivered" | "failed" | "dropped";
  readonly attempts: readonly Attempt[];
  /** When it is tried next. */
  readonly nextAt: number | null;
  readonly createdAt: number;
}

/** Which deliveries are listed, newest first. */
export interface DeliveryQuery {
  readonly endpoint?: string | undefined;
  /** Only those older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** A partner's endpoints, and the log of what they were sent. Whatever is not the partner's is unknown to them. */
export interface Webhooks {
  /** @throws ReelayError as {@link Webhooks.checkUrl}, `too_many_webhooks` */
  create(user: UserId, endpoint: Pick<WebhookEndpoint, "url" | "events">): Promise<FreshEndpoint>;
  list(user: UserId): Promise<readonly WebhookEndpoint[]>;
  /** @throws ReelayError `not_found`; so do all that take an id */
  get(user: UserId, id: string): Promise<WebhookEndpoint>;
  /**
   * Changes what is given; `enabled` also takes back that it is gone.
   * @throws ReelayError as {@link Webhooks.checkUrl}
   */
  change(
    user: UserId,
    id: string,
    change: Partial<Pick<WebhookEndpoint, "url" | "events">> & { readonly enabled?: boolean | undefined },
  ): Promise<WebhookEndpoint>;
  remove(user: UserId, id: string): Promise<void>;
  /** A new secret; for a day the one before signs as well. */
  rotate(user: UserId, id: string): Promise<FreshEndpoint["secret"]>;
  /** What signs messages to addresses that come with a request; made at the first call. */
  callbackSecret(user: UserId): Promise<string>;
  /** The same for whoever it is for, where they were not told it yet: once. */
  untoldCallbackSecret(user: UserId): Promise<string | undefined>;
  rotateCallbackSecret(user: UserId): Promise<string>;
  /** @throws ReelayError `webhook_url_refused` for an address that is not public, `url_with_password` for one with that in it */
  checkUrl(url: string): void;
  /** @throws ReelayError `not_found` for a `before` that is gone */
  deliveries(user: UserId, query: DeliveryQuery): Promise<readonly WebhookDelivery[]>;
  /**
   * Sends a message once more, from the first try on, whatever became of it; to where its endpoint is now.
   * @throws ReelayError `not_found`, also where its job was forgotten; `webhook_disabled`
   */
  resend(user: UserId, delivery: string): Promise<WebhookDelivery>;
  /**
   * Sends a `ping`, so that a partner can try an endpoint out.
   * @throws ReelayError `webhook_disabled`
   */
  ping(user: UserId, id: string): Promise<WebhookDelivery>;
}
