import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type JobBody, jobSchema } from "../../resources/job.ts";
import type { FieldProblemBody, ProblemBody } from "../../resources/problem.ts";

/** Makes the address under which an agent gets a file of a result. */
export type LinkTo = (job: JobBody, index: number) => string;

const fileFacts = jobSchema.shape.media.element.pick({ name: true, type: true, bytes: true, link: true });

/** What is told of a job at the least. */
export const jobFacts = jobSchema
  .pick({ id: true, status: true, progress: true, cost: true })
  .extend({ media: z.array(fileFacts) });

/** Facts with a sentence for the model to read. */
export function factsResult(text: string, facts: object): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent: { ...facts } };
}

/** A job as it is now; once it is made, with links to its files. */
export function jobResult(job: JobBody, linkTo: LinkTo): CallToolResult {
  const links = job.media.map(({ name, type: mimeType, bytes: size, expires_at }, index): ContentBlock => ({
    type: "resource_link",
    uri: linkTo(job, index),
    name,
    mimeType,
    size,
    description: `Kept until ${expires_at}.`,
  }));
  const { content, structuredContent } = factsResult(sentenceOf(job), job);
  return { content: [...content, ...links], structuredContent };
}

/** Under which a program finds what went wrong. It is no fact: clients may hold those to the tool's `outputSchema` in any case. */
export const PROBLEM = "reelay/problem";

/**
 * What went wrong: a result as well, so that the model can read it and mend the call.
 * @param declined the person was asked for what is missing, and did not agree: nobody is to ask again
 */
export function problemResult(problem: ProblemBody, declined = false): CallToolResult {
  const { code, detail, errors = [], retryable, text, agreed = [] } = problem;
  const lines = [
    `${detail} (${code}${retryable ? "; the same call may succeed later" : ""})`,
    ...errors.map(fieldLine),
    ...(text === undefined
      ? []
      : declined
        ? ["The person was asked, and did not agree. Leave it at that."]
        : [
            `Ask the person: “${text}” Only if they say yes, call again with ${agreed.join(", ")} in \`agreed\`.`,
          ]),
  ];
  return {
    content: [{ type: "text", text: lines.join("\n") }],
    isError: true,
    _meta: { [PROBLEM]: { ...problem } },
  };
}

/** A job in a sentence. */
export function sentenceOf({ id, status, phase, progress, cost, error, media }: JobBody): string {
  const charged = cost === null ? "" : ` It cost ${cost} tokens.`;
  switch (status) {
    case "completed":
      return `Job ${id} is completed: ${media.map(({ name }) => name).join(", ")}.${charged}`;
    case "failed":
      return `Job ${id} failed: ${error?.detail ?? "no reason was given."}${charged}`;
    case "cancelled":
      return `Job ${id} was cancelled. It cost nothing.`;
    case "queued":
    case "running":
      return `Job ${id} is not ready yet: ${phase}${progress === null ? "" : `, ${progress} %`}.${charged} Call \`wait\` with this job until it is.`;
    default:
      return status satisfies never;
  }
}

function fieldLine({ field, code, detail, example }: FieldProblemBody): string {
  const hint = example === undefined ? "" : ` For example: ${JSON.stringify(example)}`;
  return `- ${field}: ${detail} (${code})${hint}`;
}
