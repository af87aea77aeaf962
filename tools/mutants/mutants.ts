import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import equivalents from "./equivalents.json" with { type: "json" };
import { changed, changesOf } from "./operators.ts";

/** What is tried: what pays, what keeps limits and keys, and what refuses. */
const PLACES = [
  "adapters/http/jobs/idempotency.ts",
  "src/jobs",
  "src/net",
  "src/policy",
  "src/queue",
  "src/vault",
  "src/webhooks",
];

/** A source with one change. */
export interface Mutant {
  /** From the repository's root. */
  readonly file: string;
  /** Where the change begins; the first is 1. */
  readonly line: number;
  readonly source: string;
  /** The lines that differ, each once without and once with the change, spaces as one. */
  readonly before: string;
  readonly after: string;
}

/**
 * Every mutant of a place, or of all; without those that behave as the original, which `equivalents.json` lists with
 * why.
 *
 * @param only `folder`, `file` or `file:first-last`, lines counted from 1.
 */
export function mutantsOf(only: string | undefined): Mutant[] {
  const [, path, first, last] = /^(.*?)(?::(\d+)-(\d+))?$/.exec(only ?? "") ?? [];
  const files = PLACES.flatMap(sourcesIn).filter((file) => file.startsWith(path ?? ""));
  return files
    .flatMap(mutantsIn)
    .filter(({ line }) => line >= Number(first ?? 1) && line <= Number(last ?? Infinity))
    .filter((mutant) => !equivalents.some((known) => isSame(known, mutant)));
}

/** `count` of them, the same for the same seed. */
export function drawn(mutants: readonly Mutant[], seed: number, count: number): Mutant[] {
  const left = [...mutants];
  const random = randomOf(seed);
  const taken: Mutant[] = [];
  while (taken.length < count && left.length > 0)
    taken.push(...left.splice(Math.floor(random() * left.length), 1));
  return taken;
}

function mutantsIn(file: string): Mutant[] {
  const original = readFileSync(file, "utf8");
  return changesOf(file, original).map((change) => {
    const from = original.lastIndexOf("\n", change.start - 1) + 1;
    const to = original.indexOf("\n", change.end);
    const source = changed(original, change);
    return {
      file,
      line: original.slice(0, change.start).split("\n").length,
      source,
      before: oneSpaced(original.slice(from, to)),
      after: oneSpaced(source.slice(from, to + source.length - original.length)),
    };
  });
}

function isSame(one: Pick<Mutant, "file" | "before" | "after">, other: Mutant): boolean {
  return one.file === other.file && one.before === other.before && one.after === other.after;
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function sourcesIn(place: string): string[] {
  if (statSync(place).isFile()) return [place];
  const files = readdirSync(place, { recursive: true, encoding: "utf8" });
  return files
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(place, name))
    .sort();
}

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
