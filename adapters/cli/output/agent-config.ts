import type { Launch } from "../../../src/seam/surface/runtime.ts";

/** Clients of agents whose configuration is known; what `claude` reads most others read, too. */
export const AGENT_CLIENTS = ["claude", "codex", "cursor", "gemini", "vscode"] as const;

/** One of {@link AGENT_CLIENTS}. */
export type AgentClient = (typeof AGENT_CLIENTS)[number];

/** What stands for the partner's token, which is shown once and kept nowhere. */
const TOKEN = "rly_...";

/** With what a client starts an agent's server. By name alone, a package manager could start somebody else's program with the token. */
export function startingConfig(client: AgentClient, { command, args, data }: Launch): string {
  const env = { REELAY_TOKEN: TOKEN, REELAY_DATA: data };
  const server = { command, args: [...args, "mcp"], env };
  if (client === "codex") return tomlOf({ command, args: server.args }, { env });
  return jsonOf(client, client === "vscode" ? { type: "stdio", ...server } : server);
}

/** With what a client reaches a server over HTTP. @param address the server's, without a slash at its end */
export function reachingConfig(client: AgentClient, address: string): string {
  const url = `${address}/mcp`;
  const headers = { Authorization: `Bearer ${TOKEN}` };
  switch (client) {
    case "codex":
      return tomlOf({ url }, { http_headers: headers });
    case "gemini":
      return jsonOf(client, { httpUrl: url, headers });
    case "cursor":
      return jsonOf(client, { url, headers });
    case "claude":
    case "vscode":
      return jsonOf(client, { type: "http", url, headers });
    default:
      return client satisfies never;
  }
}

function jsonOf(client: AgentClient, reelay: object): string {
  return JSON.stringify({ [client === "vscode" ? "servers" : "mcpServers"]: { reelay } }, null, 2);
}

/** Its texts and lists are written as those of JSON are. */
function tomlOf(
  plain: Readonly<Record<string, string | readonly string[]>>,
  tables: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string {
  const below = Object.entries(tables).flatMap(([name, values]) =>
    ["", `[mcp_servers.reelay.${name}]`].concat(linesOf(values)),
  );
  return ["[mcp_servers.reelay]", ...linesOf(plain), ...below].join("\n");
}

const linesOf = (values: object) =>
  Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
