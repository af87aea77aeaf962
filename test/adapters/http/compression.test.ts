import { gunzipSync } from "node:zlib";
import { request } from "undici";
import { describe, expect, it } from "vitest";
import { openGateway, type TestGateway, type TestPartner } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

/** Asks by hand: fetch unpacks an answer, and says no more that it was packed. */
async function read(
  gateway: TestGateway,
  { token }: TestPartner,
  path: string,
  headers: Readonly<Record<string, string>> = { "accept-encoding": "br, gzip" },
) {
  const authorization = `Bearer ${token}`;
  const answer = await request(`${gateway.url}/v1${path}`, { headers: { authorization, ...headers } });
  return { ...answer, bytes: Buffer.from(await answer.body.arrayBuffer()) };
}

describe("compression", () => {
  it("packs what is read as JSON for whoever takes it, and says that there are two of it", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    for (const path of ["/openapi.json", "/operations", "/catalogues/video-templates?limit=100", "/usage"]) {
      const plain = await read(gateway, acme, path, {});
      expect(plain.headers["content-encoding"], path).toBeUndefined();
      expect(plain.headers.vary, path).toContain("Accept-Encoding");
      const packed = await read(gateway, acme, path);
      expect(packed.headers["content-encoding"], path).toBe("gzip");
      expect(packed.headers.vary, path).toContain("Accept-Encoding");
      expect(gunzipSync(packed.bytes), path).toEqual(plain.bytes);
      const many = plain.bytes.length > 4_096;
      expect(packed.bytes.length, path).toBeLessThan(many ? plain.bytes.length / 3 : 2_048);
      const headers = { "accept-encoding": "gzip", "if-none-match": String(packed.headers["etag"]) };
      expect((await read(gateway, acme, path, headers)).statusCode, path).toBe(304);
    }
  });

  it("leaves as it is what holds a link beside words that somebody else chose, a stream, and a file", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted({
      operation: "image",
      input: { prompt: "a cat" },
      in_app_username: "jo",
    });
    const { media } = await acme.ended(id);
    const paths = [
      "/jobs",
      `/jobs/${id}`,
      "/users/jo/export",
      `/jobs/${id}/events`,
      `/jobs/${id}/media`,
      new URL(media[0]?.link ?? "").pathname.replace("/v1", ""),
    ];
    for (const path of paths) {
      const { headers, statusCode } = await read(gateway, acme, path);
      expect([statusCode, headers["content-encoding"]], path).toEqual([200, undefined]);
    }
  });
});
