import { Readable } from "node:stream";
import type { MediaRef, UserId } from "../../src/chat/values.ts";
import type { Office } from "./desk.ts";

/** How the ids of files begin that are kept here; Telegram's own have no colon. */
const OWN = "file:";

/** The file in the data folder that a reference's id means; undefined for Telegram's own files. */
export function ownFile(id: string): string | undefined {
  return id.startsWith(OWN) ? id.slice(OWN.length) : undefined;
}

const KEPT = "draft-file:";
const keptKey = (owner: UserId, file: string) => `${KEPT}${owner}:${file}`;

/** Keeps a file that was made for somebody, such as a mask: jobs that are asked for again need it later, too. */
export async function keepFile({ host, memory }: Office, owner: UserId, bytes: Buffer): Promise<MediaRef> {
  const { id } = await host.files.put(Readable.from([bytes]), bytes.length);
  await memory.set(keptKey(owner, id), id);
  return { surface: "telegram", id: OWN + id, bytes: bytes.length };
}

/** Erases every file that was made for somebody, but those that were made for somebody else as well. */
export async function forgetFiles(
  { host, memory }: Pick<Office, "host" | "memory">,
  owner: UserId,
): Promise<void> {
  const kept = (await memory.entries<string>()).filter(([key]) => key.startsWith(KEPT));
  for (const [key, id] of kept.filter(([key, id]) => key === keptKey(owner, id))) {
    await memory.delete(key);
    if (!kept.some(([other, file]) => other !== key && file === id)) await host.files.remove(id);
  }
}
