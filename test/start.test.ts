import { describe, expect, it } from "vitest";
import { countOf, modulesOf } from "./support/modules.ts";
import { testSandbox } from "./support/sandbox.ts";

/** What only a server, or a picture, needs; each takes longer to load than a whole small command. */
const UNUSED = new Set(["telegraf", "discord.js", "sharp", "@modelcontextprotocol/sdk", "oauth4webapi"]);

describe.concurrent("a command loads no more than it uses", () => {
  it.each([["--help"], ["help"], ["--version"]])("%s: what prints it, in all languages", async (command) => {
    const modules = await modulesOf([command]);
    expect([...modules.keys()].toSorted()).toEqual(
      [
        "adapters/cli",
        "commander",
        "i18next",
        "locales",
        "src/common",
        "src/main",
        "src/seam",
        "tools",
      ].toSorted(),
    );
    expect(countOf(modules)).toBeLessThan(60);
  });

  it("balance: the service and the database, and nothing of a platform", async () => {
    await using sandbox = await testSandbox();
    const modules = await modulesOf(["balance"], {
      REELAY_API_URL: sandbox.url,
      REELAY_API_KEY: sandbox.keys.pro,
    });
    expect(modules.get("src/domain")).toBeGreaterThan(0);
    expect([...modules.keys()].filter((name) => UNUSED.has(name))).toEqual([]);
    expect([...modules.keys()].filter((name) => name.startsWith("adapters/"))).toEqual(["adapters/cli"]);
    expect(countOf(modules)).toBeLessThan(1_000);
  });
});
