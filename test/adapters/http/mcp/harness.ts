import {
  Client,
  type ClientOptions,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { PATIENCE_MS } from "../../../support/patience.ts";

/** What a client may speak: the protocol before and since its revision of 2026-07-28. */
export const ERAS = ["legacy", "auto"] as const;

/** One of {@link ERAS}. */
export type Era = (typeof ERAS)[number];

export const PROGRAM = fileURLToPath(new URL("../../../../tools/reelay.js", import.meta.url));

/** What a person says to what they are asked. */
export type Answer = (message: string) => ElicitResult;

/** One that gives no call up after a minute, as it would by itself. */
class PatientClient extends Client {
  override callTool(...[call, options]: Parameters<Client["callTool"]>): ReturnType<Client["callTool"]> {
    return super.callTool(call, { timeout: PATIENCE_MS, ...options });
  }
}

function newClient(mode: Era, answer?: Answer): Client {
  const options: ClientOptions = { versionNegotiation: { mode } };
  if (!answer) return new PatientClient({ name: "test", version: "1" }, options);
  const capabilities = { elicitation: { form: {} } };
  const client = new PatientClient({ name: "test", version: "1" }, { ...options, capabilities });
  client.setRequestHandler("elicitation/create", async ({ params }) => answer(params.message));
  return client;
}

/**
 * An agent of a gateway.
 * @param at what its address says beyond the path
 * @param answer what its person says where they are asked; left out, they cannot be asked
 */
export async function connectTo(
  url: string,
  token: string,
  era: Era = "auto",
  { at = "", answer }: { readonly at?: string; readonly answer?: Answer } = {},
): Promise<Client> {
  const client = newClient(era, answer);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp${at}`), { requestInit });
  await client.connect(transport, { timeout: PATIENCE_MS });
  return client;
}

/** An agent that runs the program itself. */
export async function run(
  env: Readonly<Record<string, string>>,
  era: Era = "auto",
  answer?: Answer,
): Promise<{ readonly client: Client; readonly said: Promise<string> }> {
  const client = newClient(era, answer);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, "mcp"],
    env: { ...env },
    stderr: "pipe",
  });
  const said = text(transport.stderr as Readable);
  // It gives up after a minute by itself.
  await client.connect(transport, { timeout: PATIENCE_MS });
  return { client, said };
}
