import type { IncomingMessage, ServerResponse } from "node:http";
import type { LookupFunction } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { Agent } from "undici";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  asUrlError,
  checkAddress,
  checkedUrl,
  GuardedAgent,
  guardedRequest,
} from "../../../src/infrastructure/net/guarded.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { answer, hang, serve } from "../api/server.ts";
import { names } from "../../support/names.ts";

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

describe("requests by one agent", () => {
  const { signal } = new AbortController();

  it("share a connection, also after an answer that says more than is read of it", async () => {
    const sockets = new Set<unknown>();
    const tell = (body: string) => (request: IncomingMessage, response: ServerResponse) => {
      sockets.add(request.socket);
      response.end(body);
    };
    await using server = await serve(tell("a"), tell("b"), tell("c".repeat(2 ** 20)), tell("d"));
    await using agent = new GuardedAgent({ privateHosts });
    const url = checkedUrl(server.origin, privateHosts);
    for (const first of ["a", "b"]) {
      const found = await agent.request(url, { ...post, signal });
      expect(await text(found.body)).toBe(first);
      await found.end();
      // A connection is free in the next turn of the event loop.
      await setImmediate();
    }
    expect(sockets.size).toBe(1);
    await (await agent.request(url, { ...post, signal })).end();
    const found = await agent.request(url, { ...post, signal });
    // What was left unread is nobody's answer.
    expect(await text(found.body)).toBe("d");
    expect(sockets.size).toBe(2);
  });

  it("are each refused where a name leads to a private address by then", async () => {
    const { lookup } = names(["127.0.0.1"]);
    await using server = await serve(answer(200, "secret"));
    await using agent = new GuardedAgent({ privateHosts, lookup });
    // By the operator's word, but not by a name that leads there.
    const found = await agent.request(checkedUrl(server.origin, privateHosts), { ...post, signal });
    expect(await text(found.body)).toBe("secret");
    const named = checkedUrl("https://shop.example/", privateHosts);
    await expect(agent.request(named, { ...post, signal })).rejects.toMatchObject({ code: "url_refused" });
    expect(server.requests).toHaveLength(1);
  });
});

describe("an address", () => {
  const refused = expect.objectContaining({ code: "url_refused" });

  it.each([
    ["https://shop.example/a?b", []],
    ["https://shop.example:443/", []],
    ["http://shop.example/", ["shop.example"]],
    ["http://shop.example/", ["shop.example:80"]],
    ["https://shop.example/", ["shop.example:443"]],
    ["http://shop.example:8080/", ["shop.example:8080"]],
    ["http://shop.example:8080/", ["shop.example"]],
  ])("may be %s, of the operator's own %j", (address, own) => {
    expect(checkedUrl(address, own).href).toBe(new URL(address).href);
  });

  it.each([
    ["no address", []],
    ["http://shop.example/", []],
    ["http://shop.example/", ["shop.example:443"]],
    ["http://shop.example:8080/", ["shop.example:80"]],
    ["https://shop.example:8443/", ["other.example"]],
    ["ftp://shop.example/", ["shop.example"]],
    ["https://10.0.0.1/", []],
    ["https://[::1]/", []],
  ])("may not be %s, of the operator's own %j", (address, own) => {
    expect(() => checkedUrl(address, own)).toThrow(refused);
  });

  it.each(["https://me@shop.example/", "https://:secret@shop.example/"])(
    "may not be %s, of the operator's own, either",
    (address) => {
      const told = expect.objectContaining({ code: "url_with_password", params: {} });
      expect(() => checkedUrl(address, ["shop.example"])).toThrow(told);
      // Whoever gave the one that leads there cannot mend it.
      expect(() => checkedUrl(address, [], new URL("https://shop.example/"))).toThrow(refused);
    },
  );

  it("may be relative to another one", () => {
    expect(checkedUrl("/b", [], new URL("https://shop.example/a")).href).toBe("https://shop.example/b");
    expect(() => checkedUrl("/b", [])).toThrow(refused);
  });

  it("that is an address itself is not looked up", async () => {
    const { lookup, asked } = names(["10.0.0.1"]);
    for (const address of ["https://93.184.216.34/", "https://[2606:4700::1111]/"])
      await expect(checkAddress(address, { privateHosts: [], lookup })).resolves.toBeUndefined();
    expect(asked).toEqual([]);
  });

  it("is taken, for now, where nobody says within three seconds where it leads", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let taken = false;
    const checked = checkAddress("https://shop.example/", { privateHosts: [], lookup: () => {} }).then(
      () => (taken = true),
    );
    await vi.advanceTimersByTimeAsync(2_999);
    expect(taken).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await checked;
  });
});

describe("a failure", () => {
  it("says what it means itself, or that the address failed, and why", () => {
    const own = new ReelayError("media_gone");
    expect(asUrlError(own)).toBe(own);
    const cause = new Error("socket");
    expect(asUrlError(cause)).toMatchObject({ code: "url_failed", params: {}, cause });
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
