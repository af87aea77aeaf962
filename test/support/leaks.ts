import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";

/** What is in all files of some folders, databases with their side files too. */
export async function contentsOf(...folders: readonly string[]): Promise<readonly string[]> {
  const names = await Promise.all(folders.map(listOf));
  const files = names.flat().filter((entry) => entry.isFile());
  // A file that is only there for a moment may be gone by now.
  const read = files.map((file) => readFile(join(file.parentPath, file.name), "latin1").catch(() => ""));
  const contents = await Promise.all(read);
  expect(contents.join("")).toContain("SQLite format 3");
  return contents;
}

/** A folder that is removed meanwhile is not there when it is listed anew. */
async function listOf(folder: string): Promise<Dirent[]> {
  const list = () => readdir(folder, { recursive: true, withFileTypes: true });
  return list().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return listOf(folder);
  });
}

/** What stands around a secret in those texts that hold it. */
export function holding(secret: string, texts: readonly string[]): readonly string[] {
  const found = texts.filter((text) => text.includes(secret));
  return found.map((text) => text.slice(Math.max(0, text.indexOf(secret) - 120)).slice(0, 300));
}
