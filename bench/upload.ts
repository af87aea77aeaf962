import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { base64Length } from "../src/infrastructure/api/transport/base64.ts";
import { temporaryFolder } from "../test/support/sandbox.ts";
import { median, percent, say, type Section, table } from "./support/report.ts";
import type { UploadTask, Way } from "./support/upload-process.ts";

const MIB = 1024 * 1024;
const FILE_BYTES = 64 * MIB;
const RUNS = 5;

const WAYS: readonly { readonly way: Way; readonly name: string }[] = [
  { way: "streamed", name: "Reelay's client" },
  { way: "whole", name: "JSON.stringify and fetch" },
];

/** Counts what it is sent, and forgets it. */
async function discardingServer() {
  const received = { bytes: 0 };
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => (received.bytes += chunk.length));
    request.on("end", () => response.end('{"job_id":"a","status":"submitted"}'));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { received, baseUrl: `http://127.0.0.1:${port}/api`, close: () => server.close() };
}

/** Sends in a process of its own; how far its memory grew, in bytes. */
async function growth(task: UploadTask): Promise<number> {
  const child = fork(new URL("support/upload-process.ts", import.meta.url), [JSON.stringify(task)]);
  const exited = once(child, "exit");
  const [bytes]: number[] = await once(child, "message");
  await exited;
  return bytes ?? Number.NaN;
}

/** How far memory grows while a large picture is sent. */
export async function upload(): Promise<Section> {
  const [small, large] = ["small", "large"].map((name) => join(temporaryFolder(), name)) as [string, string];
  await writeFile(small, Buffer.alloc(MIB / 16, 7));
  await writeFile(large, Buffer.alloc(FILE_BYTES, 7));
  const server = await discardingServer();
  const grown: number[] = [];
  for (const { way, name } of WAYS) {
    say(`  ${name}`);
    const runs: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      server.received.bytes = 0;
      runs.push(await growth({ way, baseUrl: server.baseUrl, small, large }));
      if (server.received.bytes < base64Length(FILE_BYTES)) throw new Error("The upload was not whole.");
    }
    grown.push(median(runs));
  }
  server.close();
  const least = Math.min(...grown);
  const rows = WAYS.map(({ name }, index) => {
    const bytes = grown[index] ?? Number.NaN;
    return [
      name,
      `${(bytes / MIB).toFixed(0)} MiB`,
      percent(bytes / FILE_BYTES),
      `${(bytes / least).toFixed(1)} x`,
    ];
  });
  const text = `A file of ${FILE_BYTES / MIB} MiB is sent as base64 in a JSON body (${(base64Length(FILE_BYTES) / MIB).toFixed(0)} MiB) to a server that counts and forgets it. Each
upload runs in a process of its own, after a small one that loads what sending needs; growth is the largest resident
size, looked at every millisecond, less what was resident before; the median of ${RUNS} runs.

${table(["", "growth", "of the file", "ratio"], rows)}`;
  return { title: `Memory of a ${FILE_BYTES / MIB} MiB upload`, text };
}
