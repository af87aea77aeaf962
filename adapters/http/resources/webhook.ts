import { z } from "zod";
import { ENDPOINT_EVENT_TYPES } from "../../../src/seam/events.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../../src/seam/access/webhooks.ts";
import { isoOf } from "./job.ts";
import { listSchema, pageSchema } from "./list.ts";

const at = () => z.iso.datetime();
const url = () => z.url().meta({ example: "https://example.com/reelay" });

/** Where events are sent. */
export const endpointSchema = z
  .object({
    object: z.literal("webhook"),
    id: z.string().meta({ example: "ep_7f0c5a1e-3f0b-4d5e-9a54-0c8c6a1d2e3f" }),
    url: url(),
    events: z.array(z.enum(ENDPOINT_EVENT_TYPES)),
    enabled: z.boolean(),
    disabled_because: z
      .enum(["gone", "owner"])
      .nullable()
      .meta({ description: "`gone`: it answered 410. `owner`: you switched it off." }),
    created_at: at(),
  })
  .meta({ id: "Webhook" });

/** The same with what signs its messages. */
export const freshEndpointSchema = endpointSchema
  .extend({
    secret: z
      .string()
      .meta({ description: "Shown this once. Signs by Standard Webhooks.", example: "whsec_…" }),
  })
  .meta({ id: "NewWebhookAnswer" });

/** All of them. */
export const endpointListSchema = listSchema(endpointSchema).meta({ id: "WebhookList" });

/** What signs messages. */
export const secretSchema = z
  .object({
    secret: z.string().meta({
      description: "Shown this once; the one before signs as well for 24 hours.",
      example: "whsec_…",
    }),
  })
  .meta({ id: "WebhookSecret" });

/** One message with everything that was tried. */
export const deliverySchema = z
  .object({
    object: z.literal("delivery"),
    id: z.string().meta({
      description: "The `webhook-id` of every try.",
      example: "msg_0b8f6f2e-8d7b-4c1e-9f3a-2d4c6b8a0e1f",
    }),
    webhook: z.string().nullable().meta({
      description: "Null for the address of a single job.",
      example: "ep_7f0c5a1e-3f0b-4d5e-9a54-0c8c6a1d2e3f",
    }),
    url: url(),
    type: z.enum([...ENDPOINT_EVENT_TYPES, "ping"]).meta({ example: "job.completed" }),
    job: z.string().nullable().meta({ description: "Null for a ping.", example: "0mwprskck334cb5f05e" }),
    state: z.enum(["due", "delivered", "failed", "dropped"]).meta({
      description:
        "`dropped`: its webhook was switched off or removed, its job was deleted, or a later event overtook it.",
      example: "delivered",
    }),
    attempts: z.array(
      z.object({
        at: at(),
        status: z.int().nullable().meta({ description: "Null where nothing was answered.", example: 204 }),
        error: z.string().nullable().meta({ description: "Why nothing was, in a word." }),
        took_ms: z.number().meta({ example: 83 }),
      }),
    ),
    next_at: at().nullable().meta({
      description:
        "When it is tried next, at the earliest: a receiver that lately answered nothing is left alone for up to five minutes, and what waits for it meanwhile keeps its time.",
    }),
    created_at: at(),
  })
  .meta({ id: "Delivery" });

/** One page of them. */
export const deliveryListSchema = pageSchema(deliverySchema).meta({ id: "DeliveryList" });

/** An endpoint, as partners read it. */
export function endpointBody(endpoint: WebhookEndpoint): z.output<typeof endpointSchema> {
  const { id, url, events, createdAt, disabledAt, disabledBecause } = endpoint;
  return {
    object: "webhook",
    id,
    url,
    events: [...events],
    enabled: disabledAt === null,
    disabled_because: disabledBecause,
    created_at: isoOf(createdAt),
  };
}

/** A message, as partners read it. */
export function deliveryBody(delivery: WebhookDelivery): z.output<typeof deliverySchema> {
  const { id, endpoint, url, type, job, state, attempts, nextAt, createdAt } = delivery;
  return {
    object: "delivery",
    id,
    webhook: endpoint,
    url,
    type,
    job,
    state,
    attempts: attempts.map(({ at, status, error, tookMs }) => ({
      at: isoOf(at),
      status,
      error,
      took_ms: tookMs,
    })),
    next_at: nextAt === null ? null : isoOf(nextAt),
    created_at: isoOf(createdAt),
  };
}
