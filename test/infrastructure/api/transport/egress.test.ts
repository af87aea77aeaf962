import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Readable } from "node:stream";
import { json as readJson } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Egress, Network, Transport, Unsure } from "../../../../src/infrastructure/api/media-api.ts";
import { ELSEWHERE, hasElsewhere } from "../../../support/loopback.ts";
import { testProxy } from "../../../support/proxy.ts";
import { json, serve, type TestServer } from "../server.ts";

const TIMEOUTS = { connectTimeoutMs: 1_000, headersTimeoutMs: 20_000 };

/** A port that nothing listens at. */
const NOWHERE = "http://127.0.0.1:1";

/** Tells every request where it came from. */
const mirror = () =>
  serve((request, response) => {
    const from = request.socket.remoteAddress;
    request.resume().on("end", () => response.end(JSON.stringify({ from })));
  });

/** A transport by these addresses, and what was said of them. */
function leaving(...egresses: readonly Egress[]) {
  const heard: string[] = [];
  const onEgress = (name: string, failure?: Error) => heard.push(`${name} ${failure ? "away" : "back"}`);
  const transport = new Transport({ ...TIMEOUTS, egresses, onEgress });
  return { transport, heard, [Symbol.asyncDispose]: () => transport.close() };
}

const body = (bytes: Buffer | string = "a picture") => ({
  type: "text/plain",
  length: Buffer.byteLength(bytes),
  open: () => Readable.from([Buffer.from(bytes)], { objectMode: false }),
});

const call = ({ baseUrl }: Pick<TestServer, "baseUrl">, egress?: string, paid = false) =>
  ({
    method: paid ? "POST" : "GET",
    url: new URL(`${baseUrl}/thing`),
    paid,
    egress,
    ...(paid && { body: body() }),
  }) as const;

const answerOf = async (reply: Promise<{ readonly body: Readable }>) => readJson((await reply).body);

describe("an address that requests leave by", () => {
  it.skipIf(!hasElsewhere)("is a local one (on systems whose loopback has a second address)", async () => {
    await using service = await mirror();
    await using own = leaving({ name: "a" }, { name: "b", address: ELSEWHERE });
    const from = (egress?: string, paid?: boolean) =>
      answerOf(own.transport.exchange(call(service, egress, paid)));
    expect(await from("b", true)).toEqual({ from: ELSEWHERE });
    expect(await from("a", true)).toEqual({ from: "127.0.0.1" });
    expect(await from("b")).toEqual({ from: ELSEWHERE });
    expect(await from(), "what is not counted leaves by the first").toEqual({ from: "127.0.0.1" });
    expect(own.heard).toEqual([]);
  });

  it("is never another one than the one that was said", async () => {
    await using service = await mirror();
    await using own = leaving({ name: "a" });
    await expect(own.transport.exchange(call(service, "b", true))).rejects.toThrow(/no address called b/);
    expect(service.requests).toEqual([]);
  });

  it("is a proxy, which sees where it leads to and nothing of what is said", async () => {
    await using service = await mirror();
    await using proxy = await testProxy({ from: hasElsewhere ? ELSEWHERE : "127.0.0.1" });
    await using own = leaving({ name: "p", address: proxy.address });
    const from = hasElsewhere ? ELSEWHERE : "127.0.0.1";
    for (const paid of [true, false, true])
      expect(await answerOf(own.transport.exchange(call(service, "p", paid)))).toEqual({ from });
    expect(new Set(proxy.tunnels)).toEqual(new Set([new URL(service.origin).host]));
    expect(service.requests.map(({ headers }) => headers["proxy-authorization"])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ["has another password", 200, (address: string) => address.replace(/:[^:@]*@/, ":another@")],
    ["cannot reach the service", 502, (address: string) => address],
    ["takes a connection and says nothing", 0, (address: string) => address],
    ["is not there", 200, () => NOWHERE],
  ])("sends nothing where a proxy %s, and says so, whatever it costs", async (_, status, addressOf) => {
    await using service = await mirror();
    await using proxy = await testProxy({ status });
    const address = addressOf(proxy.address);
    await using own = leaving({ name: "p", address }, { name: "a" });
    for (const paid of [true, false]) {
      const failure = await own.transport.exchange(call(service, "p", paid)).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Network);
      const told = JSON.stringify(failure, Object.getOwnPropertyNames(failure)) + String(failure);
      expect(told).not.toContain(new URL(proxy.address).password);
    }
    expect(service.requests).toEqual([]);
    expect(own.heard).toEqual(["p away"]);
    expect([own.transport.isAway("p"), own.transport.isAway("a")]).toEqual([true, false]);
  });

  it("is a proxy with TLS, named or known by its IP address alone, of which Node has nothing to say on the console", async () => {
    const warned: string[] = [];
    const hear = ({ message }: Error) => void warned.push(message);
    process.on("warning", hear);
    onTestFinished(() => void process.off("warning", hear));
    const hellos: Buffer[] = [];
    await using service = await mirror();
    const proxy = createServer((socket) => {
      socket
        .on("error", () => {})
        .once("data", (hello: Buffer) => {
          hellos.push(hello);
          socket.destroy();
        });
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    for (const host of ["127.0.0.1", "localhost"]) {
      await using own = leaving({ name: "p", address: `https://${host}:${port}` });
      await expect(own.transport.exchange(call(service, "p"))).rejects.toBeInstanceOf(Network);
    }
    // RFC 6066, section 3: a server name is never an address.
    expect(hellos.map((hello) => ["127.0.0.1", "localhost"].filter((name) => hello.includes(name)))).toEqual([
      [],
      ["localhost"],
    ]);
    expect(warned).toEqual([]);
  });

  it("leaves it unsure what became of what costs tokens where its proxy dies in the middle, and nothing else", async () => {
    const half = Promise.withResolvers<void>();
    await using service = await serve((request) => request.once("data", () => half.resolve()));
    await using proxy = await testProxy();
    await using own = leaving({ name: "p", address: proxy.address });
    const paid = own.transport.exchange({ ...call(service, "p", true) }).catch((error: unknown) => error);
    await half.promise;
    await proxy.die();
    expect(await paid).toBeInstanceOf(Unsure);
    // That one had left: nothing tells that others could not.
    expect(own.heard).toEqual([]);
    const later = own.transport.exchange(call(service, "p", true)).catch((error: unknown) => error);
    expect(await later).toBeInstanceOf(Network);
    expect(own.heard).toEqual(["p away"]);
  });

  it("leaves downloads to the first one that can be left by, and is back as soon as it answers", async () => {
    await using service = await serve(json({ done: true }));
    const { port } = new URL(service.origin);
    await service[Symbol.asyncDispose]();
    await using other = await serve(json({ done: true }));
    await using own = leaving({ name: "p", address: NOWHERE }, { name: "a" });
    const get = (egress?: string, at: Pick<TestServer, "baseUrl"> = other) =>
      answerOf(own.transport.exchange(call(at, egress)));
    // Of a host that nothing is counted at it is not known whether others could be reached.
    await expect(get()).rejects.toBeInstanceOf(Network);
    expect(own.heard).toEqual([]);
    await expect(get("p")).rejects.toBeInstanceOf(Network);
    expect(await get()).toEqual({ done: true });
    await expect(get("a", { baseUrl: `http://127.0.0.1:${port}` })).rejects.toBeInstanceOf(Network);
    expect(own.heard).toEqual(["p away", "a away"]);
    expect(await get("a")).toEqual({ done: true });
    expect(own.heard).toEqual(["p away", "a away", "a back"]);
  });
});
