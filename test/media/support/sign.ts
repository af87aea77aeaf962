import { makeSigner } from "../../../src/media/signed.ts";
import { openDatabase } from "../../../src/storage/database.ts";
import { memory } from "../../../src/storage/key-value.ts";

/** Signs a value with the key in a database: its path, then the value as JSON. */
const [path = "", value = ""] = process.argv.slice(2);
const database = await openDatabase(path);
process.stdout.write(await makeSigner(memory(database, "signer")).sign(JSON.parse(value)));
await database.close();
