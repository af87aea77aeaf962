import type { Context } from "hono";
import { z } from "zod";
import { TOOL_SETS } from "../../../src/seam/config.ts";
import { partnerUser, SCOPES } from "../../../src/seam/access/partners.ts";
import type { Json } from "../../../src/common/json.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { cutOff } from "../../../src/infrastructure/telemetry/access-log.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { mostInMemory } from "../body/bounds.ts";
import { checkedQuery } from "../access/checked.ts";
import { parseJson } from "../body/parse-json.ts";
import { smallBody } from "../body/small.ts";
import type { OpenRequest, OpenRequests } from "../access/open-requests.ts";
import { baseOf, type Access } from "../access/access.ts";
import type { Submissions } from "../jobs/submissions.ts";
import type { AgentSession } from "./session/session.ts";

/** Where agents call, below the server's address. */
const PATH = "/mcp";
/** Where it is told what tokens it takes (RFC 9728, section 3.1). */
const METADATA_PATH = `/.well-known/oauth-protected-resource${PATH}`;
/** As much as clients on the same machine may send; larger files go by their address. In bytes. */
const MAX_BYTES = 10 * 2 ** 20;
/** What an agent's address may say. */
const querySchema = z.object({ tools: z.enum(TOOL_SETS).optional() });
/** As much of a call counts as one request: all of it is in memory until the call is answered. In bytes. */
const COUNTED_BYTES = 256 * 2 ** 10;

/**
 * Mounts the Model Context Protocol's streamable HTTP: behind the same tokens and counted with the same limit as all
 * that partners send. Nothing is kept between two calls, so that a restart loses nothing.
 */
export function mountMcp(
  parts: GatewayParts,
  access: Access,
  open: OpenRequests,
  submissions: Submissions,
): void {
  const { host } = parts;
  const app = access.open();
  const { publicUrl } = host.config;
  const ownOrigins = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];

  // Nobody gives tokens but whoever runs Reelay: no authorization server is named.
  host.routes.get(METADATA_PATH, (c) => {
    const base = baseOf(c, host.config);
    return c.json({
      resource: base + PATH,
      resource_name: "Reelay",
      scopes_supported: SCOPES,
      bearer_methods_supported: ["header"],
      resource_documentation: `${base}/v1/docs`,
    });
  });
  app.use(async (c, next) => {
    await next();
    const metadata = baseOf(c, host.config) + METADATA_PATH;
    if (c.res.status === 401)
      c.header("WWW-Authenticate", `Bearer realm="reelay", resource_metadata="${metadata}"`);
  });

  app.all("/", async (c) => {
    const { createMcpHandler, localhostAllowedOrigins, mcpServer, validateOriginHeader } =
      await import("./protocol.ts");
    const origins = [...localhostAllowedOrigins(), ...ownOrigins];
    // A page that made its own name lead here could call (basic/transports, "Security Warning").
    if (!validateOriginHeader(c.req.header("origin"), origins).ok) throw new ReelayError("origin_refused");
    const session = await sessionOf(c);
    // A tool may wait for as long as a job takes.
    const { caller } = await session.admit();
    const place = open.enter(c, caller, "stream", c.req.method === "POST" ? bytesOf(c) : 0);
    place.revoked.addEventListener("abort", () => cutOff(c), { once: true });
    const handler = createMcpHandler(() => mcpServer(parts, session), {
      onerror: (err) => host.log.debug({ err }, "An agent's call was refused"),
      // Nothing that one could subscribe to ever changes.
      maxSubscriptions: 0,
    });
    const answer = await handler.fetch(c.req.raw, c.req.method === "POST" ? await bodyOf(c, place) : {});
    return c.newResponse(answer.body, answer);
  });

  async function bodyOf(c: Context, place: OpenRequest): Promise<{ readonly parsedBody: Json }> {
    await countMore(c, Math.floor(bytesOf(c) / COUNTED_BYTES));
    const text = await smallBody(c, MAX_BYTES);
    // A call may wait for a job: until then it counts as long as it is, also where it did not say that.
    place.holds(Buffer.byteLength(text));
    const parsedBody = parseJson(text);
    // Clients of before 2025-06-18 may send several calls in one request.
    if (Array.isArray(parsedBody)) await countMore(c, parsedBody.length - 1);
    return { parsedBody };
  }

  /** What counts as one request was counted when it came. */
  async function countMore(c: Context, requests: number): Promise<void> {
    for (let count = 0; count < requests; count++) await access.admit(c);
  }

  async function sessionOf(c: Context): Promise<AgentSession> {
    const caller = await access.admit(c);
    const user = partnerUser(caller.partner.id);
    const locale = access.localeOf(c);
    const asker = { caller, user, locale, base: baseOf(c, host.config) };
    const { tools: shown = host.config.agentTools } = checkedQuery(querySchema, c);
    return {
      admit: async () => asker,
      locale,
      requestId: () => c.get("request"),
      submissions,
      readerOf: (fields) => async () => ({ fields, files: new Map(), form: false }),
      linked: true,
      shown,
      instructions:
        "A file is given as an https address, a data URI or base64. Results are links that anybody can open.",
      tools: [],
    };
  }

  host.routes.route(PATH, app);
}

const bytesOf = (c: Context) => mostInMemory(c.req.header("content-length"), MAX_BYTES);
