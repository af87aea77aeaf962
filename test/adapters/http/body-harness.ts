import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { openMediaFiles } from "../../../src/infrastructure/media/files/files.ts";
import { openHeldFiles } from "../../../src/infrastructure/media/files/held-files.ts";
import { holdsIn } from "../../../src/infrastructure/storage/holds.ts";
import { readRequest } from "../../../adapters/http/body/read-request.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { testDatabase } from "../../support/database.ts";

export const idOf = (content: Buffer) => createHash("sha256").update(content).digest("hex");

/** Bytes that no base64 or line break is regular in. */
export function noise(bytes: number): Buffer {
  let seed = 7;
  return Buffer.from(
    Uint8Array.from({ length: bytes }, () => (seed = (seed * 48_271) % 2_147_483_647) & 255),
  );
}

/** A body that comes in pieces of these sizes, over and over. */
export function inPieces(
  content: string | Buffer,
  sizes: readonly number[] = [65_536],
): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(content);
  let at = 0;
  let turn = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const size = sizes[turn++ % sizes.length] ?? 1;
      controller.enqueue(Uint8Array.from(bytes.subarray(at, at + size)));
      at += size;
    },
  });
}

/** Held files in a folder, and requests that are read into it. */
export async function bodyHarness() {
  const folder = temporaryFolder();
  const database = await testDatabase(join(folder, "reelay.db"));
  const dir = join(folder, "partners");
  const files = openHeldFiles(await openMediaFiles(dir), holdsIn(database));
  const hold = { owner: "http:acme request 1" };
  return {
    files,
    hold,
    read: (
      type: string,
      body: ReadableStream<Uint8Array> | string | Buffer,
      headers: Record<string, string> = {},
    ) =>
      readRequest(
        {
          headers: new Headers({ "content-type": type, ...headers }),
          body: body instanceof ReadableStream ? body : inPieces(body),
        },
        files,
        hold,
      ),
    contentOf: async (id: string) => buffer(await files.open(id)),
    /** What lies in the folder. */
    kept: () => readdir(dir),
    [Symbol.asyncDispose]: () => database.close(),
  };
}
