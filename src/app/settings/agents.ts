import { z } from "zod";
import { type SurfaceConfig, TOOL_SETS } from "../../seam/config.ts";
import { oneOf } from "./kinds.ts";

/** The settings of agents; the descriptions are those of docs/settings.md. */
export const agentSettings = {
  REELAY_TOKEN: z
    .string()
    .min(1)
    .optional()
    .describe("For `reelay mcp` alone: the token of the partner that the agent works for."),
  REELAY_AGENT_TOOLS: oneOf(TOOL_SETS)
    .default("slim")
    .describe(
      "Which tools agents are shown ([more](agents.md#tools)): `slim`, few for everything, or `full`, one for each operation beside them. `?tools=` in an agent's address says it for that one.",
    ),
};

/** How agents are served. */
export function agentsOf(
  value: z.output<z.ZodObject<typeof agentSettings>>,
): Pick<SurfaceConfig, "token" | "agentTools"> {
  return { token: value.REELAY_TOKEN, agentTools: value.REELAY_AGENT_TOOLS };
}
