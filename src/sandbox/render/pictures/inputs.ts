import { existsSync } from "node:fs";
import { join } from "node:path";

/** The most pictures that one result is made of. */
const MOST = 5;
const NAMES: readonly string[] = Array.from({ length: MOST }, (_, index) => `input-${index}.jpg`);

/** Files of a job's folder, for the pictures that its result is made of; in their order. */
export function inputFiles(pictures: readonly Buffer[]): Record<string, Buffer> {
  return Object.fromEntries(pictures.map((picture, index) => [NAMES[index], picture]));
}

/** Paths of the pictures in a job's folder, in their order. */
export function inputPaths(dir: string): readonly string[] {
  return NAMES.map((name) => join(dir, name)).filter((path) => existsSync(path));
}
