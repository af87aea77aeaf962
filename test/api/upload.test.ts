import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { base64Length } from "../../src/api/base64.ts";
import { client } from "./client.ts";
import { serve } from "./server.ts";

const MIB = 1024 * 1024;
const BYTES = 64 * MIB;

describe("a large picture", () => {
  it("is never whole in memory on its way out", async () => {
    const dir = await mkdtemp(join(tmpdir(), "reelay-upload-"));
    const path = join(dir, "picture");
    await writeFile(path, Buffer.alloc(BYTES, 7));
    let received = 0;
    await using server = await serve((request, response) => {
      request.on("data", (chunk: Buffer) => (received += chunk.length));
      request.on("end", () => response.end('{"job_id":"a","status":"submitted"}'));
    });
    await using used = client(server.baseUrl);
    const before = process.memoryUsage().rss;
    let peak = 0;
    const measuring = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 2);
    const image_base64 = { bytes: BYTES, open: () => createReadStream(path) };
    await used.api.generateVideo({ image_base64, prompt: "slow zoom" });
    clearInterval(measuring);
    await rm(dir, { recursive: true });
    expect(received).toBeGreaterThan(base64Length(BYTES));
    // The client takes about 7 MiB of it, the server in the same process and the test runner the rest.
    expect(peak - before).toBeLessThan(base64Length(BYTES));
  });
});
