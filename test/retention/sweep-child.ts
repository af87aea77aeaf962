/** Another process that sweeps a data folder's database. Arguments: the file, and what time it is. */
import { Surfaces } from "../../src/chat/surfaces.ts";
import { Sweeper } from "../../src/retention/sweeper.ts";
import { Traces } from "../../src/retention/traces.ts";
import { openDatabase } from "../../src/storage/database.ts";
import { makeLogger } from "../../src/telemetry.ts";

const [path = "", now] = process.argv.slice(2);
const database = await openDatabase(path);
const sweeper = new Sweeper({
  database,
  surfaces: new Surfaces([], []),
  links: { sweep: async () => {} },
  reports: { expire: async () => {} },
  inputs: { sweep: async () => {} },
  traces: new Traces(database),
  keepDays: { jobs: 90, audit: 365, usage: 730 },
  log: makeLogger({ level: "silent" }),
  now: () => Number(now),
});
process.stdout.write("ready\n");
for await (const _ of process.stdin) break;
process.stdout.write(JSON.stringify(await sweeper.sweep()));
await database.close();
