import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { integer, sample } from "fast-check";
import { Client } from "pg";
import { Ledger } from "../src/domain/jobs/ledger.ts";
import { openDatabase } from "../src/infrastructure/storage/database.ts";
import { aRequest } from "../test/support/job.ts";
import { startPostgres, type TestPostgres } from "../test/support/postgres.ts";
import { temporaryFolder } from "../test/support/sandbox.ts";
import { say, type Section, table } from "./support/report.ts";

const JOBS = Number(process.env["MOVE_JOBS"] ?? 100_000);
const KILL_JOBS = Number(process.env["MOVE_KILL_JOBS"] ?? 5_000);
const KILLS = Number(process.env["MOVE_KILLS"] ?? 60);
const SEED = Number(process.env["MOVE_SEED"] ?? 17);

const PROGRAM = fileURLToPath(new URL("../tools/reelay.js", import.meta.url));

/** What is moved, and where to. */
interface Place {
  readonly data: string;
  readonly address: string;
}

type Direction = "to" | "back";

/** An installation with so many jobs that were delivered, each with one event and one message to its partner. */
async function installation(server: TestPostgres, jobs: number): Promise<Place> {
  const data = temporaryFolder();
  const database = await openDatabase(join(data, "reelay.db"));
  await new Ledger(database, "me").add(aRequest(), 1);
  await database.close();
  using sqlite = new DatabaseSync(join(data, "reelay.db"));
  const columns = sqlite
    .prepare("select name from pragma_table_info('jobs')")
    .all()
    .map(({ name }) => String(name));
  const different: Readonly<Record<string, string>> = {
    id: "printf('%09daaaaaaaaaa', n + 1)",
    state: "'completed'",
    delivery: "'delivered'",
    service_id: "'service-' || n",
    result: `'{"urls":["https://cdn.example/results/' || n || '.mp4"]}'`,
    delivered_at: "1790000000000 + n",
  };
  sqlite.exec(`
    with recursive count (n) as (select 1 union all select n + 1 from count where n < ${jobs - 1})
    insert into jobs (${columns.map((name) => `"${name}"`).join(", ")})
      select ${columns.map((name) => different[name] ?? `jobs."${name}"`).join(", ")} from jobs, count;
    insert into job_events ("user", job, type, data, at)
      select "user", id, 'job.completed', '{"object":"job","id":"' || id || '"}', 1790000000000 from jobs;
    insert into webhook_deliveries (id, "user", url, host, type, job, body, state, created_at)
      select 'm' || id, "user", 'https://shop.example/hook', 'shop.example:443', 'job.completed', id, input, 'delivered', 1 from jobs;`);
  return { data, address: await server.createDatabase() };
}

/** Moves, until it has, or is killed after some time in milliseconds. Returns whether it was done, and how long it took, in seconds. */
async function run({ data, address }: Place, direction: Direction, killAfterMs?: number) {
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [PROGRAM, "move", ...(direction === "to" ? ["--to", address] : ["--back"]), "--json"],
    {
      cwd: data,
      env: {
        PATH: process.env["PATH"],
        REELAY_DATA: data,
        ...(direction === "back" && { REELAY_STORE: address }),
      },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, "exit");
  if (killAfterMs !== undefined) {
    await Promise.race([ended, sleep(killAfterMs)]);
    child.kill("SIGKILL");
  }
  const [code, signal] = await ended;
  if (code !== 0 && signal !== "SIGKILL") throw new Error(said);
  return { done: code === 0, seconds: (performance.now() - start) / 1000 };
}

const TABLES = ["jobs", "job_events", "webhook_deliveries"];

/** What both sides say of who is in charge, and the rows that each holds. */
async function sidesOf({ data, address }: Place) {
  const client = new Client({ connectionString: address });
  await client.connect();
  const made = await client.query("select to_regclass('moved') is not null as made");
  const isMade = made.rows[0]?.made === true;
  const there = isMade ? (await client.query("select state, move from moved")).rows[0] : undefined;
  let rowsThere = 0;
  for (const name of isMade ? TABLES : [])
    rowsThere += Number((await client.query(`select count(*) from ${name}`)).rows[0]?.count);
  await client.end();
  using sqlite = new DatabaseSync(join(data, "reelay.db"), { readOnly: true });
  const here = sqlite.prepare("select state, move from moved").get();
  const rowsHere = TABLES.reduce(
    (sum, name) => sum + Number(sqlite.prepare(`select count(*) as rows from ${name}`).get()?.["rows"]),
    0,
  );
  return { here, there, rowsHere, rowsThere };
}

/** Rows of whichever side is in charge; undefined where none is, or both seem to be. */
async function rowsInCharge(place: Place): Promise<number | undefined> {
  const { here, there, rowsHere, rowsThere } = await sidesOf(place);
  const isHere = here?.["state"] !== "moved" && (here?.["state"] !== "arriving" || there?.state === "moved");
  const isThere =
    there?.state !== "moved" &&
    (there?.state === "here" || (there?.state === "arriving" && here?.["state"] === "moved"));
  if (isHere === isThere) return undefined;
  return isHere ? rowsHere : rowsThere;
}

/** What the server takes to read the same rows from a file of its own, in seconds. */
async function bareCopy({ address }: Place): Promise<number> {
  const client = new Client({ connectionString: address });
  await client.connect();
  let seconds = 0;
  for (const name of TABLES) {
    const { rows } = await client.query("select current_setting('data_directory') as folder");
    const file = `${rows[0]?.folder}/${name}.copy`;
    await client.query(`copy ${name} to '${file}'`);
    await client.query(`create table bare_${name} (like ${name} including all)`);
    const start = performance.now();
    await client.query(`copy bare_${name} from '${file}'`);
    seconds += (performance.now() - start) / 1000;
    await client.query(`drop table bare_${name}`);
  }
  await client.end();
  return seconds;
}

/** How long it takes to move much, beside the least that the server needs for it; and what kills leave. */
export async function move(): Promise<Section> {
  const server = await startPostgres();
  if (!server)
    return { title: "A move between SQLite and PostgreSQL", text: "PostgreSQL could not be started here." };
  try {
    const large = await installation(server, JOBS);
    const { rowsHere: rows } = await sidesOf(large);
    say(`  ${rows} rows`);
    const to = await run(large, "to");
    const least = await bareCopy(large);
    const back = await run(large, "back");
    const lostLarge = rows - ((await rowsInCharge(large)) ?? 0);

    const small = await installation(server, KILL_JOBS);
    const { rowsHere: wanted } = await sidesOf(small);
    const whole = await run(small, "to");
    let direction: Direction = "back";
    let [kills, moves, lost, nobody] = [0, 1, 0, 0];
    for (const permille of sample(integer({ min: 0, max: 1_100 }), { seed: SEED, numRuns: KILLS * 3 })) {
      if (kills === KILLS) break;
      const { done } = await run(small, direction, permille * whole.seconds);
      const found = await rowsInCharge(small);
      if (found === undefined) nobody += 1;
      else lost += wanted - found;
      if (done) {
        direction = direction === "to" ? "back" : "to";
        moves += 1;
      } else kills += 1;
      say(`  ${kills} of ${KILLS}`);
    }
    const text = `A data folder with jobs that were delivered, each with an event and a message to a partner, is moved to a PostgreSQL of its own and back
by the command line, its start included: every row is read, written, and read again on the other side. Beside it, what the server takes to
read the same rows from a file of its own (\`COPY\`, with the same indexes), which knows nothing of checking or of a second database.

${table(
  ["", "rows", "seconds", "bare COPY", "ratio", "lost"],
  [
    [
      "to PostgreSQL",
      rows,
      to.seconds.toFixed(1),
      least.toFixed(1),
      (to.seconds / least).toFixed(1),
      lostLarge,
    ],
    ["back", rows, back.seconds.toFixed(1), "", "", lostLarge],
  ].map((row) => row.map(String)),
)}

Then a smaller one is moved there and back again and again, killed (SIGKILL) at the instants of seed ${SEED} and run again. After each kill both
sides are asked: one of them is to be in charge, with every row.

${table(
  ["", "rows", "kills", "moves that came to their end", "rows lost", "nobody or both in charge"],
  [["there and back", wanted, kills, moves, lost, nobody].map(String)],
)}`;
    return { title: "A move between SQLite and PostgreSQL", text };
  } finally {
    await server.stop();
  }
}
