import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { asReelayError } from "../../../../src/common/errors.ts";
import type { JsonSchema } from "../../resources/input-schema.ts";
import type { GatewayParts } from "../../jobs/gateway-parts.ts";
import { withoutKeys } from "../../access/refuse-keys.ts";
import { problemBody } from "../../access/problem.ts";
import type { Asker } from "../../jobs/submissions.ts";
import { problemResult } from "./results.ts";
import { admitted, type AgentSession } from "./session.ts";
import { askPerson, statedIn, withStated } from "./statements.ts";
import type { Arguments, Tool, ToolCall } from "./tool.ts";

/** Calls a tool. */
type CallTool = (args: Arguments, context: ServerContext) => Promise<CallToolResult | InputRequiredResult>;

/**
 * Offers a tool. Whatever goes wrong in it is told as its result, as agents can mend it then; what a person must state is asked
 * them, where their client can.
 * @returns calls it, shown or not
 */
export function offer(
  server: McpServer,
  { name, title, description, scope, changes, extra = false, input, output, run }: Tool,
  session: AgentSession,
  parts: Pick<GatewayParts, "host" | "intake">,
): CallTool {
  // What is left out is true.
  const annotations = {
    readOnlyHint: !changes,
    ...(changes ? { destructiveHint: false } : { openWorldHint: false }),
  };
  const face = { title, description, inputSchema: shown(input), outputSchema: shown(output), annotations };
  const call: CallTool = async (args, context) => {
    const stated = statedIn(context);
    try {
      return await run(withStated(args, stated), callOf(await admitted(session, scope), context));
    } catch (thrown) {
      const error = await withoutKeys(parts.intake, asReelayError(thrown));
      const request = session.requestId();
      if (error.code === "internal")
        parts.host.log.error({ err: thrown, request, tool: name }, "A tool failed");
      const problem = problemBody(error, request, session.locale, !changes);
      return askPerson(server, problem, stated) ?? problemResult(problem, stated.declined);
    }
  };
  if (!extra || session.shown === "full") server.registerTool(name, face, call);
  return call;
}

/** Shown to agents only: what does not fit is refused by the tool, field by field, as everywhere else. */
function shown(schema: JsonSchema): StandardSchemaWithJSON<Arguments> {
  return {
    "~standard": {
      version: 1,
      vendor: "reelay",
      validate: (value) => ({ value: value as Arguments }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

function callOf(asker: Asker, { mcpReq }: ServerContext): ToolCall {
  const { signal, notify, _meta } = mcpReq;
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { asker, signal };
  let told = -1;
  return {
    asker,
    signal,
    async progress({ phase, progress }) {
      const now = progress ?? 0;
      // It must grow with every notification (utilities/progress).
      if (now <= told) return;
      told = now;
      const params = { progressToken, progress: now, total: 100, message: phase };
      // Whoever has left misses it; the job goes on.
      await notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}
