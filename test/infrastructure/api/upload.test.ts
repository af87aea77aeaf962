import { createReadStream } from "node:fs";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FileSource, MediaApi, Submitted } from "../../../src/infrastructure/api/media-api.ts";
import { client } from "./client.ts";
import { serve } from "./server.ts";

const MIB = 1024 * 1024;
/** Many times what waits for its collection on a busy machine. */
const BYTES = 192 * MIB;

/** A file this large, on its way out in either form. */
const FORMS: readonly (readonly [string, (api: MediaApi, image: FileSource) => Promise<Submitted>])[] = [
  ["in JSON", (api, image_base64) => api.generateVideo({ image_base64, prompt: "slow zoom" })],
  [
    "as a form",
    (api, image) => api.generateVid3({ images: [image], prompt: "slow zoom" }, { as: "multipart" }),
  ],
];

describe("a large picture", () => {
  it.each(FORMS)("is never whole in memory on its way out %s", async (_, submit) => {
    const dir = await mkdtemp(join(tmpdir(), "reelay-upload-"));
    const path = join(dir, "picture");
    await writeFile(path, "");
    await truncate(path, BYTES);
    let received = 0;
    await using server = await serve((request, response) => {
      request.on("data", (chunk: Buffer) => (received += chunk.length));
      request.on("end", () => response.end('{"job_id":"a","status":"submitted"}'));
    });
    await using used = client(server.baseUrl);
    const before = process.memoryUsage().rss;
    let peak = 0;
    const measuring = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 2);
    await submit(used.api, { bytes: BYTES, open: () => createReadStream(path) });
    clearInterval(measuring);
    await rm(dir, { recursive: true });
    expect(received).toBe(Number(server.requests[0]?.headers["content-length"]));
    expect(received).toBeGreaterThan(BYTES);
    // The client takes about 7 MiB of it, the server in the same process and the test runner the rest.
    expect(peak - before).toBeLessThan(BYTES);
  });
});
