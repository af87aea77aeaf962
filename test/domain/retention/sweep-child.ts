/** Another process that sweeps a data folder's database. Arguments: the file, and what time it is. */
import { Sweeper } from "../../../src/domain/retention/sweeper.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { partsOver } from "./parts.ts";

const [path = "", now] = process.argv.slice(2);
const database = await openDatabase(path);
const sweeper = new Sweeper({ ...partsOver(database), now: () => Number(now) });
process.stdout.write("ready\n");
for await (const _ of process.stdin) break;
process.stdout.write(JSON.stringify(await sweeper.sweep()));
await database.close();
