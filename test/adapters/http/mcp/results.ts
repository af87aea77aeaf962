import type { CallToolResult, ResourceLink } from "@modelcontextprotocol/client";
import type { JobBody } from "../../../../adapters/http/resources/job.ts";
import { PROBLEM } from "../../../../adapters/http/mcp/session/results.ts";
import type { ProblemBody } from "../../../../adapters/http/resources/problem.ts";

type Result = Pick<CallToolResult, "_meta" | "content" | "structuredContent">;

/** What a tool's result says for programs. */
export function factsOf({ structuredContent = {} }: Result): Readonly<Record<string, unknown>> {
  return structuredContent as Readonly<Record<string, unknown>>;
}

/** The job that it tells of. */
export function jobOf(result: Result): JobBody {
  return factsOf(result) as unknown as JobBody;
}

/** The files that it links to. */
export function linksOf({ content }: Result): ResourceLink[] {
  return content.filter((block) => block.type === "resource_link");
}

/** What it finds wrong. */
export function problemOf({ _meta = {} }: Result): ProblemBody {
  return _meta[PROBLEM] as ProblemBody;
}
