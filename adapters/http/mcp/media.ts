import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type Variables,
} from "@modelcontextprotocol/server";
import { buffer } from "node:stream/consumers";
import { asReelayError } from "../../../src/common/errors.ts";
import { sayProblem } from "../../../src/seam/text/say.ts";
import { translator } from "../../../src/common/i18n.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { mediaAt } from "../resources/job.ts";
import { admitted, type AgentSession } from "./session/session.ts";

/** What fits into a message of 10 MB as base64: clients on the same machine take no longer ones. In bytes. */
const MAX_READ_BYTES = 7 * 2 ** 20;

const TEMPLATE = "reelay://jobs/{job}/media/{index}";

/** The name of a result's file where nobody serves it. */
export const mediaUri = (job: string, index: number): string => `reelay://jobs/${job}/media/${index}`;

/** Lets agents read results through their own line. */
export function offerMedia(
  server: McpServer,
  { host, forPartners, intake }: GatewayParts,
  session: AgentSession,
): void {
  const face = { title: "A file of a result", description: `Up to ${MAX_READ_BYTES} bytes.` };
  const template = new ResourceTemplate(TEMPLATE, { list: undefined });

  async function open(job: string, index: number): Promise<{ mimeType: string; blob: string }> {
    const { user } = await admitted(session, "jobs:read");
    const { file, type, bytes } = mediaAt(await intake().jobs.find(user, job), index);
    if (bytes > MAX_READ_BYTES)
      throw refusal(`At most ${MAX_READ_BYTES} bytes: \`save\` it, or open its link.`);
    const content = await buffer(await forPartners.held.open(file));
    return { mimeType: type, blob: content.toString("base64") };
  }

  async function read(uri: string, { job, index }: Variables) {
    try {
      return { contents: [{ uri, ...(await open(String(job), Number(index))) }] };
    } catch (thrown) {
      if (thrown instanceof ProtocolError) throw thrown;
      const error = asReelayError(thrown);
      if (error.code === "internal") host.log.error({ err: thrown }, "A result could not be read");
      throw refusal(sayProblem(translator(session.locale), error));
    }
  }

  server.registerResource("result", template, face, ({ href }, variables) => read(href, variables));
  // The library's own answer repeats an address that leads nowhere, which may hold a key.
  server.server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const variables = template.uriTemplate.match(uri);
    if (!variables) throw refusal(`There is no such resource. Results are at ${TEMPLATE}.`);
    return read(uri, variables);
  });
}

function refusal(sentence: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
}
