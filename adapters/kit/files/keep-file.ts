import { Readable } from "node:stream";
import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import { noteFile } from "../../../src/seam/surface/kept-files.ts";
import type { Memory } from "../../../src/common/memory.ts";
import type { UserId } from "../../../src/seam/values.ts";

/** Where files are kept, and whose they are. */
interface Keeper {
  readonly host: Pick<SurfaceHost, "files">;
  readonly memory: Memory;
}

/** Keeps a file that was made for somebody, such as a mask. @returns its id in the data folder */
export async function keepFile({ host, memory }: Keeper, owner: UserId, bytes: Buffer): Promise<string> {
  const { id } = await host.files.put(Readable.from([bytes]), bytes.length);
  await noteFile(memory, owner, id);
  return id;
}
