import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Readable } from "node:stream";
import { ReelayError } from "../../../common/errors.ts";
import {
  type BeforeKept,
  checkedId,
  DIGEST,
  type FileNeeds,
  type FileOnDisk,
  type FileRange,
  type FileRoom,
  type MediaFiles,
} from "../files/files.ts";
import { temporaryFile } from "../files/temporary-file.ts";
import type { Bucket } from "./bucket.ts";
import { errorOf } from "./trouble.ts";

/** How often a file is opened again that breaks off, without anything having come of it in between. */
const REOPENED = 3;

interface BucketRoom {
  readonly room: FileRoom;
  readonly scratch: string;
  readonly isNeeded?: FileNeeds | undefined;
}

/** Files of a bucket, for one purpose. */
export function bucketFiles(
  bucket: Bucket,
  { room, scratch, isNeeded = async () => false }: BucketRoom,
): MediaFiles {
  const nameOf = (id: string) => `${room}/${checkedId(id)}`;

  async function adopt(file: FileOnDisk, maxBytes: number, beforeKept?: BeforeKept) {
    const { digest: id, bytes, path } = file;
    if (bytes > maxBytes) throw new ReelayError("media_too_large", { max: maxBytes });
    await beforeKept?.(id, path);
    await bucket.put(nameOf(id), file);
    return { id, bytes };
  }

  return {
    adopt,

    async put(source, maxBytes, beforeKept) {
      await using file = await temporaryFile(join(scratch, `put-${randomUUID()}`), source, { maxBytes });
      return await adopt(file, maxBytes, beforeKept);
    },

    async open(id, range) {
      const first = await bucket.open(nameOf(id), range);
      const whole = Readable.from(unbroken(bucket, nameOf(id), first, range), { objectMode: false });
      // It may be given up before it was begun.
      return whole.once("close", () => first.body.destroy());
    },

    stat: async (id) => bucket.stat(nameOf(id)),

    async remove(id, forget) {
      const name = nameOf(id);
      await forget?.();
      if (!(await isNeeded(id))) await bucket.remove(name);
    },

    async *list() {
      for await (const { name, at } of bucket.list(`${room}/`)) {
        const id = name.slice(room.length + 1);
        if (DIGEST.test(id)) yield { id, keptAt: async () => at };
      }
    },
  };
}

/** A file, or a part of it, which is opened again where it breaks off: under its name is always the same. */
async function* unbroken(
  bucket: Bucket,
  name: string,
  first: Awaited<ReturnType<Bucket["open"]>>,
  { start }: Partial<FileRange> = {},
): AsyncGenerator<Buffer> {
  const begin = start ?? 0;
  let { body } = first;
  let [read, failures] = [0, 0];
  for (;;) {
    let broke: unknown = new Error("it ended too early");
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        [read, failures] = [read + chunk.length, 0];
        yield chunk;
      }
    } catch (error) {
      broke = error;
    }
    if (read >= first.bytes) return;
    failures += 1;
    if (failures > REOPENED) throw errorOf(broke);
    ({ body } = await bucket.open(name, { start: begin + read, end: begin + first.bytes - 1 }));
  }
}
