import { type McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import { buffer } from "node:stream/consumers";
import { ReelayError } from "../../../src/errors.ts";
import type { GatewayParts } from "../app.ts";
import { mediaAt } from "../resources/job.ts";
import type { AgentSession } from "./session.ts";

/** What fits into a message of 10 MB as base64: clients on the same machine take no longer ones. In bytes. */
const MAX_READ_BYTES = 7 * 2 ** 20;

const TEMPLATE = "reelay://jobs/{job}/media/{index}";

/** The name of a result's file where nobody serves it. */
export const mediaUri = (job: string, index: number): string => `reelay://jobs/${job}/media/${index}`;

/** Lets agents read results through their own line. */
export function offerMedia(server: McpServer, parts: GatewayParts, session: AgentSession): void {
  const face = { title: "A file of a result", description: `Up to ${MAX_READ_BYTES} bytes.` };
  const template = new ResourceTemplate(TEMPLATE, { list: undefined });
  server.registerResource("result", template, face, async ({ href }, { job, index }) => {
    const { user, caller } = await session.admit();
    if (!caller.token.scopes.includes("jobs:read"))
      throw new ReelayError("scope_missing", { scope: "jobs:read" });
    const record = await parts
      .intake()
      .jobs.find(user, String(job))
      .catch(() => undefined);
    const file = record && mediaAt(record, Number(index));
    if (!file || file.bytes > MAX_READ_BYTES) throw new ResourceNotFoundError(href);
    const blob = await buffer(await parts.forPartners.held.open(file.file));
    return { contents: [{ uri: href, mimeType: file.type, blob: blob.toString("base64") }] };
  });
}
