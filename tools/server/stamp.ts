import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What a build depends on, from the top. */
const OF = ["src", "adapters", "locales", "tools/server"];

/** The file that says of what something was built. */
export const STAMP = "stamp.txt";

/** Says what is below a folder, whose path ends in `/`: each one's name, size and time of its last change. */
export function stampOf(root: string): string {
  return ["package-lock.json", ...OF.flatMap((part) => filesBelow(root, part))]
    .map((name) => {
      const { size, mtimeMs } = statSync(root + name);
      return `${name} ${size} ${mtimeMs}\n`;
    })
    .join("");
}

/** Node's own recursion asks of each name whether it is a folder, which costs more than all the rest. */
function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, name) : name;
  });
}

/** Whether what lies in a folder was built of the sources as they are now. */
export function isOfNow(built: URL, root: URL): boolean {
  const stamp = new URL(STAMP, built);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === stampOf(fileURLToPath(root));
}
