import { join } from "node:path";
import { KnownKeys } from "../src/infrastructure/vault/known-keys.ts";
import { makeKeyWatch } from "../src/domain/keys/watch.ts";
import { openDatabase } from "../src/infrastructure/storage/database.ts";
import { drawn, KEY_SHAPES, PLAIN_SHAPES } from "../test/support/keys.ts";
import { temporaryFolder } from "../test/support/sandbox.ts";
import { prompts } from "./support/prompts.ts";
import { type Section, table } from "./support/report.ts";

const COUNT = 10_000;
const SEED = "keys, 1";
const KEYS = 1_000;
const SPEAKER = { platform: "telegram", user: "telegram:1", audience: "private" } as const;

/** How often words are taken for keys, and keys for words. */
export async function keys(): Promise<Section> {
  const database = await openDatabase(join(temporaryFolder(), "keys.db"));
  try {
    const known = new KnownKeys(database, async () => "a secret");
    const shapes = Object.entries(KEY_SHAPES);
    for (let i = 0; i < KEYS; i += 1) {
      const [shape, make] = shapes[i % shapes.length] ?? [];
      if (shape && make) await known.keep(`telegram:${i}`, make(drawn(`stored ${i}`)));
    }
    const withKey = makeKeyWatch({ known, has: async () => true });
    const without = makeKeyWatch({ known, has: async () => false });
    const all = prompts(COUNT, SEED);
    const alarms: { kind: string; text: string; withKey: boolean }[] = [];
    for (const { kind, text } of all) {
      if (await withKey.find(SPEAKER, text, "guess")) alarms.push({ kind, text, withKey: true });
      if (await without.find(SPEAKER, text, "guess")) alarms.push({ kind, text, withKey: false });
    }
    const kinds = [...new Set(all.map(({ kind }) => kind))].toSorted();
    const rows = ["all", ...kinds].map((kind) => {
      const of = kind === "all" ? all.length : all.filter((one) => one.kind === kind).length;
      const among = (has: boolean) =>
        alarms.filter((alarm) => alarm.withKey === has && (kind === "all" || alarm.kind === kind)).length;
      return [kind, String(of), share(among(true), of), share(among(false), of)];
    });
    const missed = await Promise.all(
      Object.entries({ ...KEY_SHAPES, ...PLAIN_SHAPES }).map(async ([shape, make]) => {
        const draw = drawn(`new ${shape}`);
        const fresh = Array.from({ length: 500 }, () => make(draw));
        const found = async (put: (key: string) => string) => {
          const hits = await Promise.all(fresh.map((key) => without.find(SPEAKER, put(key), "guess")));
          return share(hits.filter(Boolean).length, fresh.length);
        };
        return [shape, await found((key) => key), await found((key) => `a photo of ${key} in the rain`)];
      }),
    );
    return {
      title: "Keys among words",
      text: `${COUNT} prompts drawn from the seed \`${SEED}\`, in thirteen languages; every second one holds something that is hard to tell
from a key. ${KEYS} keys are stored. Taken for a key is what is a stored one, what is called one, and, from people who have
none, what looks like one.

${table(["Ordinary prompts", "How many", "Taken for a key, of people with a key", "of people without"], rows)}

Keys that were never seen before, from people who have none; stored ones are found wherever they stand.

${table(["Shape of the key", "Found alone", "Found among words"], missed)}`,
    };
  } finally {
    await database.close();
  }
}

const share = (count: number, of: number) => `${count} (${((100 * count) / of).toFixed(2)} %)`;
