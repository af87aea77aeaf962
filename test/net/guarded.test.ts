import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { checkedUrl, guardedRequest } from "../../src/net/guarded.ts";
import { answer, hang, serve } from "../api/server.ts";
import { names } from "../support/names.ts";

const privateHosts = ["127.0.0.1"];
const post = { method: "POST", headers: { "x-a": "b" }, body: "words" } as const;

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
});
