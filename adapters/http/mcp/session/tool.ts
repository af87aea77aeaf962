import type { Json } from "../../../../src/common/json.ts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Scope } from "../../../../src/seam/access/partners.ts";
import { checked, withNumbers } from "../../access/checked.ts";
import type { JsonSchema } from "../../resources/input-schema.ts";
import type { JobBody } from "../../resources/job.ts";
import type { Asker } from "../../jobs/submissions.ts";

/** What a tool is called with, or a part of it. */
export type Arguments = { readonly [name: string]: Json };

/** What agents are told of a tool. */
interface ToolFace {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What a token must be good for; left out: any token. */
  readonly scope?: Scope;
  /** Whether it begins something that costs tokens, or changes anything at all. */
  readonly changes: boolean;
  /** Whether it is shown in the full set alone: what it does another tool does, too. */
  readonly extra?: boolean;
}

/** One call of a tool. */
export interface ToolCall {
  readonly asker: Asker;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Tells whoever called how far a job is; left out where they did not ask for it. */
  readonly progress?: (job: JobBody) => Promise<void>;
}

/** Something that agents can do. */
export interface Tool extends ToolFace {
  readonly input: JsonSchema;
  /** What its facts hold at the least, unless something went wrong. */
  readonly output: JsonSchema;
  /** @throws ReelayError for what is wrong with the arguments, too: nothing has looked at them before */
  readonly run: (args: Arguments, call: ToolCall) => Promise<CallToolResult>;
}

/** What facts hold, in few words: a model reads it. There may be more in them. */
export const shapeOf = (schema: z.ZodType) =>
  briefly(z.toJSONSchema(schema, { io: "input", metadata: z.registry(), override: withoutBounds }));

/** A tool whose arguments fit a schema; models write numbers as texts, too. */
export function tool<S extends z.ZodType>(
  { schema, facts, ...face }: ToolFace & { readonly schema: S; readonly facts: z.ZodType },
  run: (given: z.output<S>, call: ToolCall) => Promise<CallToolResult>,
): Tool {
  return {
    ...face,
    input: inputOf(schema),
    output: shapeOf(facts),
    run: (args, call) => run(checked(schema, withNumbers(schema, args)), call),
  };
}

const inputOf = (schema: z.ZodType) =>
  briefly(z.toJSONSchema(schema, { io: "input", unrepresentable: "any", override: withoutPatterns }));

function briefly({ $schema: _dialect, ...schema }: Readonly<Record<string, unknown>>): JsonSchema {
  return schema as JsonSchema;
}

/** How a text must look is said where one does not, field by field; no model is to read it each time. */
function withoutPatterns({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  for (const name of ["pattern", "format", "propertyNames", "minLength", "maxLength", "example"] as const)
    delete jsonSchema[name];
}

function withoutBounds(each: Parameters<typeof withoutPatterns>[0]): void {
  withoutPatterns(each);
  delete each.jsonSchema.minimum;
  delete each.jsonSchema.maximum;
}
