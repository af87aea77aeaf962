import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder, testPicture, type TestSandbox, testSandbox } from "../../../support/sandbox.ts";
import { jobOf, linksOf, problemOf } from "./results.ts";
import { ERAS, PROGRAM, run } from "./harness.ts";

/** How a client starts a server. */
interface Launched {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const execute = promisify(execFile);
const folder = temporaryFolder();
const photo = join(folder, "photo.jpg");

let sandbox: TestSandbox;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  sandbox = await testSandbox();
  const home = {
    PATH: process.env["PATH"] ?? "",
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
    REELAY_API_URL: sandbox.url,
    REELAY_DATA: join(folder, "data"),
    REELAY_RATE_WINDOW_MS: "1200",
    REELAY_POLL_MS: "100",
  };
  const add = [PROGRAM, "partner", "add", "Agents", "--key", sandbox.keys.ultra, "--json"];
  const { stdout } = await execute(process.execPath, add, { env: home });
  const { token } = JSON.parse(stdout) as { token: string };
  env = { ...home, REELAY_TOKEN: token };
  await writeFile(photo, Buffer.from(await testPicture(), "base64"));
});

afterAll(() => sandbox.stop());

describe("reelay mcp", () => {
  it.each(ERAS)("makes a video of a local file, with news on the way, and saves it (%s)", async (era) => {
    const { client, said } = await run(env, era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["make", "wait", "save"]));
    const heard: number[] = [];
    const made = await client.callTool(
      { name: "video", arguments: { image: pathToFileURL(photo).href, prompt: "slow zoom" } },
      { onprogress: ({ progress }) => void heard.push(progress) },
    );
    const job = jobOf(made);
    expect(job).toMatchObject({ status: "completed", input: { image: { name: "photo.jpg" } } });
    expect(heard.length).toBeGreaterThan(0);

    const [link] = linksOf(made);
    expect(link).toMatchObject({ uri: `reelay://jobs/${job.id}/media/0`, mimeType: "video/mp4" });
    const { contents } = await client.readResource({ uri: link?.uri ?? "" });
    const bytes = Buffer.from((contents[0] as { blob: string }).blob, "base64");
    expect([bytes.length, bytes.subarray(4, 8).toString()]).toEqual([job.media[0]?.bytes, "ftyp"]);

    const path = join(folder, `${job.id}.mp4`);
    const saved = await client.callTool({ name: "save", arguments: { job: job.id, path } });
    expect(saved.isError).toBeFalsy();
    expect(await readFile(path)).toEqual(bytes);
    const again = await client.callTool({ name: "save", arguments: { job: job.id, path } });
    expect(problemOf(again).errors).toMatchObject([{ field: "path" }]);
    await client.close();
    expect(await said).toBe("");
  });

  it("says which local file cannot be read", async () => {
    const { client } = await run(env);
    const image = pathToFileURL(join(folder, "nowhere.jpg")).href;
    const refused = await client.callTool({ name: "video", arguments: { image, prompt: "slow zoom" } });
    expect(problemOf(refused).errors).toMatchObject([{ field: "input.image", code: "field_invalid" }]);
    await client.close();
  });

  it("goes on with what an agent left behind when it comes back", async () => {
    const { client } = await run(env);
    const left = await client.callTool({ name: "image", arguments: { prompt: "a fox" } });
    const { id } = jobOf(left);
    await client.close();
    const { client: next } = await run(env);
    const done = await next.callTool({ name: "wait", arguments: { job: id } });
    expect(jobOf(done)).toMatchObject({ id, status: "completed" });
    await next.close();
  });

  it("makes everything in the built-in sandbox for a test token, and nothing at the service", async () => {
    const add = [PROGRAM, "partner", "token", "Agents", "--test", "--json"];
    const { stdout } = await execute(process.execPath, add, { env });
    const { token } = JSON.parse(stdout) as { token: string };
    const before = (await sandbox.ledger()).submissions.length;
    const { client } = await run({ ...env, REELAY_TOKEN: token });
    const asked = await client.callTool({ name: "image", arguments: { prompt: "a fox" } });
    const done = await client.callTool({ name: "wait", arguments: { job: jobOf(asked).id } });
    expect(jobOf(done)).toMatchObject({ status: "completed", livemode: false });
    await client.close();
    const { client: other } = await run(env);
    const unknown = await other.callTool({ name: "wait", arguments: { job: jobOf(asked).id } });
    expect(unknown.isError).toBe(true);
    await other.close();
    expect((await sandbox.ledger()).submissions).toHaveLength(before);
  });

  it("prints a configuration that starts it from any folder, by paths alone", async () => {
    const { REELAY_TOKEN: _token, ...home } = env;
    const { stdout } = await execute(process.execPath, [PROGRAM, "mcp", "--config"], { env: home });
    const { reelay } = (JSON.parse(stdout) as { mcpServers: Record<string, Launched> }).mcpServers;
    expect(reelay).toMatchObject({ env: { REELAY_TOKEN: "rly_...", REELAY_DATA: join(folder, "data") } });
    const [program = "", ...rest] = reelay?.args ?? [];
    expect([isAbsolute(reelay?.command ?? ""), isAbsolute(program), rest]).toEqual([true, true, ["mcp"]]);
    const elsewhere = { cwd: temporaryFolder(), env: { ...home, ...reelay?.env } };
    const child = spawn(reelay?.command ?? "", reelay?.args ?? [], elsewhere);
    expect(await text(child.stderr)).toContain("REELAY_TOKEN: found a token that nobody has");
  });

  it("prints what a client reaches the server with, where people reach it", async () => {
    const { REELAY_TOKEN: _token, ...home } = env;
    const printed = async (client: readonly string[], more = {}) => {
      const options = { env: { ...home, ...more } };
      return (await execute(process.execPath, [PROGRAM, "mcp", "--config-http", ...client], options)).stdout;
    };
    const { servers } = JSON.parse(await printed(["vscode"])) as { servers: Record<string, unknown> };
    expect(servers).toEqual({
      reelay: {
        type: "http",
        url: "http://127.0.0.1:8787/mcp",
        headers: { Authorization: "Bearer rly_..." },
      },
    });
    const behind = await printed([], { REELAY_PUBLIC_URL: "https://reelay.example.com" });
    expect(behind).toContain('"url": "https://reelay.example.com/mcp"');
    await expect(printed(["emacs"])).rejects.toMatchObject({ stderr: expect.stringContaining("vscode") });
  });

  it.each([
    ["no token", {}, "REELAY_TOKEN: found nothing"],
    ["one that nobody has", { REELAY_TOKEN: "rly_x" }, "REELAY_TOKEN: found a token that nobody has"],
  ])("leaves with a sentence where it was given %s", async (_case, token, sentence) => {
    const { REELAY_TOKEN: _token, ...home } = env;
    const child = spawn(process.execPath, [PROGRAM, "mcp"], { env: { ...home, ...token } });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ]);
    expect([code, stdout]).toEqual([78, ""]);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain("rly_x");
  });
});
