import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

/** SHA-256 of files, in hex; null for one that is missing, or empty. */
export function digestsOf({ paths }: { readonly paths: readonly string[] }): Promise<(string | null)[]> {
  return Promise.all(
    paths.map(async (path) => {
      const content = await readFile(path).catch(() => undefined);
      return content?.length ? createHash("sha256").update(content).digest("hex") : null;
    }),
  );
}
