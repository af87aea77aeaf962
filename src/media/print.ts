import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { decode } from "./decoder/decoder.ts";
import { asUnreadable, pictureIn } from "./picture.ts";
import type { ReceivedFile } from "./prepared.ts";

/** What a picture is recognised by. */
export interface Print {
  /** SHA-256 of the file, in hex. */
  readonly digest: string;
  /** What it looks like, whoever scaled or compressed it since; see `lookOf`. Null where it is too plain. */
  readonly look: string | null;
}

/**
 * What a picture is recognised by that is on our disk.
 * @throws ReelayError `media_type`, `media_dimensions`, `media_unreadable`
 */
export async function printOf(file: Pick<ReceivedFile, "path" | "kind">): Promise<Print> {
  const picture = pictureIn(file);
  const [digest, look] = await Promise.all([
    digestOf(file.path),
    decode("lookOf", picture).catch(asUnreadable),
  ]);
  return { digest, look };
}

/** SHA-256 of a file on our disk, in hex. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
