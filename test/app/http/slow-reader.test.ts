import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createServer } from "../../../src/app/server.ts";
import { sleep } from "../../../src/common/time.ts";

const STALLED_MS = 100;
const CHUNK = Buffer.alloc(65_536);

/** A server whose answers have no end, or hold silence. */
async function harness() {
  const server = createServer(async () => [], { stalledMs: STALLED_MS });
  const given = { bytes: 0, isOver: false };
  const endless = async function* () {
    try {
      for (;;) {
        given.bytes += CHUNK.length;
        yield CHUNK;
      }
    } finally {
      given.isOver = true;
    }
  };
  const silence = Promise.withResolvers<void>();
  server.routes.get("/endless", (c) =>
    c.body(Readable.toWeb(Readable.from(endless(), { objectMode: false })) as ReadableStream<Uint8Array>),
  );
  server.routes.get("/silent", async (c) => {
    await silence.promise;
    return c.text("at last");
  });
  const url = new URL(await server.listen("127.0.0.1", 0));
  return {
    given,
    speak: () => silence.resolve(),
    /** A client that reads nothing until it is told to. */
    call(path: string) {
      const socket = connect(Number(url.port), url.hostname);
      // Being cut off in the middle of an answer is an error to a client.
      socket.on("error", () => {});
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
      return socket;
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

describe("a client of the server", () => {
  it("is cut off when it takes nothing of its answer any more", async () => {
    await using at = await harness();
    const socket = at.call("/endless");
    await once(socket, "connect");
    await expect.poll(() => at.given.bytes).toBeGreaterThan(0);
    // Only what the system holds for it is given away. The end is seen by reading on, but only once it is there: whoever reads goes on.
    await expect.poll(() => at.given.isOver).toBe(true);
    const given = at.given.bytes;
    socket.resume();
    await once(socket, "close");
    expect(at.given.bytes).toBeLessThan(given + 10 * CHUNK.length);
  });

  it("may take it slowly", async () => {
    await using at = await harness();
    const socket = at.call("/endless");
    let closed = false;
    socket.once("close", () => (closed = true));
    let read = 0;
    for (let n = 0; n < 20; n++) {
      await once(socket, "readable");
      while (socket.read() !== null) read += 1;
      await sleep(STALLED_MS / 4);
    }
    expect(read).toBeGreaterThan(0);
    expect(closed).toBe(false);
    socket.destroy();
  });

  it("may wait for an answer that has nothing to say yet", async () => {
    await using at = await harness();
    const socket = at.call("/silent");
    await sleep(5 * STALLED_MS);
    at.speak();
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(String(answer)).toContain("at last");
    socket.destroy();
  });
});
