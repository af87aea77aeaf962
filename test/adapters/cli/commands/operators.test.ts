import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import { readConfig } from "../../../../src/app/config.ts";
import { addressOf } from "../../../../src/seam/config.ts";
import type { Database } from "../../../../src/infrastructure/storage/database.ts";
import type { Operators } from "../../../../src/seam/access/operators.ts";
import { testDatabase } from "../../../support/database.ts";
import { testOperators } from "../../../support/operators.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { scriptedRuntime } from "../support/runtime.ts";
import { Terminal } from "../support/terminal.ts";

const config = readConfig({ REELAY_PUBLIC_URL: "https://reelay.example" });

describe("reelay operators", () => {
  let database: Database;
  let operators: Operators;
  beforeEach(async () => {
    database = await testDatabase(join(temporaryFolder(), "reelay.db"));
    operators = await testOperators(config, database);
  });
  afterEach(() => database.close());

  async function reelay(...args: readonly string[]) {
    const terminal = new Terminal({ env: { LANG: "en" } });
    const { runtime } = scriptedRuntime({
      runtime: { address: async () => addressOf(config), operators: (work) => work(operators) },
    });
    const code = await runCli(["operators", ...args], runtime, terminal);
    return { code, event: JSON.parse(terminal.stdout.text) as Record<string, unknown> };
  }

  it("prints a link that lets somebody in once, and lists them", async () => {
    const { event } = await reelay("invite", "--role", "moderator");
    expect(event).toMatchObject({ event: "operator_link", operator: { role: "moderator", name: null } });
    const url = new URL(String(event["url"]));
    expect([url.origin, url.pathname]).toEqual(["https://reelay.example", "/"]);
    await operators.enter(url.hash.slice("#join=".length), "Ann");
    const { event: list } = await reelay("list");
    expect(list).toMatchObject({
      operators: [
        { id: "web:me", role: "owner" },
        { name: "Ann", role: "moderator", invitedBy: "cli:me" },
      ],
    });
    expect(JSON.stringify(list)).not.toContain("digest");
  });

  it("changes a role by name, makes a link for another device, and removes somebody at once", async () => {
    const { token } = await operators.invite("viewer", "web:me");
    await operators.enter(token, "Ann");
    const { event } = await reelay("role", "ann", "operator");
    expect(event).toMatchObject({ event: "operator", operator: { name: "Ann", role: "operator" } });
    expect((await reelay("link", "Ann")).event["url"]).toMatch(/^https:\/\/reelay\.example\/#enter=/);
    const removed = await reelay("remove", "Ann", "--yes");
    expect(removed.event).toMatchObject({ event: "operator_removed", operator: { name: "Ann" } });
    expect((await reelay("role", "Ann", "viewer")).event).toMatchObject({ code: "operator_unknown" });
  });

  it.each([
    [["remove", "web:me", "--yes"], "terminal_owner"],
    [["role", "web:me", "viewer"], "terminal_owner"],
    [["remove", "Bob", "--yes"], "operator_unknown"],
    [["remove", "web:me"], "not_confirmed"],
    [["remove", "Bob"], "operator_unknown"],
    [["invite"], "usage"],
    [["invite", "--role", "king"], "value_invalid"],
    [["role", "web:me", "king"], "value_invalid"],
  ])("refuses %j: %s", async (args, code) => {
    const refused = await reelay(...args);
    expect(refused.code).toBe(EXIT.refused);
    expect(refused.event).toMatchObject({ event: "problem", code });
    expect(await operators.list()).toHaveLength(1);
  });
});
