import { globSync, readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { TOGETHER } from "../vitest.config.ts";

const root = new URL("..", import.meta.url).pathname;

/** What each source file imports of ours, types included. */
const imports = new Map<string, ReadonlySet<string>>();
const sources = new Map<string, string>();
for await (const file of glob(["src/**/*.ts", "adapters/**/*.{ts,tsx}"], { cwd: root }))
  sources.set(file, readFileSync(join(root, file), "utf8"));
for (const [file, text] of sources) {
  const targets = [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)];
  const paths = targets.map(([, target = ""]) => relative(root, join(root, dirname(file), target)));
  imports.set(file, new Set(paths.filter((path) => sources.has(path))));
}

/** What `src` consists of, from the ground up: each part leads only to itself and to those before it. */
const FLOORS = ["common", "infrastructure", "seam", "domain", "app", "main.ts"];

const floorOf = (path: string) => FLOORS.indexOf(path.split("/")[1] ?? "");

/** As many files as can be looked over at a glance. */
const MOST_FILES = 25;

/** The circles of a graph, each by its members: its strongly connected components of more than one (Tarjan). */
function circlesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const found: string[][] = [];
  const low = new Map<string, number>();
  const path: string[] = [];
  const visit = (node: string): number => {
    const index = low.size;
    low.set(node, index);
    const depth = path.push(node) - 1;
    let lowest = index;
    for (const next of graph.get(node) ?? [])
      lowest = Math.min(
        lowest,
        path.includes(next) ? (low.get(next) ?? 0) : low.has(next) ? lowest : visit(next),
      );
    low.set(node, lowest);
    if (lowest === index) {
      const circle = path.splice(depth);
      if (circle.length > 1) found.push(circle.toSorted());
    }
    return lowest;
  };
  for (const node of graph.keys()) if (!low.has(node)) visit(node);
  return found;
}

/** Folders instead of files; a folder's own files are one room. */
function foldersOf(graph: typeof imports): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of graph) {
    const folder = dirname(file);
    const others = [...targets].map((target) => dirname(target)).filter((target) => target !== folder);
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...others]));
  }
  return folders;
}

describe("the structure", () => {
  it("is seen at all, and a circle would be", () => {
    expect(imports.size).toBeGreaterThan(500);
    const circle = new Map([
      ["a", new Set(["b"])],
      ["b", new Set(["c", "d"])],
      ["c", new Set(["a"])],
      ["d", new Set<string>()],
    ]);
    expect(circlesOf(circle)).toEqual([["a", "b", "c"]]);
  });

  it("has no files that import each other in a circle, types included", () => {
    expect(circlesOf(imports)).toEqual([]);
  });

  it("has no folders that lead to each other in a circle", () => {
    expect(circlesOf(foldersOf(imports))).toEqual([]);
  });

  it("shows src from the ground up: nothing leads to what stands above it", () => {
    // The sandbox is a house of its own.
    const own = [...sources.keys()].filter(
      (file) => file.startsWith("src/") && !file.startsWith("src/sandbox/"),
    );
    expect(own.filter((file) => floorOf(file) < 0)).toEqual([]);
    const upward = own.flatMap((file) =>
      [...(imports.get(file) ?? [])]
        .filter((to) => floorOf(to) > floorOf(file))
        .map((to) => `${file} → ${to}`),
    );
    expect(upward).toEqual([]);
  });

  it("lets nothing but its service lead to the sandbox", () => {
    const leading = [...imports].filter(
      ([file, to]) =>
        !file.startsWith("src/sandbox/") && [...to].some((path) => path.startsWith("src/sandbox/")),
    );
    expect(leading.map(([file]) => file).toSorted()).toEqual(["src/app/service.ts", "src/main.ts"]);
  });

  it(`has at most ${MOST_FILES} files in a folder`, () => {
    const sizes = Map.groupBy(sources.keys(), (file) => dirname(file));
    const large = [...sizes].filter(([, files]) => files.length > MOST_FILES);
    expect(large.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
  });

  it("begins no transaction but where it is named what it depends on", () => {
    const beginning = [...sources].filter(
      ([file, text]) => !file.startsWith("src/sandbox/") && /\b(?:start)?transaction\(\)/i.test(text),
    );
    expect(beginning.map(([file]) => file)).toEqual(["src/infrastructure/storage/exclusive.ts"]);
  });

  it("has one meaning for a name: no two exported types share one, but for what chat platforms have", () => {
    const exported = [...sources]
      // The sandbox is the service, which has words of its own.
      .filter(([file]) => !file.startsWith("src/sandbox/"))
      .flatMap(([file, text]) =>
        [...text.matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm)].map(([, name = ""]) => ({
          name,
          file,
        })),
      );
    expect(exported.length).toBeGreaterThan(500);
    const shared = [...Map.groupBy(exported, ({ name }) => name)].filter(([, places]) => places.length > 1);
    const platforms = new Set(["adapters/discord", "adapters/telegram", "adapters/whatsapp"]);
    const roles = shared.filter(([, places]) => {
      const folders = places.map(({ file }) => file.split("/", 2).join("/"));
      return new Set(folders).size === folders.length && folders.every((folder) => platforms.has(folder));
    });
    expect(
      shared
        .filter((one) => !roles.includes(one))
        .map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(" ")}`),
    ).toEqual([]);
    const glossary = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
    expect(roles.map(([name]) => name).filter((name) => !glossary.includes(`| \`${name}\``))).toEqual([]);
  });
});

const filesOf = (patterns: readonly string[]) => globSync(patterns, { cwd: root });

describe("the tests", () => {
  it("have a process to themselves where they change modules, listen to what is everybody's, count timers or measure memory", () => {
    const needs =
      /\bvi\.(?:mock|doMock|resetModules|getTimerCount)\(|\bvi\.spyOn\(globalThis\b|\bmaxRSS\b|\bmemoryUsage\b/;
    const files = filesOf(["test/**/*.test.ts"]);
    const needing = files.filter(
      (file) => file !== "test/structure.test.ts" && needs.test(readFileSync(join(root, file), "utf8")),
    );
    expect(needing.length).toBeGreaterThan(10);
    const together = filesOf(TOGETHER);
    expect(together.length).toBeGreaterThan(300);
    expect(needing.filter((file) => together.includes(file))).toEqual([]);
  });

  it("that are run quickly are there, each of them", () => {
    const [program, command, ...paths] = packageJson.scripts["test:quick"].split(" ");
    expect([program, command]).toEqual(["vitest", "run"]);
    const missing = paths.filter((path) => filesOf([`${path}*.ts`, `${path}/**/*.test.ts`]).length === 0);
    expect(missing).toEqual([]);
  });
});
