import { execFile } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readRequest } from "../../../adapters/http/body/read-request.ts";
import { STATUS_OF } from "../../../adapters/http/access/status.ts";
import { asReelayError } from "../../../src/common/errors.ts";
import { createServer } from "../../../src/app/server.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { bodyHarness, idOf, noise } from "./body-harness.ts";

/** A server that reads requests and answers with what it stored, or why it did not. */
async function harness(bounds?: { bytes: number; idleMs: number; wholeMs: number }) {
  const body = await bodyHarness();
  const server = createServer(async () => []);
  server.routes.post("/", async (c) => {
    const { files } = await readRequest(c.req.raw, body.files, body.hold, bounds);
    return c.json([...files.values()]);
  });
  server.routes.onError((error, c) => {
    const { code, params } = asReelayError(error);
    return c.json({ code, params }, STATUS_OF[code]);
  });
  const url = new URL(await server.listen("127.0.0.1", 0));
  return {
    ...body,
    url,
    /** Sends the head of a request and a beginning of its body, and goes on until the line is closed. */
    async send(headers: Record<string, string>, beginning: string, more = "") {
      const socket = connect(Number(url.port), url.hostname);
      let answer = "";
      socket.on("data", (chunk: Buffer) => (answer += String(chunk)));
      // Whoever still sends when the line is closed is told so.
      socket.on("error", () => {});
      const lines = Object.entries({ Host: url.host, "Content-Type": "application/json", ...headers });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      socket.write(`POST / HTTP/1.1\r\n${head}\r\n${beginning}`);
      const sending = setInterval(() => more && socket.write(more), 5);
      await once(socket, "close");
      clearInterval(sending);
      const [, status = "", json = ""] = /^HTTP\/1\.1 (\d+)[^]*?\r\n\r\n([^]*)$/.exec(answer) ?? [];
      return { status: Number(status), body: JSON.parse(json) as unknown };
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await body[Symbol.asyncDispose]();
    },
  };
}

describe("a request over HTTP", () => {
  it("is refused before its body is sent where that is too large, and the line is closed", async () => {
    await using at = await harness();
    expect(await at.send({ "Content-Length": "134217729" }, "")).toEqual({
      status: 413,
      body: { code: "body_too_large", params: { max: 134_217_728 } },
    });
  });

  it("is refused once too much of it came, and the line is closed on whoever goes on", async () => {
    await using at = await harness({ bytes: 100_000, idleMs: 30_000, wholeMs: 30_000 });
    const chunk = `2710\r\n${" ".repeat(10_000)}\r\n`;
    expect(await at.send({ "Transfer-Encoding": "chunked" }, chunk, chunk)).toEqual({
      status: 413,
      body: { code: "body_too_large", params: { max: 100_000 } },
    });
  });

  it("is told that it takes too long, and the line is closed", async () => {
    await using at = await harness({ bytes: 100_000, idleMs: 50, wholeMs: 30_000 });
    expect(await at.send({ "Content-Length": "1000" }, '{"a":')).toEqual({
      status: 408,
      body: { code: "body_too_slow", params: { idle: 0.05, whole: 30 } },
    });
  });

  it.each([
    ["for what it holds", {}, 400],
    ["for its type", { "Content-Type": "text/plain" }, 415],
  ])("leaves the line to the next one where it is refused %s", async (_, headers, status) => {
    await using at = await harness();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = async (body: Buffer | string, more: Readonly<Record<string, string>> = {}) => {
      const head = { "Content-Type": "application/json", "Content-Length": String(body.length), ...more };
      const asked = request(at.url, { method: "POST", agent, headers: head });
      asked.end(body);
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      await text(answer);
      return answer.statusCode;
    };
    const refused = post(Buffer.alloc(600_000, 0xff), headers);
    const next = post("{}");
    expect([await refused, await next]).toEqual([status, 200]);
    agent.destroy();
  });

  it("leaves nothing where its sender goes away", async () => {
    await using at = await harness();
    const socket = connect(Number(at.url.port), at.url.hostname);
    const file = noise(300_000).toString("base64");
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n["${file}`,
    );
    await expect.poll(at.kept).toHaveLength(1);
    socket.destroy();
    await expect.poll(at.kept).toEqual([]);
  });

  it("brings its files as JSON or as a form", async () => {
    await using at = await harness();
    const photo = noise(3_000_000);
    const stored = { surface: "http", id: idOf(photo), bytes: photo.length };
    const post = async (body: FormData | string) => {
      const headers = typeof body === "string" ? { "content-type": "application/json" } : {};
      return (await fetch(at.url, { method: "POST", body, headers })).json();
    };
    expect(await post(JSON.stringify({ image: photo.toString("base64") }))).toEqual([stored]);
    const form = new FormData();
    form.append("image", new Blob([Uint8Array.from(photo)]), "photo.jpg");
    expect(await post(form)).toEqual([{ ...stored, name: "photo.jpg" }]);
  });

  it("never has its files in memory as a whole: 64 MiB cost no more than 32", async () => {
    const script = fileURLToPath(new URL("support/upload-child.ts", import.meta.url));
    // As much as fits into 64 MiB of what that script repeats.
    const size = 67_092_480;
    // What lies until the collector comes, which is up to its young space whatever is read, is not asked about.
    const options = ["--max-semi-space-size=2", script, temporaryFolder(), String(size)];
    const { stdout } = await promisify(execFile)(process.execPath, options);
    const { bytes, grown } = JSON.parse(stdout) as { bytes: number; grown: number };
    expect(bytes).toBe(size);
    expect(grown).toBeGreaterThan(0);
    expect(grown).toBeLessThan(32 * 2 ** 20);
  });
});
