import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What a build depends on, from the top. */
const OF = ["src", "adapters", "locales", "tools/server"];

/** The file that says of what something was built. */
export const STAMP = "stamp.txt";

/** Says what is below a folder, whose path ends in `/`: each one's name, size and time of its last change. */
export function stampOf(root: string): string {
  const names = OF.flatMap((part) =>
    readdirSync(root + part, { recursive: true, encoding: "utf8" }).map((name) => `${part}/${name}`),
  );
  return ["package-lock.json", ...names]
    .map((name) => {
      const { size, mtimeMs } = statSync(root + name);
      return `${name} ${size} ${mtimeMs}\n`;
    })
    .join("");
}

/** Whether what lies in a folder was built of the sources as they are now. */
export function isOfNow(built: URL, root: URL): boolean {
  const stamp = new URL(STAMP, built);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === stampOf(fileURLToPath(root));
}
