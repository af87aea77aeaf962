import type { UserId } from "../../seam/values.ts";
import { JobEvents } from "./job-events.ts";
import { Deliveries } from "./deliveries.ts";
import type { WebhookParts } from "./parts.ts";
import { PartnerWebhooks } from "./partner-webhooks.ts";
import { WebhookDispatcher } from "./dispatcher.ts";
import { SigningSecrets } from "./signing-secrets.ts";
import { currentTime } from "../../common/time.ts";

/** Events of partners' jobs, and who is told of them. */
export interface OpenWebhooks {
  readonly events: JobEvents;
  readonly webhooks: PartnerWebhooks;
  /** Sends what is due once it is started: in processes that serve partners alone. */
  readonly dispatcher: WebhookDispatcher;
  /** Erases everything of a partner. */
  forgetUser(user: UserId): Promise<void>;
}

export function openWebhooks(parts: WebhookParts): OpenWebhooks {
  const { database, vault, now = currentTime } = parts;
  const deliveries = new Deliveries(database);
  const secrets = new SigningSecrets(vault);
  const events = new JobEvents(database, deliveries, now);
  const webhooks = new PartnerWebhooks({ ...parts, deliveries, secrets, now });
  const sweep = async (before: number) => {
    await deliveries.sweep(before);
    await events.sweep(before);
  };
  return {
    events,
    webhooks,
    dispatcher: new WebhookDispatcher({ ...parts, deliveries, secrets, sweep, now }),
    async forgetUser(user) {
      await webhooks.forgetUser(user);
      await events.forgetUser(user);
    },
  };
}
