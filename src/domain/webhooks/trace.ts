import { channel } from "node:diagnostics_channel";
import { isTestMode } from "../../common/test-mode.ts";
import type { Attempt } from "../../seam/access/webhooks.ts";

/** A try to send a message about a job, as it is told on Node's channel `reelay:webhook`. Nothing of whom it is for. */
export interface WebhookTrace extends Attempt {
  readonly job: string;
  /** What it tells of the job. */
  readonly type: string;
  /** How many tries came to nothing before. */
  readonly failures: number;
}

const webhooks = channel("reelay:webhook");

/** Tells whoever listens of a try. Costs nothing where nobody does. */
export function traceWebhook(
  { job, type, failures }: { readonly job: string | null; readonly type: string; readonly failures: number },
  attempt: Attempt,
): void {
  if (job === null || !webhooks.hasSubscribers || isTestMode()) return;
  const told: WebhookTrace = { job, type, failures, ...attempt };
  webhooks.publish(told);
}
