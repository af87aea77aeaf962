import { join } from "node:path";
import { readRequest } from "../../../../adapters/http/body/read-request.ts";
import { openMediaFiles } from "../../../../src/infrastructure/media/files/files.ts";
import { openHeldFiles } from "../../../../src/infrastructure/media/files/held-files.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { holdsIn } from "../../../../src/infrastructure/storage/holds.ts";

/**
 * Reads a JSON request with one file of so many bytes, in a process of its own, as its memory is measured: prints what
 * was stored, and by how many bytes the process had grown at most.
 */
const [folder = "", size = "0"] = process.argv.slice(2);
const database = await openDatabase(join(folder, "reelay.db"));
const files = openHeldFiles(await openMediaFiles(join(folder, "partners")), holdsIn(database));

const group = Buffer.alloc(49_152, "Reelay").toString("base64");
const groups = Number(size) / 49_152;
async function* text(count: number, each: () => void = () => {}) {
  yield Buffer.from('{"input":{"image":"');
  for (let n = 0; n < count; n++) {
    yield Buffer.from(group);
    each();
  }
  yield Buffer.from('"}}');
}

/** Reads a request of that body. */
const read = async (body: AsyncIterable<Buffer>) =>
  readRequest(
    { headers: new Headers({ "content-type": "application/json" }), body: ReadableStream.from(body) },
    files,
    { owner: "test" },
  );

// Once for what is loaded and compiled at the first request, and for what the collector lets lie before it begins.
await read(text(groups / 8));
const before = process.memoryUsage.rss();
let grown = 0;
const measure = () => {
  grown = Math.max(grown, process.memoryUsage.rss() - before);
};
const [stored] = (await read(text(groups, measure))).files.values();
await database.close();
process.stdout.write(JSON.stringify({ bytes: stored?.bytes, grown }));
