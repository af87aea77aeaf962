import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { MediaRef } from "../src/seam/values.ts";
import { openDatabase } from "../src/infrastructure/storage/database.ts";
import { testCore } from "../test/support/core.ts";
import { temporaryFolder, testPicture } from "../test/support/sandbox.ts";
import { person } from "../test/support/surface.ts";
import { median, say, type Section, table } from "./support/report.ts";
import { startService } from "./support/service.ts";

const TURNS = 200;
const WARM_UP = 20;
const PEOPLE = 20;

/** Something that is done again and again. */
interface Repeated extends AsyncDisposable {
  run(index: number): Promise<void>;
}

/** One insert that is on disk when it returns: what a turn cannot do without. */
async function durableInsert(): Promise<Repeated> {
  const database = await openDatabase(join(temporaryFolder(), "bound.db"));
  return {
    async run(index) {
      await database.kysely
        .insertInto("lessons")
        .values({
          service: "bound",
          operation: "bound",
          size: String(index),
          price: 1,
          mean_ms: 1,
          spread_ms: 1,
          count: 1,
        })
        .execute();
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

/** One request over loopback to a server that does nothing: what any front end pays before the core begins. */
async function bareRequest(): Promise<Repeated> {
  const server = createServer((_, response) => response.end("{}")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    async run() {
      await (await fetch(`http://127.0.0.1:${port}`)).text();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Keeps photos that look the same and are other files each: to digests they are others. */
async function photoKeeper(): Promise<(name: string) => Promise<MediaRef>> {
  const folder = temporaryFolder();
  const photo = Buffer.from(await testPicture(), "base64");
  return async (name) => {
    const id = join(folder, `${name}.jpg`);
    await writeFile(id, Buffer.concat([photo, Buffer.from(name)]));
    return { surface: "web", id };
  };
}

/** Milliseconds that some work takes. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** What the core adds to one turn of a chat. */
export async function turn(): Promise<Section> {
  say(`  ${WARM_UP + TURNS} turns`);
  await using service = await startService({ timeScale: 1, people: 0 });
  await using core = await testCore(service, { timeScale: 1, sharedKey: service.keys.boss });
  await using insert = await durableInsert();
  await using request = await bareRequest();
  const { surface } = core;
  const photo = await photoKeeper();
  const seen = await photo("seen");

  let asked = 0;
  /** Milliseconds of one turn. */
  async function turnWith(image: MediaRef): Promise<{ accepted: number; shown: number }> {
    const prompt = `order ${asked++}`;
    const who = person(`${asked % PEOPLE}`);
    const accepted = await timed(() => surface.intake.command(who, "video", { image, prompt }));
    const shown = await timed(() => surface.until(() => surface.messages.length >= asked));
    return { accepted, shown: accepted + shown };
  }

  const times: Record<"accepted" | "shown" | "acceptedNew" | "shownNew" | "insert" | "request", number>[] =
    [];
  for (let index = 0; index < WARM_UP + TURNS; index++) {
    const other = await photo(`new ${index}`);
    const { accepted, shown } = await turnWith(seen);
    const { accepted: acceptedNew, shown: shownNew } = await turnWith(other);
    times.push({
      accepted,
      shown,
      acceptedNew,
      shownNew,
      // Beside each turn, so that whatever else the machine does falls on all of them.
      insert: await timed(() => insert.run(index)),
      request: await timed(() => request.run(index)),
    });
  }

  const middle = (what: keyof (typeof times)[number]) => median(times.slice(WARM_UP).map((one) => one[what]));
  const row = (name: string, ms: number) => [
    name,
    `${ms.toFixed(2)} ms`,
    `${(ms / middle("insert")).toFixed(1)} x`,
    `${(ms / middle("request")).toFixed(1)} x`,
  ];
  const rows = [
    row("command to job on disk", middle("accepted")),
    row("command to first progress posted", middle("shown")),
    row("a picture never seen: command to job on disk", middle("acceptedNew")),
    row("a picture never seen: command to first progress posted", middle("shownNew")),
    row("one durable insert", middle("insert")),
    row("one bare request", middle("request")),
  ];
  const text = `From the command ("a photo, a line, video") to the job on disk, and to the first view of its progress posted on a
platform in memory: the median of ${TURNS} turns of ${PEOPLE} people, one after another, while the core submits and polls
earlier jobs at a sandbox on loopback. The balance was read within the last minute, as it mostly is. What the photo looks like
is known, as it is on every front end that looks at photos when they come, and for "Again"; the rows of one that was never seen
are of as many turns in between, in which a decoder's process looks into it first. The bounds, taken beside each turn: one
insert into SQLite that is on disk when it returns, and one request over loopback to a server that does nothing.

${table(["", "median", "durable inserts", "bare requests"], rows)}`;
  return { title: "Core time of a chat turn", text };
}
