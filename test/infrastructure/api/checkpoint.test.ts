import { channel } from "node:diagnostics_channel";
import { Readable, Writable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { type Checkpoint, Network, type MediaApi } from "../../../src/infrastructure/api/media-api.ts";
import { CheckedBody } from "../../../src/infrastructure/api/transport/checked-body.ts";
import { client, file, PICTURE } from "./client.ts";
import { json, keeping, serve } from "./server.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const ACCEPTED = { job_id: "a", status: "submitted" };

const FORMS = [
  ["in JSON", (api: MediaApi) => api.generateVideo({ image_base64: file(PICTURE), prompt: "slow zoom" })],
  [
    "as a form",
    (api: MediaApi) =>
      api.generateVid3({ images: [file(PICTURE)], prompt: "slow zoom" }, { as: "multipart" }),
  ],
] as const;

class Late extends Error {}

/** Refuses at one of its places. */
function refusing(at: "first" | "last"): Checkpoint {
  return (before) => {
    if (before === at) throw new Late();
  };
}

describe("a submission's checkpoint", () => {
  it.each(FORMS)("lets it through whole %s, asked at both ends", async (_form, submit) => {
    const bodies: Buffer[] = [];
    await using server = await serve(keeping(bodies, ACCEPTED));
    await using plain = client(server.baseUrl);
    const asked: string[] = [];
    await using checked = client(server.baseUrl, { checkpoint: (before) => void asked.push(before) });
    for (const { api } of [plain, checked]) await submit(api);
    expect(asked).toEqual(["first", "last"]);
    // A form's boundary differs each time.
    expect(bodies[1]?.length).toBe(bodies[0]?.length);
    const lengths = server.requests.map(({ headers }) => Number(headers["content-length"]));
    expect(lengths).toEqual(bodies.map(({ length }) => length));
  });

  it.each(FORMS)("that refuses at once lets nothing arrive %s", async (_form, submit) => {
    await using server = await serve(json(ACCEPTED));
    await using used = client(server.baseUrl, { checkpoint: refusing("first") });
    await expect(submit(used.api)).rejects.toThrow(Late);
    expect(server.requests).toEqual([]);
  });

  it.each(FORMS)(
    "that refuses the last byte leaves a request that is never whole %s",
    async (_form, submit) => {
      let ended = false;
      let received = 0;
      const closed = Promise.withResolvers<void>();
      await using server = await serve((request) => {
        request.on("data", ({ length }: Buffer) => (received += length)).on("end", () => (ended = true));
        request.on("error", () => {}).on("close", () => closed.resolve());
      });
      await using used = client(server.baseUrl, { checkpoint: refusing("last") });
      await expect(submit(used.api)).rejects.toThrow(Late);
      await closed.promise;
      expect(received).toBe(Number(server.requests[0]?.headers["content-length"]) - 1);
      expect(ended).toBe(false);
    },
  );

  it("comes when the kernel has taken all other bytes", async () => {
    const taken: (() => void)[] = [];
    const socket = new Writable({ write: (_chunk, _encoding, done) => void taken.push(done) });
    const asked: string[] = [];
    using body = new CheckedBody(Readable.from([PICTURE]), PICTURE.length, "request-1", (before) => {
      asked.push(before);
    });
    channel("undici:client:sendHeaders").publish({ headers: "x-request-id: request-2\r\n", socket: null });
    channel("undici:client:sendHeaders").publish({ headers: "x-request-id: request-1\r\n", socket });
    const chunks = body[Symbol.asyncIterator]();
    socket.write((await chunks.next()).value);
    const last = chunks.next();
    await vi.waitFor(() => expect(socket.writableLength).toBeGreaterThan(0), PATIENCE_MS);
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(["first"]);
    // The request's bytes, and then the empty write that comes after them.
    taken.shift()?.();
    await vi.waitFor(() => expect(taken).toHaveLength(1), PATIENCE_MS);
    taken.shift()?.();
    expect((await last).value).toEqual(PICTURE.subarray(-1));
    expect(asked).toEqual(["first", "last"]);
  });

  it("may take its time, and a connection that breaks meanwhile is no whole request either", async () => {
    const broken = Promise.withResolvers<void>();
    await using server = await serve((request) => {
      request.on("error", () => broken.resolve());
      request.once("data", () => request.socket.resetAndDestroy());
    });
    await using used = client(server.baseUrl, {
      checkpoint: async (before) => {
        if (before === "last") await broken.promise;
      },
    });
    // It had begun to leave: whether it was accepted is for others to find out.
    await expect(FORMS[0][1](used.api)).rejects.toMatchObject({ code: "unsure" });
  });

  it("is not asked where no connection stands", async () => {
    const asked: string[] = [];
    await using used = client("http://127.0.0.1:1/api", { checkpoint: (before) => void asked.push(before) });
    await expect(FORMS[0][1](used.api)).rejects.toThrow(Network);
    expect(asked).toEqual([]);
  });
});
