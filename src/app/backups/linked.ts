import { lstatSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { realPath } from "../../common/disk.ts";
import { DIGEST } from "../../infrastructure/media/files/files.ts";
import type { ArchivedFile } from "../../infrastructure/storage/archive.ts";
import { ROOMS } from "../places/lost.ts";
import { TEST_FOLDER } from "../test-mode/settings.ts";

/** Where Reelay keeps something of its own: in the data folder, and in that of test tokens. */
const OWN = ["", `${TEST_FOLDER}/`];

/**
 * What Reelay itself uses through links: the secret, and files by the names that it gives them. Whatever else links lead to, such as
 * earlier backups, is not its own.
 * @param root the data folder, without links
 * @throws the system's error where a link leads nowhere: what is behind it would be missing
 */
export async function linkedIn(root: string): Promise<ArchivedFile[]> {
  const found: ArchivedFile[] = [];
  for (const own of OWN) {
    const secret = join(root, own, "secret");
    if (isLinked(secret) && statSync(secret).isFile()) found.push({ name: `${own}secret`, path: secret });
    for (const room of ROOMS) found.push(...(await linkedFiles(join(root, own, room), `${own}${room}`)));
  }
  return found;
}

/** Files of a room that a link leads to, or that are links themselves. */
async function linkedFiles(folder: string, room: string): Promise<ArchivedFile[]> {
  const isAll = isLinked(folder);
  if (!isAll && !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!DIGEST.test(entry.name) || !(isAll || entry.isSymbolicLink())) return [];
    return statSync(path).isFile() ? [{ name: `${room}/${entry.name}`, path }] : [];
  });
}

/** Whether something is there that is reached by a link alone. */
function isLinked(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined && realPath(path) !== path;
}
