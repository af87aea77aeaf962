import type { CallToolResult } from "@modelcontextprotocol/server";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Json } from "../../../../src/common/json.ts";
import type { GatewayParts } from "../../jobs/gateway-parts.ts";
import { checked } from "../../access/checked.ts";
import type { JsonSchema } from "../../resources/input-schema.ts";
import { operationsIn } from "../../route/operations.ts";
import { newJobSchema } from "../../route/requests.ts";
import type { JobBody } from "../../resources/job.ts";
import { operationBody, quoteSchema } from "../../resources/operation.ts";
import { factsResult, jobFacts, jobResult, type LinkTo } from "../session/results.ts";
import type { AgentSession } from "../session/session.ts";
import { type Arguments, shapeOf, type Tool, tool, type ToolCall } from "../session/tool.ts";
import { readJob, waitFor, WAIT_S } from "./jobs.ts";

/** What is to be made; that it fits is found out where it is accepted, by the same rules as for programs. */
const what = {
  operation: z.string().meta({ description: "As `find` tells." }),
  input: z.record(z.string(), z.custom<Json>()).meta({ description: "Its fields, as `describe` tells." }),
};

/** What can be said of a job beside what is made. */
const besideSchema = z.strictObject({
  in_app_username: newJobSchema.shape.in_app_username,
  agreed: newJobSchema.shape.agreed.meta({
    description:
      "What the person stated, once a refusal said what to ask them. Nothing that they did not say.",
  }),
  idempotency_key: z.string().optional().meta({
    description: "Of your own making: a call that is repeated with it is made and charged once.",
  }),
});

const COSTS =
  "Costs tokens; `quote` tells how many. Answers with a job: call `wait` with it until it has ended.";

const JOB = shapeOf(jobFacts);

/** What makes something, or says what it would cost. */
export function makingTools(parts: GatewayParts, session: AgentSession, linkTo: LinkTo): readonly Tool[] {
  const { submissions } = session;
  const operations = operationsIn(parts.intake().commands);

  /** Whoever asked for progress waits for the result with it. */
  async function submit(
    fields: Arguments,
    key: string = randomUUID(),
    call: ToolCall,
  ): Promise<CallToolResult> {
    const once = { key, route: "mcp submit" };
    const { body } = await submissions.create(call.asker, once, session.readerOf(fields));
    // What is answered is what `jobBody` made.
    const accepted = body as unknown as JobBody;
    const { id } = accepted;
    const now = call.progress ? waitFor(parts, id, WAIT_S.usual, call) : readJob(parts, id, call);
    // Whatever goes wrong from here on must not look as if nothing had been accepted: it would be asked for again.
    return jobResult(await now.catch(() => accepted), linkTo);
  }

  return [
    ...operations.map((spec): Tool => {
      const { title, description, subscription, input_schema } = operationBody(spec, "en");
      const needs = subscription === null ? "" : " The account needs a Pro subscription.";
      return {
        name: spec.name,
        title,
        description: `${description}.${needs} ${COSTS}`,
        scope: "jobs:write",
        changes: true,
        extra: true,
        input: withBeside(input_schema as JsonSchema),
        output: JOB,
        async run({ in_app_username: username, agreed, idempotency_key, ...given }, call) {
          const said = { in_app_username: username, agreed, idempotency_key };
          const { idempotency_key: key, ...beside } = checked(besideSchema, said);
          return submit(fieldsOf({ operation: spec.name, input: given, ...beside }), key, call);
        },
      };
    }),
    tool(
      {
        name: "make",
        title: "Make something",
        description: COSTS,
        scope: "jobs:write",
        changes: true,
        schema: besideSchema.extend(what),
        facts: jobFacts,
      },
      async ({ idempotency_key: key, ...said }, call) => submit(fieldsOf(said), key, call),
    ),
    tool(
      {
        name: "quote",
        title: "Ask what something would cost",
        description: "Makes nothing and costs nothing.",
        scope: "jobs:read",
        changes: false,
        schema: z.strictObject(what),
        facts: quoteSchema.pick({ tokens: true, basis: true, balance: true }),
      },
      async (said, { asker }) => {
        const quote = await submissions.quote(asker, session.readerOf(fieldsOf(said)));
        const { tokens, basis, balance } = quote;
        const price = tokens === null ? "The price is not known yet." : `${tokens} tokens (${basis}).`;
        return factsResult(balance === null ? price : `${price} ${balance} are left.`, quote);
      },
    ),
  ];
}

/** Without what was left out: only JSON goes on. */
function fieldsOf(said: Readonly<Record<string, Json | undefined>>): Arguments {
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** An operation's fields, with what can be said beside them. */
function withBeside(schema: JsonSchema): JsonSchema {
  const { properties } = z.toJSONSchema(besideSchema, { io: "input" }) as JsonSchema;
  return { ...schema, properties: { ...(schema["properties"] as object), ...(properties as object) } };
}
