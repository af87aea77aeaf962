import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { openDatabase } from "../src/storage/database.ts";
import { testCore } from "../test/support/core.ts";
import { temporaryFolder, testPicture } from "../test/support/sandbox.ts";
import { person } from "../test/support/surface.ts";
import { median, say, type Section, table } from "./support/report.ts";
import { startService } from "./support/service.ts";

const TURNS = 200;
const WARM_UP = 20;
const PEOPLE = 20;

/** Milliseconds of each call, in turn, without those that warm up. */
async function timed(call: (index: number) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + TURNS; index++) {
    const start = performance.now();
    await call(index);
    times.push(performance.now() - start);
  }
  return times.slice(WARM_UP);
}

/** One insert that is on disk when it returns: what a turn cannot do without. */
async function durableInserts(): Promise<number> {
  const database = await openDatabase(join(temporaryFolder(), "bound.db"));
  const insert = (index: number) =>
    database.kysely
      .insertInto("experience")
      .values({ operation: "bound", size: String(index), price: 1, mean_ms: 1, spread_ms: 1, count: 1 })
      .execute();
  const times = await timed(async (index) => void (await insert(index)));
  await database.close();
  return median(times);
}

/** One request over loopback to a server that does nothing: what any front end pays before the core begins. */
async function bareRequests(): Promise<number> {
  const server = createServer((_, response) => response.end("{}")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const times = await timed(async () => void (await (await fetch(`http://127.0.0.1:${port}`)).text()));
  server.closeAllConnections();
  server.close();
  return median(times);
}

/** Commands of several people, one after another: until the job is on disk, and until its first view is posted. */
async function turns(): Promise<{ accepted: number; shown: number }> {
  await using service = await startService({ timeScale: 1, people: 0 });
  await using core = await testCore(service, { timeScale: 1, sharedKey: service.keys.boss });
  const { surface } = core;
  const image = { surface: "web", id: join(temporaryFolder(), "photo.jpg") } as const;
  await writeFile(image.id, Buffer.from(await testPicture(), "base64"));
  const accepted: number[] = [];
  const shown = await timed(async (index) => {
    const start = performance.now();
    const prompt = `order ${index}`;
    await surface.intake.command(person(`${index % PEOPLE}`), "video", { image, prompt });
    accepted.push(performance.now() - start);
    await surface.until(() => surface.messages.length > index);
  });
  return { accepted: median(accepted.slice(WARM_UP)), shown: median(shown) };
}

/** What the core adds to one turn of a chat. */
export async function turn(): Promise<Section> {
  say(`  ${WARM_UP + TURNS} of each`);
  const insert = await durableInserts();
  const request = await bareRequests();
  const { accepted, shown } = await turns();
  const row = (name: string, ms: number) => [
    name,
    `${ms.toFixed(2)} ms`,
    `${(ms / insert).toFixed(1)} x`,
    `${(ms / request).toFixed(1)} x`,
  ];
  const text = `From the command ("a photo, a line, video") to the job on disk, and to the first view of its progress posted on a
platform in memory; the median of ${TURNS} turns of ${PEOPLE} people, one after another, while the core submits and
polls the earlier ones at a sandbox on loopback. The balance was read within the last minute, as it mostly is. The
bounds: one durable insert into SQLite (WAL, synchronous = FULL), and one request over loopback to a server that does nothing.

${table(
  ["", "median", "durable inserts", "bare requests"],
  [
    row("command to job on disk", accepted),
    row("command to first progress posted", shown),
    row("one durable insert", insert),
    row("one bare request", request),
  ],
)}`;
  return { title: "Core time of a chat turn", text };
}
