import type {
  GenerateEndpoint,
  ServiceJob,
  MediaApi,
  Submitted,
} from "../../infrastructure/api/media-api.ts";
import type { MessageKey } from "../../common/i18n.ts";
import type { Values } from "../../seam/values.ts";
import type { FormSchema } from "./fields.ts";
import type { RateGroup } from "../../common/contract.ts";
import type { ErrorCode } from "../../common/errors.ts";
import type { Likeness } from "./likeness.ts";
import type { Order } from "./order.ts";

/**
 * One thing that the service can make, described once (`described`). Every front end derives its own form from it;
 * adding an operation is adding one file and its line in the registry.
 */
export interface Operation extends Recognition {
  /** Its name everywhere: command, CLI argument, ledger. */
  readonly id: string;
  readonly label: MessageKey;
  readonly description: MessageKey;
  /** What comes out. */
  readonly result: "video" | "image";
  /** The fields as a person fills them; names and bounds are the contract's. */
  readonly schema: FormSchema;
  /** Where it is asked for. */
  readonly endpoint: GenerateEndpoint;
  /** The published rate that its submission falls under (section 8.1). */
  readonly group: RateGroup;
  /** Set where every account needs a subscription for it (section 5, rule 7). */
  readonly subscription?: "pro";
  /** What is stated each time that it begins, where a statement made once is not enough. */
  readonly agreement?: "faces";
  /** The operation to offer while the service rests this one's product (503, section 7). */
  readonly instead: string;
  /** What a 403 to these values means, where more is known than that a subscription is required (section 5, rule 7). */
  forbidden(values: Values): ErrorCode | undefined;
  /** Tokens by the contract's formula; null where the contract gives none and the price is learned. */
  price(values: Values): number | null;
  /** The choices that price and duration depend on, as one word: the same word, the same price. */
  size(values: Values): string;
  /** Makes the one paid POST. Errors as {@link MediaApi}; never repeated by itself. */
  submit(api: MediaApi, order: Order): Promise<Submitted>;
  /** Reads the stored state of a job. */
  read(api: MediaApi, serviceId: string): Promise<ServiceJob>;
  /** Where else the service may show a job, should it not be found there. */
  readonly otherReads?: readonly ((api: MediaApi, serviceId: string) => Promise<ServiceJob>)[];
  /** Deletes a job at the service; throws NotFound for one that is gone already. Null: the service offers no way to. */
  readonly remove: ((api: MediaApi, serviceId: string) => Promise<void>) | null;
}

/** How the jobs of an operation are told apart in the service's own records, when an answer was lost. */
export interface Recognition {
  /** The `type` of its jobs in the service's records (section 2.4), or a name for what is none of them. */
  readonly type: string;
  /** Whether the job list shows its jobs to standard users (section 4.13). */
  readonly listed: boolean;
  /**
   * What can be told of an order from outside: two orders of one key with the same fingerprint cannot be told
   * apart when an answer was lost.
   */
  fingerprint(values: Values): string;
  /** How much a job found at the service is like an order, as far as its records show. */
  likeness(api: MediaApi, record: ServiceJob, values: Values): Promise<Likeness>;
  /** The size of a job found at the service, as far as records show it; undefined where they do not. */
  sizeOf(api: MediaApi, record: ServiceJob): Promise<string | undefined>;
}
