import { Readable } from "node:stream";
import { keepFile } from "../../../src/seam/surface/kept-files.ts";
import { type MediaRef, platformOf, type UserId } from "../../../src/seam/values.ts";

/** How the ids of files begin that are kept here, where the platform has files of its own: those have no colon. */
const OWN = "file:";

/** How a platform's references to files in the data folder are told apart from those to its own files. */
export interface OwnFiles {
  /** The id of a reference to a file. */
  idOf(file: string): string;
  /** The file that an id means; undefined for the platform's own. */
  fileOf(id: string): string | undefined;
}

/** By how their ids begin. */
export const OWN_FILES: OwnFiles = { idOf: (file) => OWN + file, fileOf: ownFile };

/** Keeps a file that was made for somebody, such as a mask, as a reference that {@link ownFile} knows. */
export async function keepOwn(
  services: Parameters<typeof keepFile>[0],
  owner: UserId,
  content: Buffer,
): Promise<MediaRef> {
  const { id, bytes } = await keepFile(services, owner, Readable.from([content]), content.length);
  return { surface: platformOf(owner), id: OWN_FILES.idOf(id), bytes };
}

/** The file in the data folder that a reference's id means; undefined for the platform's own files. */
export function ownFile(id: string): string | undefined {
  return id.startsWith(OWN) ? id.slice(OWN.length) : undefined;
}
