import { readFile } from "node:fs/promises";
import { z } from "zod";

const text = z.string();
/** What is added to a request in rows of name and value. */
const rows = z.strictObject({ parameters: z.array(z.strictObject({ name: text, value: text })) });
const noOptions = z.strictObject({});

/** What every node has. */
const common = {
  id: z.uuid(),
  name: text,
  position: z.tuple([z.int(), z.int()]),
  retryOnFail: z.boolean().optional(),
  maxTries: z.int().optional(),
  waitBetweenTries: z.int().optional(),
};

/** One kind of node in one version, with those of its parameters that are understood here. */
function kind<Type extends string, Parameters extends z.ZodRawShape, More extends z.ZodRawShape>(
  type: Type,
  version: number,
  parameters: Parameters,
  more: More,
) {
  return z.strictObject({
    ...common,
    ...more,
    type: z.literal(`n8n-nodes-base.${type}`),
    typeVersion: z.literal(version),
    parameters: z.strictObject(parameters),
  });
}

const condition = z.strictObject({
  id: z.uuid(),
  leftValue: text,
  rightValue: text,
  operator: z.strictObject({ type: z.literal("string"), operation: z.literal("equals") }),
});

const nodeSchema = z.discriminatedUnion("type", [
  kind("stickyNote", 1, { content: text, width: z.int(), height: z.int() }, {}),
  kind(
    "webhook",
    2,
    {
      httpMethod: z.literal("POST"),
      path: text,
      responseMode: z.literal("responseNode"),
      options: noOptions,
    },
    { webhookId: z.uuid() },
  ),
  kind(
    "set",
    3.4,
    {
      assignments: z.strictObject({
        assignments: z.array(
          z.strictObject({ id: z.uuid(), name: text, type: z.literal("string"), value: text }),
        ),
      }),
      options: noOptions,
    },
    {},
  ),
  kind(
    "httpRequest",
    4.2,
    {
      method: z.literal("POST").optional(),
      url: text,
      authentication: z.literal("genericCredentialType").optional(),
      genericAuthType: z.literal("httpBearerAuth").optional(),
      sendHeaders: z.literal(true).optional(),
      headerParameters: rows.optional(),
      sendBody: z.literal(true).optional(),
      specifyBody: z.literal("json").optional(),
      jsonBody: text.optional(),
      options: z.strictObject({
        response: z
          .strictObject({
            response: z.strictObject({ responseFormat: z.literal("file"), outputPropertyName: text }),
          })
          .optional(),
      }),
    },
    {},
  ),
  kind(
    "respondToWebhook",
    1.1,
    {
      respondWith: z.literal("json"),
      responseBody: text,
      options: z.strictObject({ responseCode: z.int() }),
    },
    {},
  ),
  kind(
    "wait",
    1.1,
    {
      resume: z.literal("webhook"),
      httpMethod: z.literal("POST"),
      limitWaitTime: z.literal(true),
      limitType: z.literal("afterTimeInterval"),
      resumeAmount: z.int(),
      resumeUnit: z.literal("hours"),
      options: noOptions,
    },
    { webhookId: z.uuid() },
  ),
  kind(
    "if",
    2.2,
    {
      conditions: z.strictObject({
        options: z.strictObject({
          caseSensitive: z.boolean(),
          leftValue: z.literal(""),
          typeValidation: z.literal("strict"),
          version: z.literal(2),
        }),
        combinator: z.literal("and"),
        conditions: z.array(condition),
      }),
      options: noOptions,
    },
    {},
  ),
  kind("stopAndError", 1, { errorMessage: text }, {}),
]);

const link = z.strictObject({ node: text, type: z.literal("main"), index: z.literal(0) });

/** A workflow as n8n exports it, as far as the recipe uses what there is. */
const workflowSchema = z.strictObject({
  /** Its command line imports nothing without one. */
  id: z.string().regex(/^\w{16}$/),
  name: text,
  nodes: z.array(nodeSchema),
  /** By the name of the node that they leave, and its output. */
  connections: z.record(z.string(), z.strictObject({ main: z.array(z.array(link)) })),
  pinData: z.strictObject({}),
  settings: z.strictObject({ executionOrder: z.literal("v1") }),
});

/** A node of a {@link Workflow}. */
export type Node = z.output<typeof nodeSchema>;

/** A workflow of those nodes that are understood here. */
export type Workflow = z.output<typeof workflowSchema>;

/** Reads a workflow. @throws where there is anything in it that is not understood here */
export async function readWorkflow(path: string): Promise<Workflow> {
  return workflowSchema.parse(JSON.parse(await readFile(path, "utf8")));
}
