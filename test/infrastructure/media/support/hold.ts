import { join } from "node:path";
import { Readable } from "node:stream";
import { openMediaFiles } from "../../../../src/infrastructure/media/files/files.ts";
import { openHeldFiles } from "../../../../src/infrastructure/media/files/held-files.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { holdsIn } from "../../../../src/infrastructure/storage/holds.ts";

/**
 * Holds and releases the same file over and over, in a folder, under a name, so many times. Prints how often it was
 * not there while it was held.
 */
const [folder = "", owner = "", times = "0"] = process.argv.slice(2);
const database = await openDatabase(join(folder, "reelay.db"));
const files = openHeldFiles(await openMediaFiles(join(folder, "partners")), holdsIn(database));
let missing = 0;
for (let n = 0; n < Number(times); n++) {
  const { id } = await files.put(Readable.from([Buffer.from("the same")]), 100, { owner });
  await files.stat(id).catch(() => missing++);
  await files.release(owner);
}
await database.close();
process.stdout.write(String(missing));
