import { Ledger } from "../src/domain/jobs/ledger.ts";
import { openDatabase } from "../src/infrastructure/storage/database.ts";
import { sleep } from "../src/common/time.ts";
import { endedJob } from "../test/support/job.ts";
import { countOf, modulesOf, PROGRAM } from "../test/support/modules.ts";
import { temporaryFolder } from "../test/support/sandbox.ts";
import { isOfNow } from "../tools/server/stamp.ts";
import { cpuOf, TIMES } from "./support/cpu.ts";
import { startReelay } from "./support/measured-bot.ts";
import { answering, freePort } from "./support/port.ts";
import { say, type Section, table } from "./support/report.ts";
import { type BenchService, startService } from "./support/service.ts";

const PEOPLE = 10_000;
/** It still begins things once it is ready, and what they are compiled with holds memory. */
const IDLE_MS = 5_000;

/** Somebody's job each, from long ago, so that they are known. */
async function withPeople(): Promise<string> {
  const data = temporaryFolder();
  const database = await openDatabase(`${data}/reelay.db`, async () => {});
  const ledger = new Ledger(database, "before");
  for (let nth = 0; nth < PEOPLE; nth++)
    await endedJob(
      ledger,
      { user: `telegram:${nth}`, surface: "telegram" },
      { at: Date.now() - 60_000, cost: 1, seconds: 10, toldAt: Date.now() },
    );
  await database.close();
  return data;
}

async function server(service: BenchService, data: string) {
  const port = await freePort();
  const begun = performance.now();
  await using reelay = startReelay(service, { REELAY_DATA: data, REELAY_PORT: String(port) });
  await answering(`http://127.0.0.1:${port}/readyz`);
  const readyMs = performance.now() - begun;
  const { cpuMs } = await reelay.figures();
  await sleep(IDLE_MS);
  const { resident } = await reelay.figures();
  return { readyMs, cpuMs, resident };
}

const ROOT = new URL("..", import.meta.url);

/** What it takes until a command does what it is to do. */
export async function start(): Promise<Section> {
  if (!isOfNow(new URL("dist/server/", ROOT), ROOT)) throw new Error("First: npm run build:server");
  await using service = await startService({ timeScale: 1, jobSeconds: [8, 12], people: 1 });
  const settings = { REELAY_API_URL: service.url, REELAY_API_KEY: service.keys.ultra };
  const bare = await cpuOf(["-e", "0"]);
  const rows = [["node -e 0", "0", `${bare.toFixed(0)} ms`, "1.0 x"]];
  for (const command of ["--help", "balance"]) {
    say(`  reelay ${command}`);
    const cpuMs = await cpuOf([PROGRAM, command], settings);
    const count = countOf(await modulesOf([command], settings, [PROGRAM]));
    rows.push([
      `reelay ${command}`,
      String(count),
      `${cpuMs.toFixed(0)} ms`,
      `${(cpuMs / bare).toFixed(1)} x`,
    ]);
  }
  say("  reelay start");
  const data = await withPeople();
  // The first one fills the compile cache.
  await server(service, data);
  const { readyMs, cpuMs, resident } = await server(service, data);
  const text = `As built by \`npm run build:server\`. Modules that a command loads besides Node's own, and its processor time from the start of its process to the end, with what was
compiled before, and in a data folder that is there: the least of ${TIMES}.

${table(["", "modules", "CPU", "ratio"], rows)}

\`reelay start\` with ${PEOPLE.toLocaleString("en")} people in the database, without a chat platform, compiled before: ready after ${(readyMs / 1_000).toFixed(1)} s, in which it took
${(cpuMs / 1_000).toFixed(1)} s of processor time (${(cpuMs / bare).toFixed(0)} x \`node -e 0\`); it holds ${(resident / 2 ** 20).toFixed(0)} MiB ${IDLE_MS / 1_000} s later.`;
  return { title: "From a command to its answer", text };
}
