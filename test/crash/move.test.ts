import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { integer, sample } from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/app/config.ts";
import { openStore } from "../../src/app/data-folder.ts";
import type { Database } from "../../src/infrastructure/storage/database.ts";
import { openDatabase } from "../../src/infrastructure/storage/database.ts";
import { markOf } from "../../src/infrastructure/storage/moving/in-charge.ts";
import { connectPostgres } from "../../src/infrastructure/storage/postgres/connect.ts";
import { everyRowOf, fill } from "../support/moved.ts";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/sandbox.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const CHILD = fileURLToPath(new URL("../support/move-child.ts", import.meta.url));

/** How often a move says how far it is: of each table twice, when all has arrived, and when the other side is in charge. */
const SAID = 2 * 24 + 2;

type Direction = "to" | "back";

/** An installation, and the database that it is moved to and back from. */
interface Home {
  readonly data: string;
  readonly address: string;
}

/** @returns whether it was killed, in the end */
async function runMove({ data, address }: Home, direction: Direction, killAt: number): Promise<boolean> {
  const child = spawn(process.execPath, [CHILD, data, address, direction, String(killAt)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code, signal] = await once(child, "exit");
  if (signal === "SIGKILL") return true;
  if (code !== 0) throw new Error(said);
  return false;
}

const settingsOf = ({ data, address }: Home) =>
  [{ REELAY_DATA: data }, { REELAY_DATA: data, REELAY_STORE: address }].map((env) => readConfig(env));

async function reading<T>(opening: Promise<Database>, read: (database: Database) => Promise<T>): Promise<T> {
  const database = await opening;
  try {
    return await read(database);
  } finally {
    await database.close();
  }
}

/** Which side is in charge, by what both say, and all that it holds. */
async function inCharge({ data, address }: Home) {
  const store = readConfig({ REELAY_DATA: data }).store;
  const looks = { sqlite: () => openDatabase(store), postgres: () => connectPostgres(address) };
  const sides = [];
  for (const [name, open] of Object.entries(looks))
    sides.push({ name, open, mark: await reading(open(), markOf) });
  // Who has handed over has done so to the other one; where something was arriving before that, it is not in charge yet.
  const left = sides.find(({ mark }) => mark?.state === "moved");
  const holding = sides.filter(
    (one) => one !== left && (one.mark?.state !== "arriving" || one.mark.move === left?.mark?.move),
  );
  // Nothing has ever arrived in the database, which nothing has come from either.
  if (holding.length > 1) holding.pop();
  expect(holding).toHaveLength(1);
  const [side] = holding;
  return { name: side?.name, rows: side && (await reading(side.open(), everyRowOf)) };
}

/** On how many sides Reelay starts. */
async function starts(home: Home): Promise<number> {
  let count = 0;
  for (const settings of settingsOf(home))
    count += await openStore(settings).then(
      async (database) => {
        await database.close();
        return 1;
      },
      () => 0,
    );
  return count;
}

/** Each run tries other points; CRASH_SEED repeats those of a run that failed. */
const first = Number(process.env["CRASH_SEED"] ?? Date.now() % 2 ** 31);
const KILLS = 10;

describe.runIf(server).concurrent("a move that is killed", () => {
  it.for([first, first + 1])(
    "leaves one side whole and in charge each time: seed %i",
    async (seed, { expect }) => {
      const home = { data: temporaryFolder(), address: (await server?.createDatabase()) ?? "" };
      const [here] = settingsOf(home);
      if (!here) throw new Error("no settings");
      const before = await reading(openStore(here), async (database) => {
        await fill(database);
        return everyRowOf(database);
      });
      let direction: Direction = "to";
      // The two moments in which much depends on the order are among them for certain.
      const points = [
        SAID - 1,
        SAID,
        ...sample(integer({ min: 1, max: SAID }), { seed, numRuns: KILLS - 4 }),
        SAID - 1,
        SAID,
      ];
      for (const killAt of points) {
        const wasKilled = await runMove(home, direction, killAt);
        // Before the last of them the source is in charge, and after it the target.
        expect({ killAt, wasKilled }).toEqual({ killAt, wasKilled: true });
        const { name, rows } = await inCharge(home);
        const isDone = killAt === SAID;
        expect({ killAt, name }).toEqual({
          killAt,
          name: (direction === "to") === isDone ? "postgres" : "sqlite",
        });
        expect(rows).toEqual(before);
        // Where it was only to be finished, whoever starts there finishes it, where it can see both.
        expect(await starts(home)).toBe(direction === "back" && isDone ? 0 : 1);
        if (!isDone) continue;
        await runMove(home, direction, 0);
        expect(await starts(home)).toBe(1);
        direction = direction === "to" ? "back" : "to";
      }
      await runMove(home, direction, 0);
      expect((await inCharge(home)).rows).toEqual(before);
      expect(await starts(home)).toBe(1);
    },
  );
});
