import { buffer, text } from "node:stream/consumers";
import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { unfetched } from "../../src/common/unfetched.ts";
import { MediaApi } from "../../src/infrastructure/api/media-api.ts";
import { fetchUserUrl } from "../../src/infrastructure/media/files/fetch.ts";
import { wholeFile } from "../../src/infrastructure/media/whole/whole-file.ts";
import { answer, reset, serve, truncated } from "../infrastructure/api/server.ts";

const SECRET = "/of-mine/photo.jpg?token=a-secret";

const redirectTo = (location: string) => answer(302, "", { location });

/** What may be logged of a photo's address. */
async function photo(address: string) {
  const options = { privateHosts: ["127.0.0.1"], maxBytes: 1_000, timeoutMs: 5_000 };
  const fetching = fetchUserUrl(address, options).then(({ stream }) => text(stream));
  return unfetched(await fetching.catch((error: unknown) => error));
}

/** What may be logged of a result. */
async function result(address: string) {
  const api = new MediaApi({ baseUrl: "http://127.0.0.1:1/api", key: "k", retry: { attempts: 1 } });
  const opening = api.download(address).then((file) => wholeFile(file, "image"));
  const failure = await opening.then(({ stream }) => buffer(stream)).catch((error: unknown) => error);
  await api.close();
  return unfetched(failure);
}

describe("what may be logged of a file that could not be fetched", () => {
  it.each<readonly [string, RequestListener, RegExp]>([
    ["is not there", answer(404, "no"), /^it answered 404$/],
    ["breaks off", truncated, /^(aborted|other side closed|terminated|.*of 1000 bytes came\.)$/],
    ["breaks before it answers", reset, /ECONNRESET|other side closed/],
  ])(
    "is whom it was asked for and why, and nothing else of its address: one that %s",
    async (_, step, why) => {
      await using server = await serve(step);
      const { host } = new URL(server.origin);
      for (const look of [photo, result]) {
        const found = await look(server.origin + SECRET);
        expect(found).toEqual({ host, reason: expect.stringMatching(why) });
        expect(JSON.stringify(found)).not.toMatch(/of-mine|secret/);
      }
    },
  );

  it("names the host that failed, behind every redirect", async () => {
    await using last = await serve(answer(410, "gone"));
    await using first = await serve(redirectTo(last.origin + SECRET));
    const { host } = new URL(last.origin);
    for (const look of [photo, result])
      expect(await look(first.origin + SECRET)).toEqual({ host, reason: "it answered 410" });
  });

  it("says where an address may not lead, or what comes is no such file", async () => {
    expect(await photo("https://10.0.0.5/a.jpg")).toEqual({ host: "10.0.0.5", reason: "url_refused" });
    await using server = await serve(answer(200, `<html>${"sign in".repeat(200)}</html>`));
    const { host } = new URL(server.origin);
    expect(await photo(server.origin)).toEqual({ host, reason: "media_too_large" });
    expect(await result(server.origin)).toEqual({ host, reason: expect.stringMatching(/./) });
  });

  it("is nothing of any other failure", () => {
    for (const error of [new Error("disk full"), undefined, "words"])
      expect(unfetched(error)).toBeUndefined();
  });
});
