import type { RequestListener } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { transportOf } from "../../../src/app/egress/open.ts";
import { EgressReturns } from "../../../src/app/egress/returns.ts";
import { MediaApi } from "../../../src/infrastructure/api/media-api.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { answer, json, refusal, serve } from "../../infrastructure/api/server.ts";

const page = answer(200, "<html>sign in</html>", { "content-type": "text/html" });

/** A service, and a proxy that answers in its place. It is no other address, so that what answers tells them apart by the agent. */
async function world(inItsPlace: RequestListener, names = ["good", "bad"]) {
  const lines: string[] = [];
  const log = makeLogger({ level: "info", destination: { write: (line) => void lines.push(line) } });
  let isBad = true;
  let by = "";
  const service = await serve((request, response) => {
    const known = request.headers["x-api-key"] === "a-key-of-mine";
    if (by === "bad" && isBad) return inItsPlace(request, response);
    return (known ? json({ jobs: [], tokens: 5 }) : refusal(401, "Missing API key"))(request, response);
  });
  const transport = transportOf(
    { apiUrl: service.baseUrl, egresses: names.map((name) => ({ name })) },
    {},
    log,
  );
  const exchange = transport.exchange.bind(transport);
  transport.exchange = (call) => ((by = call.egress ?? ""), exchange(call));
  onTestFinished(async () => {
    await transport.close();
    await service[Symbol.asyncDispose]();
  });
  const listBy = (egress: string) =>
    new MediaApi({
      baseUrl: service.baseUrl,
      key: "a-key-of-mine",
      transport,
      gate: (_call, send) => send(egress),
      retry: { attempts: 1 },
    })
      .jobs()
      .then(
        () => "answered",
        () => "failed",
      );
  const clock = { now: 0 };
  const returns = new EgressReturns({ transport, apiUrl: service.baseUrl, now: () => clock.now });
  return { lines, transport, listBy, returns, clock, mend: () => void (isBad = false) };
}

describe("an address by which something answers that is not the service", () => {
  it.each<readonly [string, RequestListener]>([
    ["a page", page],
    ["a page that says no", answer(403, "<html>no</html>")],
    ["JSON of its own", json({ status: "ok" })],
    ["a gateway's JSON", json({ message: "bad gateway" }, 502)],
  ])("is passed over by its name, until the service speaks there: %s", async (_, inItsPlace) => {
    const { lines, transport, listBy, returns, clock, mend } = await world(inItsPlace);
    expect(await listBy("good")).toBe("answered");
    expect(await listBy("bad")).toBe("failed");
    expect([transport.isAway("good"), transport.isAway("bad")]).toEqual([false, true]);
    const told = () =>
      lines.map((line) => JSON.parse(line) as { egress: string; level: string; msg: string });
    expect(told()).toMatchObject([
      { egress: "bad", level: "warn", msg: expect.stringContaining("not the service") },
    ]);
    expect(lines.join("")).not.toContain("a-key-of-mine");
    for (; clock.now < 20_000; clock.now += 1_000) await returns.look();
    expect(transport.isAway("bad")).toBe(true);
    expect(told(), "it is said once").toHaveLength(1);
    mend();
    for (; transport.isAway("bad") && clock.now < 80_000; clock.now += 1_000) await returns.look();
    expect(transport.isAway("bad")).toBe(false);
    expect(told()[1]).toMatchObject({ egress: "bad", level: "info" });
  });

  it.each<readonly [string, RequestListener]>([
    ["an error of the service's own", refusal(500, "Something broke")],
    ["that it is to be asked less", answer(429, "<html>slow down</html>")],
    [
      "an answer that breaks off",
      (_request, response) => void response.writeHead(200).write("{", () => response.destroy()),
    ],
  ])("is not seen by %s", async (_, step) => {
    const { transport, listBy, lines } = await world(step);
    expect(await listBy("bad")).toBe("failed");
    expect(transport.isAway("bad")).toBe(false);
    expect(lines).toEqual([]);
  });

  it("stays where there is no other", async () => {
    const { transport, listBy } = await world(page, ["bad"]);
    expect(await listBy("bad")).toBe("failed");
    expect(transport.isAway("bad")).toBe(false);
  });
});
