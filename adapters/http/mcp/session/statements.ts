import {
  acceptedContent,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { StatementName } from "../../../../src/seam/values.ts";
import type { ProblemBody } from "../../resources/problem.ts";
import { statementName } from "../../route/requests.ts";
import type { Arguments } from "./tool.ts";

const answerSchema = z.object({ agreed: z.boolean() });

/** What the person said themselves, in their client, while a call was under way. */
interface Stated {
  readonly agreed: readonly StatementName[];
  /** They were asked, and did not agree. */
  readonly declined: boolean;
}

/** What was stated in the rounds of a call: an agent could say the same with `agreed`, so that nothing of it is signed. */
export function statedIn({ mcpReq }: ServerContext): Stated {
  const before = z.array(statementName).safeParse(parsed(mcpReq.requestState<string>()));
  const answered = statementName.options.filter(
    (name) => inputResponse(mcpReq.inputResponses, name).kind === "elicit",
  );
  const agreed = answered.filter(
    (name) => acceptedContent(mcpReq.inputResponses, name, answerSchema)?.agreed,
  );
  return { agreed: [...(before.data ?? []), ...agreed], declined: agreed.length < answered.length };
}

/** The arguments of a call, with what was stated meanwhile. */
export function withStated(args: Arguments, { agreed }: Stated): Arguments {
  if (agreed.length === 0) return args;
  const said = Array.isArray(args["agreed"]) ? args["agreed"] : [];
  return { ...args, agreed: [...new Set([...said, ...agreed])] };
}

/**
 * Asks the person for the statement that a call was refused for, where their client can do that.
 * @returns undefined where it cannot, or they were asked and said no
 */
export function askPerson(
  { server }: McpServer,
  { statement, text = "", terms_url: terms, detail }: ProblemBody,
  { agreed, declined }: Stated,
): InputRequiredResult | undefined {
  // By its declaration: without a mode it is a form.
  const { elicitation } = server.getClientCapabilities() ?? {};
  const takesForms =
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  if (statement === undefined || declined || !takesForms) return undefined;
  const message = [detail, ...(terms === undefined ? [] : [terms])].join("\n");
  const requestedSchema = {
    type: "object" as const,
    properties: { agreed: { type: "boolean" as const, title: text } },
    required: ["agreed"],
  };
  return inputRequired({
    inputRequests: { [statement]: inputRequired.elicit({ message, requestedSchema }) },
    requestState: JSON.stringify(agreed),
  });
}

/** Whatever comes back as state is what somebody sent. */
function parsed(state: string | undefined): unknown {
  try {
    return state === undefined ? [] : JSON.parse(state);
  } catch {
    return [];
  }
}
