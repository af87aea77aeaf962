import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import equivalents from "./equivalents.json" with { type: "json" };
import { changed, changesOf } from "./operators.ts";

/** What is tried: what pays, what keeps limits, keys and time, what calls a result whole, and what refuses. */
const PLACES = [
  "adapters/http/jobs/idempotency.ts",
  "src/common/likely-key.ts",
  "src/common/own-secrets.ts",
  "src/common/said-key.ts",
  "src/common/time.ts",
  "src/domain/commands/moderate.ts",
  "src/domain/jobs",
  "src/domain/keys",
  "src/domain/policy",
  "src/domain/reports",
  "src/domain/webhooks",
  "src/infrastructure/api/transport/answer.ts",
  "src/infrastructure/media/whole",
  "src/infrastructure/net",
  "src/infrastructure/queue",
  "src/infrastructure/storage/clock.ts",
  "src/infrastructure/storage/exclusive.ts",
  "src/infrastructure/storage/keeper.ts",
  "src/infrastructure/vault",
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
  /** Why it behaves as the original, where `equivalents.json` says so. */
  readonly reason: string | undefined;
}

/**
 * Every mutant of these places, or of all.
 *
 * @param only each `folder`, `file` or `file:first-last`, lines counted from 1.
 * @throws Error where `equivalents.json` lists what is no mutant (any more), or more than one
 */
export function mutantsOf(only: readonly string[] = [""]): Mutant[] {
  const mutants = PLACES.flatMap(sourcesIn).flatMap(mutantsIn);
  for (const known of equivalents) {
    const { length } = mutants.filter((mutant) => isSame(known, mutant));
    if (length !== 1) throw new Error(`equivalents.json: ${known.file}: ${length} mutants: ${known.after}`);
  }
  const places = only.map((place) => /^(.*?)(?::(\d+)-(\d+))?$/.exec(place) ?? []);
  return mutants.filter(({ file, line }) =>
    places.some(
      ([, path = "", first = 1, last = Infinity]) =>
        file.startsWith(path) && line >= Number(first) && line <= Number(last),
    ),
  );
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
    const lines = {
      file,
      before: oneSpaced(original.slice(from, to)),
      after: oneSpaced(source.slice(from, to + source.length - original.length)),
    };
    const line = original.slice(0, change.start).split("\n").length;
    const reason = equivalents.find((known) => isSame(known, lines))?.reason;
    return Object.assign(lines, { line, source, reason });
  });
}

type Lines = Pick<Mutant, "file" | "before" | "after">;

function isSame(one: Lines, other: Lines): boolean {
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
