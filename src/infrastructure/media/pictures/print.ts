import { decode } from "../decoder/decoder.ts";
import { asUnreadable, pictureIn } from "./picture.ts";
import type { ReceivedFile } from "../files/prepared.ts";
import { Remembered } from "../remembered.ts";

/** What a picture is recognised by. */
export interface Print {
  /** SHA-256 of the file, in hex. */
  readonly digest: string;
  /** What it looks like, whoever scaled or compressed it since; see `lookOf`. Null where it is too plain. */
  readonly look: string | null;
}

const looks = new Remembered<string | null>();

/**
 * What a picture is recognised by that is on our disk.
 * @throws ReelayError `media_type`, `media_dimensions`, `media_unreadable`
 */
export async function printOf({
  path,
  kind,
  digest,
}: Pick<ReceivedFile, "path" | "kind" | "digest">): Promise<Print> {
  const picture = pictureIn({ path, kind });
  return { digest, look: await looks.of(digest, () => decode("lookOf", picture).catch(asUnreadable)) };
}

/** What a picture is recognised by that was looked into before; undefined for any other. @param digest its SHA-256 */
export async function knownPrint(digest: string): Promise<Print | undefined> {
  const look = await looks.known(digest);
  return look === undefined ? undefined : { digest, look };
}
