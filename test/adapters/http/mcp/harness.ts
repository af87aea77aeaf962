import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

/** What a client may speak: the protocol before and since its revision of 2026-07-28. */
export const ERAS = ["legacy", "auto"] as const;

/** One of {@link ERAS}. */
export type Era = (typeof ERAS)[number];

export const PROGRAM = fileURLToPath(new URL("../../../../tools/reelay.js", import.meta.url));

function newClient(mode: Era): Client {
  const options: ClientOptions = { versionNegotiation: { mode } };
  return new Client({ name: "test", version: "1" }, options);
}

/** An agent of a gateway. */
export async function connectTo(url: string, token: string, era: Era = "auto"): Promise<Client> {
  const client = newClient(era);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

/** An agent that runs the program itself. */
export async function run(
  env: Readonly<Record<string, string>>,
  era: Era = "auto",
): Promise<{ readonly client: Client; readonly said: Promise<string> }> {
  const client = newClient(era);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, "mcp"],
    env: { ...env },
    stderr: "pipe",
  });
  const said = text(transport.stderr as Readable);
  await client.connect(transport);
  return { client, said };
}
