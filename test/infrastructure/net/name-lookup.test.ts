import { createSocket } from "node:dgram";
import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { nameLookup } from "../../../src/infrastructure/net/name-lookup.ts";

const ADDRESS = "93.184.216.34";
const ADDRESS_6 = "2606:4700::1111";
const A = 1;
const AAAA = 28;
/** That an answer follows, and that there is none (RFC 1035, section 4.1.1). */
const FLAGS = { answer: 0x8180, unknown: 0x8183 } as const;

/** What a server of names knows: one name has an IPv4 address, another one an IPv6 address. */
const KNOWN = [
  { name: "known", type: A, bytes: ADDRESS.split(".").map(Number) },
  { name: "six", type: AAAA, bytes: [0x26, 0x06, 0x47, 0, ...Array<number>(10).fill(0), 0x11, 0x11] },
];

/** A server of names that knows those, and is silent about `silent.example`. */
async function nameServer() {
  const socket = createSocket("udp4");
  let silences = 0;
  socket.on("message", (question, { port, address }) => {
    const name = question.toString("latin1", 13);
    if (name.startsWith("silent")) {
      silences += 1;
      return;
    }
    const end = question.indexOf(0, 12) + 5;
    const type = question.readUInt16BE(end - 4);
    const known = KNOWN.find((one) => name.startsWith(one.name) && one.type === type);
    const answer = Buffer.from(question.subarray(0, end));
    answer.writeUInt16BE(known ? FLAGS.answer : FLAGS.unknown, 2);
    answer.writeUInt16BE(known ? 1 : 0, 6);
    // Nothing of what clients say of themselves is repeated.
    answer.writeUInt32BE(0, 8);
    const record = known ? [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, known.bytes.length, ...known.bytes] : [];
    socket.send(Buffer.concat([answer, Buffer.from(record)]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    silences: () => silences,
    servers: [`127.0.0.1:${socket.address().port}`],
    [Symbol.dispose]: () => void socket.close(),
  };
}

function ask(lookup: ReturnType<typeof nameLookup>, hostname: string): Promise<string | LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });
}

describe("a name that somebody gave us", () => {
  it("is looked up at servers of names, whatever the system knows", async () => {
    using server = await nameServer();
    const lookup = nameLookup({ servers: server.servers });
    expect(await ask(lookup, "known.example")).toEqual([{ address: ADDRESS, family: 4 }]);
    expect(await ask(lookup, "six.example")).toEqual([{ address: ADDRESS_6, family: 6 }]);
    await expect(ask(lookup, "other.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
    await expect(ask(lookup, "localhost")).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  it("is given up when its servers are silent, however many are", async () => {
    using server = await nameServer();
    // So long that what is answered is, on a machine that stands still for a moment, too.
    const lookup = nameLookup({ servers: server.servers, timeoutMs: 500 });
    const silent = Array.from({ length: 50 }, () => ask(lookup, "silent.example"));
    expect(await ask(lookup, "known.example")).toHaveLength(1);
    for (const { status } of await Promise.allSettled(silent)) expect(status).toBe("rejected");
  });

  it("is asked for twice, of either kind", async () => {
    using server = await nameServer();
    const lookup = nameLookup({ servers: server.servers, timeoutMs: 100 });
    await expect(ask(lookup, "silent.example")).rejects.toMatchObject({ code: "ETIMEOUT" });
    expect(server.silences()).toBe(4);
  });
});
