import { z } from "zod";
import { EVENT_TYPES, type EndpointEventType } from "../../../src/seam/events.ts";
import type { Json } from "../../../src/common/json.ts";
import { budgetSchema } from "../resources/budget.ts";
import { jobSchema } from "../resources/job.ts";
import { AT_EVENT } from "../resources/job-examples.ts";
import type { OpenApi, Parameter, OpenApiSchema, WebhookOperation } from "./model.ts";
import { sampleOf } from "./sample.ts";
import type { Schemas } from "./schemas.ts";

const SUMMARIES = {
  "job.progress": "A job got on",
  "job.completed": "A job is done, and its result is here",
  "job.failed": "A job came to nothing",
  "job.cancelled": "A job was cancelled",
  "budget.warning": "A budget is spent for the most part",
  ping: "A webhook is tried out",
} as const satisfies Record<EndpointEventType | "ping", string>;

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: "header",
  description,
  required: true,
  schema: { type: "string", examples: [example] },
});

const HEADERS = [
  header(
    "webhook-id",
    "The message's id: the same for every try, so that you can tell repetitions.",
    "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W",
  ),
  header("webhook-timestamp", "When this try was made, in seconds since 1970.", "1769860800"),
  header(
    "webhook-signature",
    "One signature, or two while a secret takes another's place, separated by a space.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
  header("reelay-mode", "`test` for a message to a webhook that a test token made; else `live`.", "live"),
];

const RESPONSES = {
  "2XX": { description: "Received." },
  "410": { description: "Nothing more is wanted: the webhook is switched off." },
  default: { description: "Tried again, for about three days." },
};

/** What partners are told, as they receive it. */
export function webhooksOf(schemas: Schemas): OpenApi["webhooks"] {
  const job = schemas.of(jobSchema, "output");
  const ping: OpenApiSchema = {
    type: "object",
    properties: {
      webhook: {
        type: "string",
        description: "The webhook's id.",
        examples: ["ep_7f0c5a1e-3f0b-4d5e-9a54-0c8c6a1d2e3f"],
      },
    },
    required: ["webhook"],
  };
  const messages = EVENT_TYPES.map((type) => {
    const data = sampleOf(job, schemas.components, AT_EVENT[type]);
    return [type, { post: messageOf(type, job, data, schemas) }] as const;
  });
  const pinged = messageOf("ping", ping, sampleOf(ping, schemas.components), schemas);
  const budget = schemas.of(budgetSchema, "output");
  const warned = messageOf("budget.warning", budget, sampleOf(budget, schemas.components), schemas);
  return { ...Object.fromEntries(messages), "budget.warning": { post: warned }, ping: { post: pinged } };
}

function messageOf(
  type: keyof typeof SUMMARIES,
  data: OpenApiSchema,
  example: Json,
  schemas: Schemas,
): WebhookOperation {
  const { description: _, ...timestamp } = schemas.of(z.iso.datetime(), "output");
  const schema: OpenApiSchema = {
    type: "object",
    properties: {
      type: { const: type },
      timestamp: { ...timestamp, description: "When it happened." },
      data,
    },
    required: ["type", "timestamp", "data"],
  };
  return {
    operationId: `on${type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ["Webhooks"],
    summary: SUMMARIES[type],
    description: `Sent to your address as \`${type}\`.`,
    security: [{ signature: [] }],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        "application/json": { schema, example: sampleOf(schema, schemas.components, { data: example }) },
      },
    },
    responses: RESPONSES,
  };
}
