import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { discord } from "./discord.ts";
import { limiter } from "./limiter.ts";
import { polling } from "./polling.ts";
import { say, type Section } from "./support/report.ts";
import { telegram } from "./telegram.ts";
import { turn } from "./turn.ts";
import { upload } from "./upload.ts";

const BENCHES: Readonly<Record<string, () => Promise<Section>>> = {
  limiter,
  polling,
  upload,
  turn,
  telegram,
  discord,
};

const HEAD = `# Measured

Made by \`npm run bench\`; nothing here is written by hand. Every figure is compared with a peer or a bound that was
measured in the same run, so read the ratios: the absolute times belong to the machine.`;

/** Runs the benches that are named, or all; only a run of all of them writes RESULTS.md. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) {
    process.stderr.write(
      `There is no bench ${unknown.join(", ")}; there is ${Object.keys(BENCHES).join(", ")}.\n`,
    );
    process.exitCode = 2;
    return;
  }
  const sections: string[] = [];
  for (const [name, run] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    say(`${name} ...`);
    const { title, text } = await run();
    sections.push(`## ${title}\n\n${text}`);
    say(`\n${text}\n`);
  }
  if (names.length > 0) return;
  const machine = `${availableParallelism()} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
  const day = new Date().toISOString().slice(0, 10);
  await writeFile(
    new URL("RESULTS.md", import.meta.url),
    `${[HEAD, `${machine}, ${day}.`, ...sections].join("\n\n")}\n`,
  );
}

await main(process.argv.slice(2));
