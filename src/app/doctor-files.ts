import { randomBytes } from "node:crypto";
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ConfigError } from "../common/config-error.ts";
import { asReelayError } from "../common/errors.ts";
import { makeFolder } from "../common/disk.ts";
import { temporaryFolder } from "../infrastructure/media/files/written.ts";
import { folderStore, type MediaFiles } from "../infrastructure/media/files/files.ts";
import type { Check } from "../seam/surface/runtime.ts";
import type { Config } from "./config.ts";

/** How large the file is that is tried out, in bytes. */
const TRIED_BYTES = 100_000;

/** Beyond this, a store and this machine do not mean the same by a time, in milliseconds. */
const CLOCK_TOLERANCE_MS = 60_000;

/** What the doctor says of the place of the files, where it is not the data folder: a file is kept there, read, listed and erased. */
export async function examineFiles({
  data,
  files,
}: Pick<Config, "data" | "files">): Promise<readonly Check[]> {
  if ("folder" in files && files.folder === data) return [];
  await using scratch = await temporaryFolder(join(data, "scratch"), "doctor-");
  return [
    "folder" in files ? await examineFolder(files.folder) : await examineBucket(files.bucket, scratch.path),
  ];
}

async function examineFolder(folder: string): Promise<Check> {
  const advice =
    "Make the folder of REELAY_FILES writable for the user that runs Reelay, or see that its drive is there.";
  try {
    makeFolder(folder);
    await access(folder, constants.W_OK);
    const took = await tried(await folderStore(folder).room("media"));
    return { name: "files", ok: true, found: `${folder}: ${took}` };
  } catch (error) {
    return { name: "files", ok: false, found: `${folder}: ${reasonOf(error)}`, advice };
  }
}

async function examineBucket(
  place: Extract<Config["files"], { bucket: object }>["bucket"],
  scratch: string,
): Promise<Check> {
  const { addressOf, bucketAt } = await import("../infrastructure/media/bucket/connect.ts");
  const { bucketFiles } = await import("../infrastructure/media/bucket/bucket-files.ts");
  const at = addressOf(place);
  const advice =
    "The key must be allowed to list the bucket, and to put, get and delete what is in it; see REELAY_FILES and AWS_ACCESS_KEY_ID.";
  try {
    const bucket = await bucketAt(place);
    try {
      await bucket.check();
      const took = await tried(bucketFiles(bucket, { room: "media", scratch }));
      const found = `${at}: ${took}; clocks ${Math.round(Math.abs(bucket.aheadMs) / 1000)} s apart`;
      if (Math.abs(bucket.aheadMs) <= CLOCK_TOLERANCE_MS) return { name: "files", ok: true, found };
      return { name: "files", ok: false, found, advice: "Set this machine's clock; NTP keeps it right." };
    } finally {
      bucket.close();
    }
  } catch (error) {
    if (!(error instanceof ConfigError))
      return { name: "files", ok: false, found: `${at}: ${reasonOf(error)}`, advice };
    const [mistake] = error.mistakes;
    return {
      name: "files",
      ok: false,
      found: `${at}: ${mistake?.found}`,
      advice: `REELAY_FILES wants ${mistake?.wanted}.`,
    };
  }
}

/** Keeps a file that nobody has, and does with it what is done with files. @throws Error where one of that fails */
async function tried(files: MediaFiles): Promise<string> {
  const content = randomBytes(TRIED_BYTES);
  const began = performance.now();
  const { id } = await files.put(Readable.from([content]), TRIED_BYTES);
  try {
    if (!(await buffer(await files.open(id))).equals(content))
      throw new Error("it gives another file than was put there");
    let isListed = false;
    for await (const one of files.list()) isListed ||= one.id === id;
    if (!isListed) throw new Error("it does not list what was put there");
  } finally {
    await files.remove(id);
  }
  const gone = await files.stat(id).then(
    () => false,
    () => true,
  );
  if (!gone) throw new Error("it has what was erased");
  return `a file was kept, read, listed and erased in ${Math.round(performance.now() - began)} ms`;
}

function reasonOf(error: unknown): string {
  const { code, params } = asReelayError(error);
  if (code === "storage_down") return String(params["reason"] ?? code);
  return error instanceof Error ? error.message : String(error);
}
