import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { admission } from "./admission.ts";
import { cluster } from "./cluster.ts";
import { console } from "./console.ts";
import { conversation } from "./conversation.ts";
import { discord } from "./discord.ts";
import { fuzz } from "./fuzz.ts";
import { gateway } from "./gateway.ts";
import { keys } from "./keys.ts";
import { kills } from "./kills.ts";
import { limiter } from "./limiter.ts";
import { mix } from "./mix.ts";
import { move } from "./move.ts";
import { page } from "./page.ts";
import { policy } from "./policy.ts";
import { polling } from "./polling.ts";
import { say, type Section } from "./support/report.ts";
import { start } from "./start.ts";
import { statements } from "./statements.ts";
import { telegram } from "./telegram.ts";
import { throughput } from "./throughput.ts";
import { turn } from "./turn.ts";
import { upload } from "./upload.ts";
import { words } from "./words.ts";

const BENCHES: Readonly<Record<string, () => Promise<Section>>> = {
  limiter,
  polling,
  mix,
  upload,
  turn,
  telegram,
  discord,
  console,
  conversation,
  gateway,
  admission,
  fuzz,
  statements,
  page,
  start,
  keys,
  kills,
  cluster,
  throughput,
  move,
  policy,
  words,
};

const HEAD = `# Measured

Made by \`npm run bench\`, or \`npm run bench -- NAME\` for one section; nothing here is written by hand. Every figure is
compared with a peer or a bound that was measured in the same run, so read the ratios: the absolute times belong to the
machine.`;

const RESULTS = new URL("RESULTS.md", import.meta.url);

/** Runs the benches that are named, or all; each replaces its own section of RESULTS.md. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) {
    process.stderr.write(
      `There is no bench ${unknown.join(", ")}; there is ${Object.keys(BENCHES).join(", ")}.\n`,
    );
    process.exitCode = 2;
    return;
  }
  const known = await sectionsOf(RESULTS);
  const sections: string[] = [];
  for (const [name, run] of Object.entries(BENCHES)) {
    const before = known.get(name);
    if (names.length === 0 || names.includes(name)) {
      say(`${name} ...`);
      const { title, text } = await run();
      sections.push(`## ${title}\n\n${mark(name)}\n\n${where()}\n\n${text}`);
      say(`\n${text}\n`);
    } else if (before !== undefined) sections.push(before);
  }
  await writeFile(RESULTS, `${[HEAD, ...sections].join("\n\n")}\n`);
}

/** Tells sections apart, whatever their titles say. */
const mark = (name: string) => `<!-- bench: ${name} -->`;

function where(): string {
  const machine = `${availableParallelism()} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
  return `${machine}, ${new Date().toISOString().slice(0, 10)}.`;
}

/** The sections of an earlier run, by bench. */
async function sectionsOf(file: URL): Promise<ReadonlyMap<string, string>> {
  const [, ...sections] = (await readFile(file, "utf8")).trimEnd().split(/\n\n(?=## )/);
  return new Map(sections.map((text) => [/<!-- bench: (\S+) -->/.exec(text)?.[1] ?? "", text]));
}

await main(process.argv.slice(2));
