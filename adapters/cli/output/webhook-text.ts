import type { WebhookDelivery, WebhookEndpoint } from "../../../src/seam/access/webhooks.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { columns } from "./columns.ts";

/** Where a partner is told of their jobs. */
export function endpointLines(translate: Translate, endpoints: readonly WebhookEndpoint[]): string[] {
  if (endpoints.length === 0) return [translate("cli.webhooks.none")];
  return columns(
    endpoints.map(({ id, url, events, disabledAt: at, disabledBecause }) => [
      id,
      url,
      events.join(" "),
      at === null || disabledBecause === null ? "" : translate(`cli.webhooks.${disabledBecause}`, { at }),
    ]),
  );
}

/** What a partner was told, newest first. */
export function deliveryLines(translate: Translate, deliveries: readonly WebhookDelivery[]): string[] {
  if (deliveries.length === 0) return [translate("cli.webhooks.log.none")];
  return columns(
    deliveries.map(({ id, type, url, state, attempts, createdAt }) => [
      translate("fact.date", { at: createdAt }),
      id,
      type,
      translate(`cli.webhooks.${state}`),
      // What was answered to each try.
      attempts.map(({ status, error }) => status ?? error).join(" "),
      url,
    ]),
  );
}
