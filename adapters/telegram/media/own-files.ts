import type { MediaRef, UserId } from "../../../src/seam/values.ts";
import { keepFile } from "../../kit/files/keep-file.ts";
import type { Services } from "../context/context.ts";

/** How the ids of files begin that are kept here; Telegram's own have no colon. */
const OWN = "file:";

/** The file in the data folder that a reference's id means; undefined for Telegram's own files. */
export function ownFile(id: string): string | undefined {
  return id.startsWith(OWN) ? id.slice(OWN.length) : undefined;
}

/** Keeps a file that was made for somebody, such as a mask. */
export async function keepOwn(services: Services, owner: UserId, bytes: Buffer): Promise<MediaRef> {
  const id = OWN + (await keepFile(services, owner, bytes));
  return { surface: "telegram", id, bytes: bytes.length };
}
