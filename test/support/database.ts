import { constants, copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDatabase } from "../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "./sandbox.ts";

let made: Promise<string> | undefined;

/** An empty database, made once in a process: making its tables takes most of the time that opening a new one takes. */
function empty(): Promise<string> {
  made ??= (async () => {
    const path = join(temporaryFolder(), "empty.db");
    await (await openDatabase(path)).close();
    return path;
  })();
  return made;
}

/** Opens a database as `openDatabase` does; a new one begins as a copy of an empty one. */
export async function testDatabase(...[path, ...more]: Parameters<typeof openDatabase>) {
  if (!existsSync(path)) {
    const from = await empty();
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Somebody else may have opened it meanwhile; on PostgreSQL there is no file.
    if (existsSync(from) && !existsSync(path)) copyFileSync(from, path, constants.COPYFILE_EXCL);
  }
  return openDatabase(path, ...more);
}
