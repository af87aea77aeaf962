import { dirname } from "node:path";
import { copyDatabase } from "../../../src/infrastructure/storage/copying/copy.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { asKeptError } from "../../../src/infrastructure/storage/stored-file.ts";

/** Copies a database, and writes what that fails of. */
const [, , path = "", to = ""] = process.argv;

const error: unknown = await copyDatabase(path, to).catch((thrown: unknown) => thrown);
const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
const told = asKeptError(error, dirname(path));
const reason = told instanceof ReelayError ? told.params["reason"] : undefined;
process.stdout.write(JSON.stringify({ code, errcode, reason }));
