import { describe, expect, it, onTestFinished } from "vitest";
import { EgressReturns } from "../../../src/app/egress/returns.ts";
import { Transport } from "../../../src/infrastructure/api/media-api.ts";
import { hang, refusal, serve, type TestServer } from "../../infrastructure/api/server.ts";
import { eventually } from "../../support/eventually.ts";
import { testProxy } from "../../support/proxy.ts";

const SECOND = 1_000;

/** Addresses by which something left once, and a clock that stands still. */
async function leavingBy(service: TestServer, ...addresses: readonly string[]) {
  const clock = { now: 0 };
  const heard: string[] = [];
  const transport = new Transport({
    connectTimeoutMs: 2 * SECOND,
    egresses: addresses.map((address, place) => ({ name: `p${place}`, address })),
    onEgress: (name, failure) => heard.push(`${name} ${failure ? "away" : "back"}`),
  });
  onTestFinished(() => transport.close());
  const url = new URL(`${service.baseUrl}/job/1`);
  for (const { name } of transport.egresses)
    await transport.exchange({ method: "GET", url, paid: false, egress: name }).then(
      ({ body }) => body.destroy(),
      () => undefined,
    );
  const returns = new EgressReturns({ transport, apiUrl: service.baseUrl, now: () => clock.now });
  return { transport, returns, clock, heard };
}

describe("an address that could not be left by", () => {
  it("is tried now and then where nobody makes anything, with longer and longer pauses and without a key", async () => {
    await using service = await serve(refusal(401, "Missing API key"));
    await using proxy = await testProxy({ status: 503 });
    await using good = await testProxy();
    const { returns, clock, transport } = await leavingBy(service, proxy.address, good.address);
    expect(transport.isAway("p0")).toBe(true);
    const before = service.requests.length;
    const tries: number[] = [];
    for (; clock.now <= 130 * SECOND; clock.now += SECOND) {
      const refused = proxy.refused.length;
      await returns.look();
      if (proxy.refused.length > refused) tries.push(clock.now / SECOND);
    }
    expect(tries).toEqual([1, 3, 7, 15, 31, 61, 91, 121]);
    expect(service.requests, "nothing is asked by what is there").toHaveLength(before);
  });

  it("is back without anybody's request, by one that has no key", async () => {
    await using service = await serve(refusal(401, "Missing API key"));
    const proxy = await testProxy();
    await proxy.die();
    const { returns, clock, transport, heard } = await leavingBy(service, proxy.address);
    expect(heard).toEqual(["p0 away"]);
    await using again = await testProxy({ port: Number(new URL(proxy.address).port) });
    for (; transport.isAway("p0") && clock.now <= 10 * SECOND; clock.now += SECOND) await returns.look();
    expect(heard).toEqual(["p0 away", "p0 back"]);
    expect(again.tunnels).toHaveLength(1);
    expect(service.requests).toMatchObject([{ method: "GET", path: "/api/user/balance" }]);
    expect(service.requests[0]?.headers).not.toHaveProperty("x-api-key");
    for (; clock.now <= 100 * SECOND; clock.now += SECOND) await returns.look();
    expect(service.requests).toHaveLength(1);
  });

  it("is asked by no more once that is stopped, also in the middle of an answer", async () => {
    await using service = await serve(hang);
    const proxy = await testProxy();
    await proxy.die();
    const { returns, clock, transport } = await leavingBy(service, proxy.address);
    await using again = await testProxy({ port: Number(new URL(proxy.address).port) });
    clock.now = SECOND;
    await returns.look();
    clock.now = 2 * SECOND;
    returns.start();
    await eventually(() => expect(service.requests).toHaveLength(1));
    await returns.stop();
    clock.now = 1_000 * SECOND;
    expect(transport.isAway("p0")).toBe(true);
    expect([service.requests, again.tunnels]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });
});
