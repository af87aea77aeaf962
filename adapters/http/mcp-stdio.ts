import { StdioServerTransport, serveStdio, type StdioServerHandle } from "@modelcontextprotocol/server/stdio";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { PartnerHost, SurfaceHost } from "../../src/seam/surface/host.ts";
import { partnerUser } from "../../src/seam/access/partners.ts";
import type { Surface } from "../../src/seam/surface/surface.ts";
import { addressOf } from "../../src/seam/config.ts";
import { ConfigError } from "../../src/common/config-error.ts";
import { ReelayError } from "../../src/common/errors.ts";
import { type Asker, Submissions } from "./jobs/submissions.ts";
import { openGateway } from "./surface.ts";
import { localReader } from "./mcp/local-files.ts";
import { mcpServer } from "./mcp/server.ts";
import type { AgentSession } from "./mcp/session/session.ts";
import { saveTool } from "./mcp/tools/save.ts";

/**
 * Partners' programs, of which one is an agent on this machine that holds this process's standard input and output. Its
 * jobs go on when it has left: the next process that serves partners takes them over.
 * @param left called when the agent has closed the line
 */
export function createAgentSurface(host: SurfaceHost, forPartners: PartnerHost, left: () => void): Surface {
  const { config, log } = host;
  const { surface, parts } = openGateway(host, forPartners);
  let line: StdioServerHandle | undefined;

  /** Whose token it is: asked for each call, as it may be revoked. */
  async function admit(): Promise<Asker> {
    const caller =
      config.token === undefined ? undefined : await forPartners.partners.authenticate(config.token);
    if (!caller) throw new ReelayError("token_invalid");
    const { locale } = config;
    return { caller, user: partnerUser(caller.partner.id), locale, base: addressOf(config) };
  }

  const session: AgentSession = {
    admit,
    locale: config.locale,
    requestId: randomUUID,
    submissions: new Submissions(parts),
    readerOf: (fields) => localReader(forPartners.held, fields),
    linked: config.publicUrl !== undefined,
    instructions:
      "A file is given as `file:///…` on this machine, an https address, a data URI or base64. `save` puts results where the person wants them.",
    shown: config.agentTools,
    tools: [saveTool(parts)],
  };

  return {
    ...surface,

    /** @throws ConfigError without a token that somebody has */
    async start(intake) {
      await admit().catch((error: unknown) => {
        if (!(error instanceof ReelayError)) throw error;
        throw new ConfigError([
          {
            setting: "REELAY_TOKEN",
            found: config.token === undefined ? "nothing" : "a token that nobody has",
            wanted: "a token that `reelay partner add` or `reelay partner token` printed",
          },
        ]);
      });
      await surface.start(intake);
      Promise.race([once(process.stdin, "end"), once(process.stdin, "close")]).then(left, left);
      line = serveStdio(() => mcpServer(parts, session), {
        transport: new StdioServerTransport(),
        maxSubscriptions: 0,
        onerror: (err) => log.debug({ err }, "A message of the agent was refused"),
      });
    },

    async stop() {
      await line?.close();
      await surface.stop();
    },
  };
}
