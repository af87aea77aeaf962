import type { LookupFunction } from "node:net";
import { text } from "node:stream/consumers";
import { Agent } from "undici";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { checkAddress, checkedUrl, guardedRequest } from "../../src/net/guarded.ts";
import { answer, hang, serve } from "../api/server.ts";
import { names } from "../support/names.ts";

const privateHosts = ["127.0.0.1"];
const post = { method: "POST", headers: { "x-a": "b" }, body: "words" } as const;

/** Of names that nobody knows. */
const unknown: LookupFunction = (_name, _options, callback) =>
  callback(Object.assign(new Error("No answer"), { code: "ENOTFOUND" }), []);

describe("a guarded request", () => {
  it("sends a body and hands on what is answered, a redirect too", async () => {
    await using server = await serve(answer(302, "over there", { location: "/elsewhere" }));
    const url = checkedUrl(server.origin, privateHosts);
    const { signal } = new AbortController();
    const found = await guardedRequest(url, { ...post, signal }, { privateHosts });
    expect(found).toMatchObject({ status: 302, headers: { location: "/elsewhere" } });
    expect(await text(found.body)).toBe("over there");
    await found.end();
    expect(server.requests).toMatchObject([{ method: "POST", path: "/", headers: { "x-a": "b" } }]);
  });

  it("fails where it is stopped, and where a name leads to a private address", async () => {
    await using server = await serve(hang);
    const signal = AbortSignal.timeout(50);
    const url = checkedUrl(server.origin, privateHosts);
    await expect(guardedRequest(url, { ...post, signal }, { privateHosts })).rejects.toMatchObject({
      code: "url_failed",
    });
    const { lookup } = names(["10.0.0.1"]);
    const named = checkedUrl("https://shop.example/", []);
    const { signal: calm } = new AbortController();
    await expect(
      guardedRequest(named, { ...post, signal: calm }, { privateHosts: [], lookup }),
    ).rejects.toMatchObject({ code: "url_refused" });
  });

  it("gives up what it has begun where it fails: a connection that is never made would last for seconds", async () => {
    const ended = vi.spyOn(Agent.prototype, "destroy");
    onTestFinished(() => ended.mockRestore());
    await using server = await serve(hang);
    const url = checkedUrl(server.origin, privateHosts);
    const signal = AbortSignal.abort();
    await expect(guardedRequest(url, { ...post, signal }, { privateHosts })).rejects.toThrow("url_failed");
    expect(ended).toHaveBeenCalled();
  });

  it("fails, rather than being refused, where the servers of names do not know", async () => {
    const url = checkedUrl("https://shop.example/", []);
    const { signal } = new AbortController();
    await expect(
      guardedRequest(url, { ...post, signal }, { privateHosts: [], lookup: unknown }),
    ).rejects.toMatchObject({ code: "url_failed", cause: { code: "ENOTFOUND" } });
  });
});

describe("an address that somebody gives", () => {
  it.each(["10.0.0.1", "127.0.0.1", "169.254.169.254", "fd00::1"])(
    "is refused where its name leads to %s",
    async (address) => {
      const { lookup } = names([address]);
      const checked = checkAddress("https://shop.example/", { privateHosts: [], lookup });
      await expect(checked).rejects.toMatchObject({ code: "url_refused" });
    },
  );

  it.each(["https://localhost/", "https://a.localhost/", "https://LOCALHOST./"])(
    "is refused without asking: %s",
    async (address) => {
      const { lookup, asked } = names(["93.184.216.34"]);
      const checked = checkAddress(address, { privateHosts: [], lookup });
      await expect(checked).rejects.toMatchObject({ code: "url_refused" });
      expect(asked).toEqual([]);
    },
  );

  it("may be one that leads somewhere, that cannot be looked up now, or that is the operator's own", async () => {
    const { lookup } = names(["93.184.216.34"]);
    await expect(
      checkAddress("https://shop.example/", { privateHosts: [], lookup }),
    ).resolves.toBeUndefined();
    await expect(
      checkAddress("https://shop.example/", { privateHosts: [], lookup: unknown }),
    ).resolves.toBeUndefined();
    const { lookup: inside } = names(["10.0.0.1"]);
    await expect(
      checkAddress("http://shop.example/", { privateHosts: ["shop.example"], lookup: inside }),
    ).resolves.toBeUndefined();
  });
});
