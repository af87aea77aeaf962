import type { Poll } from "../inbox.ts";
import { badRequest, conflict } from "../refusal.ts";
import type { Update } from "../wire.ts";
import type { World } from "../world.ts";
import type { Webhook, WebhookTarget } from "../webhook.ts";

interface Wanted {
  readonly allowed_updates?: readonly string[];
  readonly drop_pending_updates?: boolean;
}

function prepare(world: World, { allowed_updates: allowed, drop_pending_updates: drop }: Wanted): void {
  if (allowed) world.inbox.allowed = allowed;
  if (drop) world.inbox.pending.length = 0;
}

/** API, setWebhook: HTTPS only; the fake also takes this machine's own address. */
function checkTarget({ url, secret_token: secret }: WebhookTarget): void {
  if (!/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])/.test(url)) {
    throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
  }
  if (secret !== undefined && !/^[\w-]{1,256}$/.test(secret)) {
    throw badRequest("secret token contains unallowed characters");
  }
}

/** How the bot comes to its updates. */
export function updating(webhook: Webhook) {
  return {
    async getUpdates(
      world: World,
      params: Poll & Wanted,
      { gone }: { readonly gone: AbortSignal },
    ): Promise<readonly Update[]> {
      if (webhook.target) {
        throw conflict(
          "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        );
      }
      prepare(world, params);
      return world.inbox.poll(params, gone);
    },

    setWebhook(world: World, params: WebhookTarget & Wanted): true {
      if (params.url) checkTarget(params);
      prepare(world, params);
      webhook.target = params.url ? params : undefined;
      webhook.pump();
      return true;
    },

    deleteWebhook(world: World, params: Wanted): true {
      prepare(world, params);
      webhook.target = undefined;
      return true;
    },

    getWebhookInfo: (world: World) => ({
      url: webhook.target?.url ?? "",
      has_custom_certificate: false,
      pending_update_count: world.inbox.pending.length,
      ...(webhook.lastError && {
        last_error_date: webhook.lastError.date,
        last_error_message: webhook.lastError.message,
      }),
    }),
  };
}
