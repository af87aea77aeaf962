import { createHash } from "node:crypto";
import type { Memory } from "../../../src/common/memory.ts";

const KEY = "published";

/**
 * Tells a platform of commands and the like. Platforms take that now and then only: what was published last is remembered,
 * and nothing is sent when it is the same.
 */
export async function publishOnce(
  memory: Memory,
  content: unknown,
  send: () => Promise<unknown>,
): Promise<void> {
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  if ((await memory.get(KEY)) === digest) return;
  await send();
  await memory.set(KEY, digest);
}
