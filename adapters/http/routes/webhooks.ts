import { z } from "zod";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { deliveryQuerySchema, endpointEventTypes, webhookUrl } from "../route/requests.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { refuseKeys } from "../access/refuse-keys.ts";
import { wrongCursor } from "../access/problem.ts";
import { firstPage } from "../resources/list.ts";
import {
  deliveryBody,
  deliveryListSchema,
  deliverySchema,
  endpointBody,
  endpointListSchema,
  endpointSchema,
  freshEndpointSchema,
  secretSchema,
} from "../resources/webhook.ts";
import { idOf, type Route, type RouteFace, route } from "../route/route.ts";

const ID = { id: "The webhook's id." };

/** What all of these routes are alike in. */
const OWN = { group: "Webhooks", scope: "webhooks" } as const satisfies Partial<RouteFace>;

const newEndpointSchema = z
  .strictObject({ url: webhookUrl, events: endpointEventTypes })
  .meta({ id: "NewWebhook" });

const changeSchema = z
  .strictObject({
    url: webhookUrl.exactOptional(),
    events: endpointEventTypes.unwrap().exactOptional(),
    enabled: z
      .boolean()
      .exactOptional()
      .meta({ description: "`false`: nothing is sent until it is `true` again." }),
  })
  .meta({ id: "WebhookChange" });

/** Where partners are told, and the log of it. */
export function webhookRoutes({
  forPartners,
  intake,
}: Pick<GatewayParts, "forPartners" | "intake">): readonly Route[] {
  const { webhooks } = forPartners;

  return [
    route(
      {
        ...OWN,
        name: "createWebhook",
        method: "post",
        path: "/webhooks",
        summary: "Be told of your jobs",
        description:
          "Messages follow Standard Webhooks: verify `webhook-id`, `webhook-timestamp` and `webhook-signature` with the secret. Any 2xx is taken for received; anything else is tried again for days. 410 switches the webhook off.",
        body: newEndpointSchema,
        answers: { 201: { description: "The webhook, with its secret.", schema: freshEndpointSchema } },
        problems: ["webhook_url_refused", "url_with_password", "too_many_webhooks", "key_in_words"],
      },
      async ({ c, user, body }) => {
        await refuseKeys(intake().keys, body);
        const { endpoint, secret } = await webhooks.create(user, body);
        return c.json({ ...endpointBody(endpoint), secret }, 201);
      },
    ),
    route(
      {
        ...OWN,
        name: "listWebhooks",
        method: "get",
        path: "/webhooks",
        summary: "List your webhooks",
        answers: { 200: { description: "All of them.", schema: endpointListSchema } },
      },
      async ({ c, user }) => c.json({ object: "list", data: (await webhooks.list(user)).map(endpointBody) }),
    ),
    route(
      {
        ...OWN,
        name: "readWebhook",
        method: "get",
        path: "/webhooks/:id",
        summary: "Read a webhook",
        params: ID,
        answers: { 200: { description: "The webhook.", schema: endpointSchema } },
        problems: ["not_found"],
      },
      async (call) => call.c.json(endpointBody(await webhooks.get(call.user, idOf(call)))),
    ),
    route(
      {
        ...OWN,
        name: "changeWebhook",
        method: "patch",
        path: "/webhooks/:id",
        summary: "Change a webhook, or switch it off or on",
        params: ID,
        body: changeSchema,
        answers: { 200: { description: "The webhook as it is now.", schema: endpointSchema } },
        problems: ["not_found", "webhook_url_refused", "url_with_password", "key_in_words"],
      },
      async (call) => {
        await refuseKeys(intake().keys, { ...call.body });
        return call.c.json(endpointBody(await webhooks.change(call.user, idOf(call), call.body)));
      },
    ),
    route(
      {
        ...OWN,
        name: "deleteWebhook",
        method: "delete",
        path: "/webhooks/:id",
        summary: "Remove a webhook",
        params: ID,
        answers: { 204: { description: "It is gone; what was still to be sent to it is dropped." } },
        problems: ["not_found"],
      },
      async (call) => {
        await webhooks.remove(call.user, idOf(call));
        return call.c.body(null, 204);
      },
    ),
    route(
      {
        ...OWN,
        name: "rotateSecret",
        method: "post",
        path: "/webhooks/:id/rotate",
        summary: "Make a new secret",
        params: ID,
        answers: { 200: { description: "The new secret.", schema: secretSchema } },
        problems: ["not_found"],
      },
      async (call) => call.c.json({ secret: await webhooks.rotate(call.user, idOf(call)) }),
    ),
    route(
      {
        ...OWN,
        name: "pingWebhook",
        method: "post",
        path: "/webhooks/:id/ping",
        summary: "Try a webhook out",
        description: "Sends a `ping`; its delivery says what became of it.",
        params: ID,
        answers: { 202: { description: "The delivery.", schema: deliverySchema } },
        problems: ["not_found", "webhook_disabled"],
      },
      async (call) => call.c.json(deliveryBody(await webhooks.ping(call.user, idOf(call))), 202),
    ),
    route(
      {
        ...OWN,
        name: "rotateCallbackSecret",
        method: "post",
        path: "/callback-secret/rotate",
        summary: "Make a new secret for the addresses of single jobs",
        description: "What a job's own `webhook` is sent is signed with this one.",
        answers: { 200: { description: "The new secret.", schema: secretSchema } },
      },
      async ({ c, user }) => c.json({ secret: await webhooks.rotateCallbackSecret(user) }),
    ),
    route(
      {
        ...OWN,
        name: "listDeliveries",
        method: "get",
        path: "/deliveries",
        summary: "List what was sent, newest first",
        query: deliveryQuerySchema,
        answers: { 200: { description: "One page.", schema: deliveryListSchema } },
      },
      async ({ c, user, query }) => {
        const { limit, cursor: before, webhook: endpoint } = query;
        const found = await webhooks
          .deliveries(user, { endpoint, before, limit: limit + 1 })
          .catch((error: unknown) => {
            // It may be erased before the next page is asked for.
            if (!(error instanceof ReelayError) || error.code !== "not_found") throw error;
            throw wrongCursor(", or none to begin again: this one is too old");
          });
        const { page, next } = firstPage(found, limit);
        return c.json({ object: "list", data: page.map(deliveryBody), next_cursor: next });
      },
    ),
    route(
      {
        ...OWN,
        name: "resendDelivery",
        method: "post",
        path: "/deliveries/:id/resend",
        summary: "Send a message once more",
        description: "Progress cannot be sent again: it is kept only until it is sent or overtaken.",
        params: { id: "The delivery's id." },
        answers: { 202: { description: "The delivery.", schema: deliverySchema } },
        problems: ["not_found", "webhook_disabled"],
      },
      async (call) => call.c.json(deliveryBody(await webhooks.resend(call.user, idOf(call))), 202),
    ),
  ];
}
