import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fetchUserUrl, type FetchOptions } from "../../../../src/infrastructure/media/files/fetch.ts";
import { answer, hang, reset, serve } from "../../api/server.ts";
import { names } from "../../../support/names.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

async function fetched(address: string, options: Partial<FetchOptions> = {}): Promise<string> {
  const defaults = {
    maxBytes: 1000,
    timeoutMs: PATIENCE_MS,
    privateHosts: [],
    lookup: names(["127.0.0.1"]).lookup,
  };
  const { stream } = await fetchUserUrl(address, { ...defaults, ...options });
  return text(stream);
}

/** What comes of a server that answers like this, on an excepted host. */
async function from(step: RequestListener, options: Partial<FetchOptions> = {}): Promise<unknown> {
  await using server = await serve(step);
  const fetching = fetched(server.origin, { privateHosts: ["127.0.0.1"], ...options });
  return await fetching.catch((error: unknown) => error);
}

/** Begins an answer and goes no further. */
const dripping: RequestListener = (_request, response) => void response.writeHead(200).write("a");

const refused = { code: "url_refused" };
const failed = { code: "url_failed" };

describe("a person's URL", () => {
  it.each([
    ["plain http", "http://pictures.example/a.jpg"],
    ["another protocol", "ftp://pictures.example/a.jpg"],
    ["a file", "file:///etc/passwd"],
    ["data", "data:image/png;base64,aGVsbG8="],
    ["no URL", "pictures.example/a.jpg"],
    ["another port", "https://pictures.example:8443/a.jpg"],
    ["the loopback", "https://127.0.0.1/"],
    ["the loopback, short", "https://127.1/"],
    ["the loopback, decimal", "https://2130706433/"],
    ["the loopback, octal", "https://0177.0.0.1/"],
    ["the loopback, hexadecimal", "https://0x7f000001/"],
    ["the loopback, percent-encoded", "https://%31%32%37.0.0.1/"],
    ["the loopback, full-width", "https://１２７.０.０.１/"],
    ["the loopback in IPv6", "https://[::1]/"],
    ["the loopback, mapped into IPv6", "https://[::ffff:127.0.0.1]/"],
    ["the loopback, mapped in hexadecimal", "https://[::ffff:7f00:1]/"],
    ["the loopback, translated", "https://[64:ff9b::7f00:1]/"],
    ["the loopback, tunnelled", "https://[2002:7f00:1::]/"],
    ["no address", "https://0.0.0.0/"],
    ["no IPv6 address", "https://[::]/"],
    ["a private network", "https://10.0.0.5/"],
    ["a home network", "https://192.168.1.1/"],
    ["a cloud's metadata", "https://169.254.169.254/latest/meta-data/"],
    ["a carrier's network", "https://100.64.0.1/"],
    ["a local IPv6 network", "https://[fd00::1]/"],
    ["a link", "https://[fe80::1]/"],
    ["everyone", "https://255.255.255.255/"],
    ["a multicast group", "https://224.0.0.1/"],
    ["a name for the loopback", "https://localhost/"],
    ["a name for the loopback with a dot", "https://localhost./"],
    ["a name that leads to the loopback", "https://pictures.example/a.jpg"],
  ])("is refused where it is %s", async (_, address) => {
    await expect(fetched(address)).rejects.toMatchObject(refused);
  });

  it("is refused where one of a name's addresses is private", async () => {
    const { lookup } = names(["93.184.216.34", "10.0.0.1"]);
    await expect(fetched("https://pictures.example/a.jpg", { lookup })).rejects.toMatchObject(refused);
  });

  it("is fetched from a host that the operator excepted", async () => {
    await using server = await serve(answer(200, "a picture", { "content-type": "image/png" }));
    const { host } = new URL(server.origin);
    expect(await fetched(`${server.origin}/a.png`, { privateHosts: [host] })).toBe("a picture");
    expect(await fetched(`${server.origin}/a.png`, { privateHosts: ["127.0.0.1"] })).toBe("a picture");
    const named = server.origin.replace("127.0.0.1", "nas.local");
    expect(await fetched(named, { privateHosts: ["nas.local"] })).toBe("a picture");
    const other = { privateHosts: ["127.0.0.1:1", "nas.local", "127.0.0.10"] };
    await expect(fetched(server.origin, other)).rejects.toMatchObject(refused);
    expect(server.requests).toHaveLength(3);
  });

  it("is told what is wrong with it where it says who asks, and with nothing else", async () => {
    for (const who of ["me:secret", "me", ":secret"])
      await expect(fetched(`https://${who}@pictures.example/a.jpg`)).rejects.toMatchObject({
        code: "url_with_password",
        params: {},
      });
  });

  it.each([
    "https://localhost/",
    "http://192.168.1.1/",
    "https://[::ffff:10.0.0.1]/",
    "https://pictures.example/",
    "file:///etc/passwd",
    "//user:secret@127.0.0.1/",
  ])("is refused where it redirects to %s", async (location) => {
    expect(await from(answer(302, "", { location }))).toMatchObject(refused);
  });

  it("is followed three times and no further", async () => {
    const step = answer(302, "", { location: "/again" });
    await using server = await serve(step, step, step, answer(200, "there"));
    const options = { privateHosts: ["127.0.0.1"] };
    expect(await fetched(server.origin, options)).toBe("there");
    await using circle = await serve(step);
    await expect(fetched(circle.origin, options)).rejects.toMatchObject(failed);
    expect(circle.requests).toHaveLength(4);
  });

  it("fails where its host answers with an error, breaks off or takes too long", async () => {
    expect(await from(answer(404, "none"))).toMatchObject(failed);
    expect(await from(reset)).toMatchObject(failed);
    expect(await from(hang, { timeoutMs: 50 })).toMatchObject(failed);
    expect(await from(dripping, { timeoutMs: 50 })).toMatchObject(failed);
  });

  it("is cut off beyond its bound, announced or not", async () => {
    const large = { code: "media_too_large", params: { max: 1000 } };
    expect(await from(answer(200, "x".repeat(1001), { "content-length": "1001" }))).toMatchObject(large);
    expect(await from(answer(200, "x".repeat(1001), { "transfer-encoding": "chunked" }))).toMatchObject(
      large,
    );
    expect(await from(answer(200, "x".repeat(1000)))).toBe("x".repeat(1000));
  });

  it("ends its connection when nobody reads it in time", async () => {
    const ended = Promise.withResolvers<void>();
    const waiting: RequestListener = (request, response) => {
      request.socket.on("close", ended.resolve);
      response.writeHead(200).write("a");
    };
    await using server = await serve(answer(302, "x".repeat(1e6), { location: "/b" }), waiting);
    const options = { maxBytes: 1000, timeoutMs: 50, privateHosts: ["127.0.0.1"] };
    // The time is over once it is there, and not before, however long that takes.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { stream } = await fetchUserUrl(server.origin, options);
    await vi.advanceTimersByTimeAsync(options.timeoutMs);
    await ended.promise;
    await expect(text(stream)).rejects.toMatchObject(failed);
  });

  it("stops when its signal fires", async () => {
    const stop = new AbortController();
    expect(await from(() => stop.abort(), { signal: stop.signal })).toMatchObject(failed);
  });
});
