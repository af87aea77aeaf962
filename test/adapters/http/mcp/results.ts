import type { CallToolResult, ResourceLink } from "@modelcontextprotocol/client";
import type { ProblemBody } from "../../../../adapters/http/resources/problem.ts";

type Result = Pick<CallToolResult, "content" | "structuredContent">;

/** What a tool's result says for programs. */
export function factsOf<T = unknown>({ structuredContent }: Result): T {
  return structuredContent as T;
}

/** The files that it links to. */
export function linksOf({ content }: Result): ResourceLink[] {
  return content.filter((block) => block.type === "resource_link");
}

/** What it finds wrong, field by field. */
export function errorsOf(result: Result): ProblemBody["errors"] {
  return factsOf<ProblemBody>(result).errors;
}
