import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import packageFile from "../package.json" with { type: "json" };
import { countOf, modulesOf } from "./support/modules.ts";
import { testSandbox } from "./support/sandbox.ts";

/** What only a server, a picture, a question or a word that hides another needs. */
const UNUSED = new Set([
  "@clack/prompts",
  "@fastify/busboy",
  "@hono/node-server",
  "@modelcontextprotocol/server",
  "discord.js",
  "hono",
  "oauth4webapi",
  "sharp",
  "telegraf",
  "unhomoglyph",
]);

describe.concurrent("a command loads no more than it uses", () => {
  it.each([["--help"], ["help"], ["--version"]])(
    "%s: what prints it, and no language but by its file",
    async (command) => {
      const modules = await modulesOf([command]);
      expect([...modules.keys()].toSorted()).toEqual(
        ["adapters/cli", "commander", "src/common", "src/main", "src/seam"].toSorted(),
      );
      expect(countOf(modules)).toBeLessThan(40);
    },
  );

  it("balance: the service and the database, and nothing of a platform", async () => {
    await using sandbox = await testSandbox();
    const modules = await modulesOf(["balance"], {
      REELAY_API_URL: sandbox.url,
      REELAY_API_KEY: sandbox.keys.pro,
    });
    expect(modules.get("src/domain")).toBeGreaterThan(0);
    expect([...modules.keys()].filter((name) => UNUSED.has(name))).toEqual([]);
    expect([...modules.keys()].filter((name) => name.startsWith("adapters/"))).toEqual(["adapters/cli"]);
    expect(countOf(modules)).toBeLessThan(920);
  });
});

it("the image starts Node as npm does", async () => {
  const command = packageFile.scripts.start.split(" && exec ").at(-1);
  const image = await readFile(new URL("../Dockerfile", import.meta.url), "utf8");
  const [, list = "[]"] = /^CMD (\[.*\])$/m.exec(image) ?? [];
  expect((JSON.parse(list) as readonly string[]).join(" ")).toBe(command);
});
