import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { Surfaces } from "../../../src/seam/surface/surfaces.ts";

/** A neighbour in the operator's own network. */
async function neighbour() {
  const server = createServer((_request, response) => response.end("a picture"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.dispose]: () => void server.close() };
}

describe("a picture given as an address", () => {
  it("is fetched from a neighbour that the operator named, on any platform", async () => {
    using host = await neighbour();
    const surfaces = new Surfaces([], [`127.0.0.1:${host.port}`]);
    const stream = await surfaces.openMedia({
      surface: "cli",
      id: `http://127.0.0.1:${host.port}/photo.jpg`,
    });
    expect(await text(stream)).toBe("a picture");
  });

  it("is refused from every other private host, and over plain http", async () => {
    using host = await neighbour();
    const surfaces = new Surfaces([], []);
    for (const id of [`http://127.0.0.1:${host.port}/`, "https://127.0.0.1/", "http://example.com/photo.jpg"])
      await expect(surfaces.openMedia({ surface: "cli", id })).rejects.toMatchObject({ code: "url_refused" });
  });

  it("any other picture is its platform's own; one of a platform that is not connected cannot be opened", async () => {
    const surfaces = new Surfaces([], []);
    await expect(surfaces.openMedia({ surface: "cli", id: "/photo.jpg" })).rejects.toMatchObject({
      code: "undeliverable",
    });
  });
});
