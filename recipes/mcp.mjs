// An agent's way to a picture, with the official client of the Model Context Protocol: over HTTP, or with a Reelay that
// it starts.
//
//   npm install @modelcontextprotocol/client
//   npx reelay mcp --config-http claude > reelay.json    # or --config, which starts one; put your token in
//   node mcp.mjs reelay.json "a lighthouse at dusk" picture.jpg
import { readFile, writeFile } from "node:fs/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [config, prompt, path = "picture.jpg"] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${line}\n`);

/** Most clients call their servers `mcpServers`, VS Code calls them `servers`; Gemini CLI has `httpUrl`. */
function transportTo({ mcpServers, servers = mcpServers }) {
  const { command, args, env, httpUrl, url = httpUrl, headers } = servers.reelay;
  if (command) return new StdioClientTransport({ command, args, env: { ...process.env, ...env } });
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}

const agent = new Client({ name: "recipe", version: "1.0.0" });

/** What a tool answers; a refusal is a sentence that can be shown to people. */
async function call(name, args) {
  const { isError, content, structuredContent } = await agent.callTool({ name, arguments: args });
  if (isError) throw new Error(content[0].text);
  return { ...structuredContent, links: content.filter(({ type }) => type === "resource_link") };
}

try {
  if (!config || !prompt) throw new Error("usage: node mcp.mjs CONFIGURATION PROMPT [PICTURE]");
  await agent.connect(transportTo(JSON.parse(await readFile(config, "utf8"))));
  const { tools } = await agent.listTools();
  say(`Tools: ${tools.map(({ name }) => name).join(", ")}`);

  // A call that is repeated with the same key is made and charged once.
  const order = { operation: "image", input: { prompt }, idempotency_key: crypto.randomUUID() };
  let job = await call("make", order);
  say(`Accepted: ${job.id}`);
  while (job.status === "queued" || job.status === "running") job = await call("wait", { job: job.id });
  if (job.status !== "completed") throw new Error(job.error?.detail ?? `The job is ${job.status}.`);

  // A link that anybody can open, or one that is read through this line.
  const [{ uri }] = job.links;
  const read = async () => Buffer.from((await agent.readResource({ uri })).contents[0].blob, "base64");
  const fetched = async () => Buffer.from(await (await fetch(uri)).arrayBuffer());
  await writeFile(path, await (uri.startsWith("http") ? fetched() : read()));
  say(`Saved: ${path}`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  await agent.close();
}
