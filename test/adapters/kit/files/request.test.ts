import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { ask } from "../../../../adapters/kit/files/request.ts";

/** A platform's server on loopback. */
async function platform(listener: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const server = createServer((request, response) => void listener(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  let connections = 0;
  server.on("connection", () => (connections += 1));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => void server.close(closed));
    },
  };
}

describe("a request to a platform", () => {
  it("is sent as JSON where it says something, and asks where it does not", async () => {
    await using server = await platform(async (request, response) => {
      const { method, headers } = request;
      const said = method === "POST" ? await json(request) : undefined;
      response.end(JSON.stringify({ method, type: headers["content-type"], said }));
    });
    const post = await ask(server.url, { json: '{"text":"hello"}' });
    const told = JSON.parse(await post.body.text()) as unknown;
    expect(told).toEqual({ method: "POST", type: "application/json", said: { text: "hello" } });
    expect(JSON.parse(await (await ask(server.url)).body.text())).toEqual({ method: "GET" });
  });

  it("takes the connection of one before", async () => {
    await using server = await platform((_, response) => response.end("yes"));
    for (let nth = 0; nth < 5; nth++) expect(await (await ask(server.url)).body.text()).toBe("yes");
    expect(server.connections()).toBeLessThan(5);
  });

  it("waits behind no other that is still under way", async () => {
    let held: (() => void) | undefined;
    await using server = await platform((request, response) => {
      if (request.url === "/held") held = () => void response.end("late");
      else response.end("at once");
    });
    const late = ask(`${server.url}/held`);
    expect(await (await ask(server.url)).body.text()).toBe("at once");
    await expect.poll(() => held).toBeDefined();
    held?.();
    expect(await (await late).body.text()).toBe("late");
  });

  it("goes nowhere else than it was sent to", async () => {
    await using server = await platform((_, response) =>
      response.writeHead(302, { location: "/elsewhere" }).end(),
    );
    const answer = await ask(server.url);
    expect(answer).toMatchObject({ status: 302, headers: { location: "/elsewhere" } });
    await answer.body.dump();
  });

  it("ends by its signal, also while its answer is read", async () => {
    await using server = await platform((_, response) => response.write("half"));
    const end = new AbortController();
    const { body } = await ask(server.url, { signal: end.signal });
    const text = body.text();
    end.abort(new Error("enough"));
    await expect(text).rejects.toThrow("enough");
    await expect(ask(server.url, { signal: end.signal })).rejects.toThrow("enough");
  });

  it("fails where its answer breaks off", async () => {
    await using server = await platform((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half");
      setImmediate(() => response.destroy());
    });
    const reading = async () => (await ask(server.url)).body.text();
    await expect(reading()).rejects.toThrow(/terminated|closed/);
  });
});
