import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROGRAM } from "../adapters/http/mcp/harness.ts";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { temporaryFolder, type TestSandbox, testSandbox } from "../support/sandbox.ts";
import { recipe, run } from "./recipe.ts";

const execute = promisify(execFile);
const folder = temporaryFolder();
/** Codex keeps its servers as TOML, which the recipe does not read. */
const CLIENTS = ["claude", "cursor", "gemini", "vscode"];

let sandbox: TestSandbox;
let gateway: TestGateway;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  sandbox = await testSandbox();
  gateway = await openGateway(sandbox);
  env = {
    PATH: process.env["PATH"] ?? "",
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
    REELAY_API_URL: sandbox.url,
    REELAY_RATE_WINDOW_MS: "1200",
    REELAY_POLL_MS: "100",
  };
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox.stop();
});

/** What `reelay mcp` prints for a client, with a token in it. */
async function configured(args: readonly string[], token: string, more: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await execute(process.execPath, [PROGRAM, "mcp", ...args], { env: { ...env, ...more } });
  const path = join(folder, `${args.join("")}.json`);
  await writeFile(path, stdout.replace("rly_...", token));
  return path;
}

/** Runs the recipe, and looks at the picture. */
async function drawn(config: string) {
  const path = `${config}.jpg`;
  const ended = await run(process.execPath, [recipe("mcp.mjs"), config, "a lighthouse", path], env);
  if (ended.code !== 0) throw new Error(ended.err);
  const { format, width } = await sharp(await readFile(path)).metadata();
  return { said: ended.out, format, width };
}

const DRAWN = { said: expect.stringMatching(/^Tools: make, .*Saved: /s), format: "jpeg", width: 1024 };

describe("an agent with the official client, with the configuration that is printed for", () => {
  it.each(CLIENTS)("%s, draws over HTTP", async (client) => {
    const { token } = await gateway.join(`by ${client}`);
    const more = { REELAY_PORT: new URL(gateway.url).port, REELAY_DATA: join(folder, "http") };
    expect(await drawn(await configured(["--config-http", client], token, more))).toEqual(DRAWN);
  });

  // Of the others' files these differ in nothing.
  it.each(["claude", "vscode"])("%s, draws with a Reelay that it starts", async (client) => {
    const more = { REELAY_DATA: join(folder, client) };
    const add = [PROGRAM, "partner", "add", "Agents", "--key", sandbox.keys.ultra, "--json"];
    const { stdout } = await execute(process.execPath, add, { env: { ...env, ...more } });
    const { token } = JSON.parse(stdout) as { token: string };
    expect(await drawn(await configured(["--config", client], token, more))).toEqual(DRAWN);
  });
});

it("says what is refused", async () => {
  const { token } = await gateway.join("refused");
  const url = `${gateway.url}/mcp`;
  const config = join(folder, "refused.json");
  const headers = { Authorization: `Bearer ${token}` };
  await writeFile(config, JSON.stringify({ mcpServers: { reelay: { url, headers } } }));
  const ended = await run(process.execPath, [recipe("mcp.mjs"), config, "x".repeat(20_001)], env);
  expect(ended).toMatchObject({ code: 1, err: expect.stringContaining("at most 20,000 characters") });
});
