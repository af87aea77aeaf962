import type { JobRecord, MediaApi, Submitted } from "../api/media-api.ts";
import type { MessageKey } from "../i18n.ts";
import type { Values } from "../chat/values.ts";
import type { FormSchema } from "./fields.ts";
import type { RateGroup } from "../contract.ts";
import type { PreparedImage } from "../media/image.ts";

/** What the service calls the person's platform and name, where an endpoint takes them. */
export interface Tags {
  readonly platform: string;
  readonly in_app_username: string;
}

/** A request that is ready to leave: checked values, prepared pictures by field name, tags. */
export interface Order {
  readonly values: Values;
  readonly images: Readonly<Record<string, PreparedImage>>;
  readonly tags: Tags;
}

/**
 * One thing that the service can make, described once. Every front end derives its own form from it;
 * adding an operation is adding one file and its line in the registry.
 */
export interface Operation {
  /** Its name everywhere: command, CLI argument, ledger. */
  readonly id: string;
  readonly label: MessageKey;
  readonly description: MessageKey;
  /** What comes out. */
  readonly result: "video" | "image";
  /** The fields as a person fills them; names and bounds are the contract's. */
  readonly schema: FormSchema;
  /** The published rate that its submission falls under (section 8.1). */
  readonly group: RateGroup;
  /** The `type` of its jobs in the service's records (section 2.4). */
  readonly type: string;
  /** Whether the job list shows its jobs to standard users (section 4.13). */
  readonly listed: boolean;
  /** Tokens by the contract's formula; null where the contract gives none and the price is learned. */
  price(values: Values): number | null;
  /** The choices that price and duration depend on, as one word: the same word, the same price. */
  size(values: Values): string;
  /** Sends the one POST. Errors as {@link MediaApi}; never repeated by itself. */
  submit(api: MediaApi, order: Order): Promise<Submitted>;
  /** Reads the stored state of a job. */
  read(api: MediaApi, serviceId: string): Promise<JobRecord>;
  /**
   * What can be told of an order from outside, by the service's own records: two orders with the same
   * fingerprint cannot be told apart when an answer was lost.
   */
  fingerprint(values: Values): string;
  /** The fingerprint of a job found at the service. */
  fingerprintOf(api: MediaApi, serviceId: string): Promise<string>;
  /** The size of a job found at the service; choices that its records do not show count as the defaults. */
  sizeOf(api: MediaApi, serviceId: string): Promise<string>;
  /** Deletes a job at the service. Throws NotFound for one that is gone already. */
  remove(api: MediaApi, serviceId: string): Promise<void>;
}
