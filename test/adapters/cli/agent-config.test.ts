import { describe, expect, it } from "vitest";
import {
  type AgentClient,
  reachingConfig,
  startingConfig,
} from "../../../adapters/cli/output/agent-config.ts";

const launch = { command: "/opt/node", args: ["/opt/reelay/reelay.js"], data: 'C:\\my "data"' };
const server = {
  command: "/opt/node",
  args: ["/opt/reelay/reelay.js", "mcp"],
  env: { REELAY_TOKEN: "rly_...", REELAY_DATA: launch.data },
};
const headers = { Authorization: "Bearer rly_..." };
const url = "https://reelay.example.com/mcp";

const starting = (client: AgentClient): unknown => JSON.parse(startingConfig(client, launch));
const reaching = (client: AgentClient): unknown =>
  JSON.parse(reachingConfig(client, "https://reelay.example.com"));

describe("an agent's configuration", () => {
  it("starts Reelay in the words of each client", () => {
    for (const client of ["claude", "cursor", "gemini"] as const)
      expect(starting(client)).toEqual({ mcpServers: { reelay: server } });
    expect(starting("vscode")).toEqual({ servers: { reelay: { type: "stdio", ...server } } });
    expect(startingConfig("codex", launch)).toBe(
      [
        "[mcp_servers.reelay]",
        'command = "/opt/node"',
        'args = ["/opt/reelay/reelay.js","mcp"]',
        "",
        "[mcp_servers.reelay.env]",
        'REELAY_TOKEN = "rly_..."',
        String.raw`REELAY_DATA = "C:\\my \"data\""`,
      ].join("\n"),
    );
  });

  it("reaches a server in the words of each client", () => {
    expect(reaching("claude")).toEqual({ mcpServers: { reelay: { type: "http", url, headers } } });
    expect(reaching("vscode")).toEqual({ servers: { reelay: { type: "http", url, headers } } });
    expect(reaching("cursor")).toEqual({ mcpServers: { reelay: { url, headers } } });
    expect(reaching("gemini")).toEqual({ mcpServers: { reelay: { httpUrl: url, headers } } });
    expect(reachingConfig("codex", "https://reelay.example.com")).toBe(
      [
        "[mcp_servers.reelay]",
        `url = "${url}"`,
        "",
        "[mcp_servers.reelay.http_headers]",
        'Authorization = "Bearer rly_..."',
      ].join("\n"),
    );
  });
});
