import type { AlertEntry, AlertTest } from "../../../src/seam/access/alerts.ts";
import type { AuditEntry } from "../../../src/seam/access/audit.ts";
import type { PoolKeyEntry } from "../../../src/seam/access/key-pool.ts";
import type { OperatorEntry } from "../../../src/seam/access/operators.ts";
import type { FreshToken, PartnerEntry } from "../../../src/seam/access/partners.ts";
import type {
  BackupDone,
  Check,
  FilesMoved,
  MoveDone,
  MoveProgress,
  RestoreDone,
  RunningSandbox,
} from "../../../src/seam/surface/runtime.ts";
import type { Block, NewBlock } from "../../../src/seam/access/safety.ts";
import type { Dimension, UsageRow } from "../../../src/seam/access/usage.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../../src/seam/access/webhooks.ts";

/** What the commands say by which Reelay is run, by the names of their events. */
export interface OperatorEvents {
  /** The server listens. */
  readonly started: {
    readonly url: string;
    readonly sandbox: boolean;
  };
  /** A sandbox of its own listens; keys are by tier. */
  readonly sandbox: Pick<RunningSandbox, "url" | "fullCatalogUrl" | "keys" | "control"> & {
    /** What a seed drew; left out without one. */
    readonly liberties?: RunningSandbox["liberties"];
  };
  /** What the doctor found. */
  readonly doctor: {
    readonly ok: boolean;
    readonly checks: readonly Check[];
  };
  /** What was decided and done. */
  readonly audit: { readonly entries: readonly AuditEntry[] };
  /** Who is blocked. */
  readonly blocks: { readonly blocks: readonly Block[] };
  /** Somebody is blocked from now on. */
  readonly blocked: { readonly block: NewBlock };
  /** Somebody is not blocked any more; `was`: whether they were. */
  readonly unblocked: {
    readonly subject: Block["subject"];
    readonly was: boolean;
  };
  /** What was made, summed. */
  readonly usage: {
    /** What each row is a sum of. */
    readonly by: readonly Dimension[];
    readonly rows: readonly UsageRow[];
  };
  /** Those who run Reelay. */
  readonly operators: { readonly operators: readonly OperatorEntry[] };
  /** One of them as they are now. */
  readonly operator: { readonly operator: OperatorEntry };
  /** A link that lets one of them in: never shown again. */
  readonly operator_link: { readonly operator: OperatorEntry; readonly url: string };
  /** One of them is none any more; as they were. */
  readonly operator_removed: { readonly operator: OperatorEntry };
  /** The keys that pay for those who have connected none. */
  readonly keys: { readonly keys: readonly PoolKeyEntry[] };
  /** One of them as it is now. */
  readonly key: { readonly key: PoolKeyEntry };
  /** A partner as they are now. */
  readonly partner: PartnerEntry & {
    /** The first token, of one that was just added: never shown again. */
    readonly token?: string;
    /** Where it is used. */
    readonly url?: string;
    /** Set where webhooks may lead to this machine; see `webhookHosts`. */
    readonly webhooksHere?: true;
  };
  /** Every partner. */
  readonly partners: { readonly partners: readonly PartnerEntry[] };
  /** One more token: never shown again. */
  readonly token: FreshToken & {
    readonly partner: string;
    /** Where it is used. */
    readonly url: string;
  };
  /** A token is nobody's any more. */
  readonly revoked: {
    readonly partner: string;
    /** Its id. */
    readonly token: string;
  };
  /** A partner is gone. */
  readonly removed: { readonly partner: string };
  /** Where a partner is told of their jobs. */
  readonly webhooks: { readonly webhooks: readonly WebhookEndpoint[] };
  /** What a partner was told, newest first. */
  readonly deliveries: { readonly deliveries: readonly WebhookDelivery[] };
  /** A message goes out once more, as soon as a server runs. */
  readonly resent: { readonly delivery: WebhookDelivery };
  /** What signs messages to the addresses that come with a partner's jobs, or reports to the operator's own address. */
  readonly callback_secret: {
    readonly secret: string;
    /** Whether it is a new one; the one before signs as well for a day. */
    readonly renewed: boolean;
  };
  /** What is not as it should be. */
  readonly alerts: { readonly alerts: readonly AlertEntry[] };
  /** What became of a test of the places where alerts are told; none: there are no such places. */
  readonly alerts_tested: { readonly places: readonly AlertTest[] };
  /** How many stored keys were encrypted anew. */
  readonly rotated: {
    readonly rewritten: number;
    /** Left as they are, because no secret fits them. */
    readonly unreadable: number;
  };
  /** Everything that is kept stands in one file; its path is `-` where that is standard output. */
  readonly backed_up: BackupDone & { readonly path: string };
  /** A data folder was made of a backup. */
  readonly restored: RestoreDone;
  /** How far a move is. */
  readonly moving: MoveProgress;
  /** Everything that is kept was moved. */
  readonly moved: MoveDone;
  /** Files are in another place, too. */
  readonly moved_files: FilesMoved;
  /** The link that logs a browser in. */
  readonly link: { readonly url: string };
}
