import type { AuditEntry } from "../../../src/seam/access/audit.ts";
import type { FreshToken, PartnerEntry } from "../../../src/seam/access/partners.ts";
import type { Check, RunningSandbox } from "../../../src/seam/surface/runtime.ts";
import type { Block } from "../../../src/seam/access/safety.ts";
import type { Dimension, UsageRow } from "../../../src/seam/access/usage.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../../src/seam/access/webhooks.ts";

/** The server listens. */
interface StartedEvent {
  readonly event: "started";
  readonly url: string;
  readonly sandbox: boolean;
}

/** A sandbox of its own listens; keys are by tier. */
export interface SandboxEvent extends Pick<RunningSandbox, "url" | "fullCatalogUrl" | "keys" | "control"> {
  readonly event: "sandbox";
  /** What a seed drew; left out without one. */
  readonly liberties?: RunningSandbox["liberties"];
}

/** What the doctor found. */
interface DoctorEvent {
  readonly event: "doctor";
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

/** What was decided and done. */
interface AuditEvent {
  readonly event: "audit";
  readonly entries: readonly AuditEntry[];
}

/** Who is blocked. */
interface BlocksEvent {
  readonly event: "blocks";
  readonly blocks: readonly Block[];
}

/** Somebody is blocked from now on. */
interface BlockedEvent {
  readonly event: "blocked";
  readonly block: Block;
}

/** Somebody is not blocked any more; `was`: whether they were. */
interface UnblockedEvent {
  readonly event: "unblocked";
  readonly subject: Block["subject"];
  readonly was: boolean;
}

/** What was made, summed. */
export interface UsageEvent {
  readonly event: "usage";
  /** What each row is a sum of. */
  readonly by: readonly Dimension[];
  readonly rows: readonly UsageRow[];
}

/** A partner as they are now. */
export interface PartnerEvent extends PartnerEntry {
  readonly event: "partner";
  /** The first token, of one that was just added: never shown again. */
  readonly token?: string;
  /** Where it is used. */
  readonly url?: string;
}

/** Every partner. */
interface PartnersEvent {
  readonly event: "partners";
  readonly partners: readonly PartnerEntry[];
}

/** One more token: never shown again. */
export interface TokenEvent extends FreshToken {
  readonly event: "token";
  readonly partner: string;
  /** Where it is used. */
  readonly url: string;
}

/** A token is nobody's any more. */
interface RevokedEvent {
  readonly event: "revoked";
  readonly partner: string;
  /** Its id. */
  readonly token: string;
}

/** A partner is gone. */
interface RemovedEvent {
  readonly event: "removed";
  readonly partner: string;
}

/** Where a partner is told of their jobs. */
interface WebhooksEvent {
  readonly event: "webhooks";
  readonly webhooks: readonly WebhookEndpoint[];
}

/** What a partner was told, newest first. */
interface DeliveriesEvent {
  readonly event: "deliveries";
  readonly deliveries: readonly WebhookDelivery[];
}

/** A message goes out once more, as soon as a server runs. */
interface ResentEvent {
  readonly event: "resent";
  readonly delivery: WebhookDelivery;
}

/** What signs messages to the addresses that come with a partner's jobs, or reports to the operator's own address. */
interface CallbackSecretEvent {
  readonly event: "callback_secret";
  readonly secret: string;
  /** Whether it is a new one; the one before signs as well for a day. */
  readonly renewed: boolean;
}

/** How many stored keys were encrypted anew. */
interface RotatedEvent {
  readonly event: "rotated";
  readonly rewritten: number;
  /** Left as they are, because no secret fits them. */
  readonly unreadable: number;
}

/** The link that logs a browser in. */
interface LinkEvent {
  readonly event: "link";
  readonly url: string;
}

/** What the commands say by which Reelay is run. */
export type OperatorEvent =
  | StartedEvent
  | SandboxEvent
  | DoctorEvent
  | AuditEvent
  | BlocksEvent
  | BlockedEvent
  | UnblockedEvent
  | UsageEvent
  | PartnerEvent
  | PartnersEvent
  | TokenEvent
  | RevokedEvent
  | RemovedEvent
  | WebhooksEvent
  | DeliveriesEvent
  | ResentEvent
  | CallbackSecretEvent
  | RotatedEvent
  | LinkEvent;
