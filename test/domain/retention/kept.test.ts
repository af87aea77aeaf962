import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { PLATFORMS } from "../../../src/seam/values.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const root = new URL("../../..", import.meta.url).pathname;
const page = readFileSync(join(root, "docs/privacy.md"), "utf8");
const [, section = ""] = page.split("## What is kept, and for how long");
const table = section.split("\n## ")[0] ?? "";

/** What the second column of the table names, but folders. */
const told = new Set(
  table
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|")[2] ?? "")
    .flatMap((cell) => [...cell.matchAll(/(?<!folder )`([\w-]+)`/g)].map(([, name = ""]) => name)),
);

/** How key-value stores are opened, and which namespace each way means; what is not here fails the test below. */
const NAMESPACE = /"([\w-]+)"|`\$\{\w+\}(-\w+)`|\b(NAMESPACE|surface|platform)\b/;

/** The namespaces that a call of `memory` in a source file opens. */
function namespacesOf(source: string, argument: string): readonly string[] {
  const [, literal, ending, constant] = NAMESPACE.exec(argument) ?? [];
  if (literal !== undefined) return [literal];
  if (ending !== undefined) return PLATFORMS.map((platform) => platform + ending);
  if (constant === "surface" || constant === "platform") return PLATFORMS;
  const [, named] = /NAMESPACE = "([\w-]+)"/.exec(source) ?? [];
  return constant !== undefined && named !== undefined ? [named] : [];
}

/** Every table; what is in `kv` is told by its namespaces. */
async function tables(): Promise<readonly string[]> {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const found = await database.kysely.introspection.getTables();
  await database.close();
  return found.filter(({ name, isView }) => !isView && name !== "kv").map(({ name }) => name);
}

/** Every namespace of the key-value stores. */
async function namespaces(): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const file of glob("{src,adapters}/**/*.ts", { cwd: root })) {
    const source = readFileSync(join(root, file), "utf8");
    if (!source.includes("storage/key-value.ts")) continue;
    const calls = [...source.matchAll(/\bmemory\(\s*[^()]*?,\s*([^()]+?)\s*\)/g)];
    expect(calls, file).toHaveLength([...source.matchAll(/(?<![.\w])memory\(/g)].length);
    for (const [call, argument = ""] of calls) {
      const names = namespacesOf(source, argument);
      expect(names.length, `${file}: ${call}`).toBeGreaterThan(0);
      for (const name of names) found.add(name);
    }
  }
  return [...found];
}

describe("the table of what is kept in docs/privacy.md", () => {
  it("names every table and every namespace there is, and no other", async () => {
    const there = [...(await tables()), ...(await namespaces())];
    expect([...told].toSorted()).toEqual([...new Set(there)].toSorted());
  });

  it("names the settings that decide", () => {
    for (const setting of ["REELAY_KEEP_DAYS", "REELAY_KEEP_AUDIT_DAYS", "REELAY_KEEP_USAGE_DAYS"])
      expect(table).toContain(setting);
  });
});
