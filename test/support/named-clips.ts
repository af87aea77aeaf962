import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { RESULT, type Renderer } from "../../src/sandbox/render/task.ts";
import { tinyClip } from "./sandbox.ts";

/** Makes clips that differ: a box of padding, which players skip, names the job. */
export const namingRenderer: Renderer = async ({ dir }) => {
  const name = Buffer.from(basename(dir));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.length + name.length);
  head.write("free", 4, "latin1");
  const partial = join(dir, `${RESULT}.part`);
  await writeFile(partial, Buffer.concat([await readFile(tinyClip()), head, name]));
  await rename(partial, join(dir, RESULT));
};
