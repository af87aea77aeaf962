import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { ask, askForText } from "../../../../adapters/kit/files/request.ts";

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

  it.each([
    ["before it answers", ""],
    ["in its answer", "half"],
  ])("fails where its server says nothing for longer than it may, %s", async (_when, said) => {
    await using server = await platform((_, response) => said && response.write(said));
    const reading = async () => (await ask(server.url, { silenceMs: 50 })).body.text();
    await expect(reading()).rejects.toThrow(/Timeout/);
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

describe("a request whose answer is a few words", () => {
  it("gathers them, whatever they mean, over connections of those before", async () => {
    await using server = await platform(async (request, response) => {
      response.writeHead(request.url === "/away?now" ? 503 : 200);
      response.write(JSON.stringify([request.method, request.headers.authorization]));
      response.end("é");
    });
    const { url } = server;
    const post = await askForText(url, { json: "{}", authorization: "Bearer it" });
    expect(post).toEqual({ status: 200, text: '["POST","Bearer it"]é' });
    for (let nth = 0; nth < 4; nth++)
      expect(await askForText(`${url}/away?now`)).toEqual({ status: 503, text: '["GET",null]é' });
    expect(server.connections()).toBeLessThan(5);
  });

  it("ends by its signal: before it is sent, before it is answered, while its answer comes", async () => {
    let asked = 0;
    await using server = await platform((request, response) => {
      asked += 1;
      if (request.url === "/half") response.write("half");
    });
    const ended = AbortSignal.abort(new Error("before"));
    await expect(askForText(server.url, { signal: ended })).rejects.toThrow("before");
    expect(asked).toBe(0);
    for (const path of ["/none", "/half"]) {
      const end = new AbortController();
      const text = askForText(server.url + path, { signal: end.signal });
      await expect.poll(() => asked).toBe(path === "/none" ? 1 : 2);
      end.abort(new Error("enough"));
      await expect(text).rejects.toThrow("enough");
    }
  });

  it("ends at once by its signal where it does not even reach the server", async () => {
    await using server = await platform(() => {});
    const end = new AbortController();
    const text = askForText(server.url, { signal: end.signal });
    end.abort(new Error("at once"));
    await expect(text).rejects.toThrow("at once");
  });

  it("fails where its answer breaks off, and where nobody answers", async () => {
    await using server = await platform((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half");
      setImmediate(() => response.destroy());
    });
    await expect(askForText(server.url)).rejects.toThrow(/terminated|closed/);
    await expect(askForText("http://127.0.0.1:1")).rejects.toThrow("ECONNREFUSED");
  });
});
