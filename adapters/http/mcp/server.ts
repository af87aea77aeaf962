import {
  isInputRequiredResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { VERSION } from "../../../src/seam/version.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { mediaUri, offerMedia } from "./media.ts";
import { offerPrompts } from "./prompts.ts";
import type { LinkTo } from "./session/results.ts";
import type { AgentSession } from "./session/session.ts";
import { offer } from "./session/offer.ts";
import { choosingTools } from "./tools/choosing.ts";
import type { Arguments } from "./session/tool.ts";
import { jobTools } from "./tools/jobs.ts";
import { makingTools } from "./tools/making.ts";

const INSTRUCTIONS =
  "Reelay makes videos and pictures from photos and words: `find` an operation, `describe` it, `make` it, `wait` for it. Making costs tokens: `quote` says how many, where that matters.";

const NO_TOOL = "There is no such tool: `tools/list` names them.";

/** Reelay as a server of the Model Context Protocol, for one agent. */
export function mcpServer(parts: GatewayParts, session: AgentSession): McpServer {
  const server = new McpServer(
    { name: "reelay", title: "Reelay", version: VERSION },
    {
      instructions: `${INSTRUCTIONS} ${session.instructions}`,
      // What can be done does not change while Reelay runs.
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
    },
  );
  const linkTo: LinkTo = (job, index) =>
    (session.linked ? job.media[index]?.link : undefined) ?? mediaUri(job.id, index);
  const tools = [
    ...makingTools(parts, session, linkTo),
    ...jobTools(parts, linkTo),
    ...choosingTools(parts),
    ...session.tools,
  ];
  const calls = new Map(tools.map((one) => [one.name, offer(server, one, session, parts)]));
  // The library's own answer repeats the name, which may be a key that an agent put in the wrong place.
  server.server.setRequestHandler("tools/call", async ({ params }, context) => {
    const call = calls.get(params.name);
    if (!call) throw new ProtocolError(ProtocolErrorCode.InvalidParams, NO_TOOL);
    const result = await call((params.arguments ?? {}) as Arguments, context);
    return isInputRequiredResult(result) ? result : server.server.projectCallToolResult(result, undefined);
  });
  offerPrompts(server);
  offerMedia(server, parts, session);
  return server;
}
