import { makeSigner } from "../../../../src/infrastructure/media/files/signed.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";

/** Signs a value with the key in a database: its path, then the value as JSON. */
const [path = "", value = ""] = process.argv.slice(2);
const database = await openDatabase(path);
process.stdout.write(await makeSigner(memory(database, "signer")).sign(JSON.parse(value)));
await database.close();
