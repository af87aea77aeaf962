import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { hearOthers } from "../../../src/app/setup/hear-others.ts";
import { InForce } from "../../../src/app/setup/in-force.ts";
import { resolve } from "../../../src/app/setup/resolve.ts";
import { RulesDesk } from "../../../src/app/setup/rules-desk.ts";
import { connectPostgres } from "../../../src/infrastructure/storage/postgres/connect.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { openVault } from "../../../src/infrastructure/vault/open.ts";
import { startPostgres } from "../../support/postgres.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

/** A node that shares a database with others. */
async function node(address: string) {
  const env = {
    REELAY_DATA: temporaryFolder(),
    REELAY_SECRET: "a secret for tests only",
    REELAY_STORE: address,
  };
  const log = makeLogger({ level: "silent" });
  const resolved = await resolve(env);
  const database = await connectPostgres(address);
  onTestFinished(() => database.close());
  const vault = await openVault(resolved.config, database, log);
  let reopened = 0;
  const inForce = new InForce(env, resolved, () => (reopened += 1));
  hearOthers({ database, vault, log }, inForce);
  const desk = new RulesDesk({ inForce, database, vault, log });
  const set = async (name: string, value: string) => {
    const rules = (await desk.state()).groups.flatMap((group) => group.rules);
    const version = rules.find((rule) => rule.name === name)?.version ?? 0;
    return desk.change(name, { value, version }, "web:op-ann");
  };
  return { inForce, set, reopened: () => reopened };
}

describe.runIf(server)("a rule that is changed on one of two nodes", () => {
  it("is in force on the other, too: at once, or by opening that one anew", async () => {
    const address = (await server?.createDatabase()) ?? "";
    const [here, there] = [await node(address), await node(address)];
    // What was rung for before the other one listened, it never hears.
    await expect
      .poll(
        async () => {
          await here.set("REELAY_DAILY_CAP", "6");
          await here.set("REELAY_DAILY_CAP", "7");
          return there.inForce.config.policy.dailyCap;
        },
        { interval: 200 },
      )
      .toBe(7);
    expect(there.reopened()).toBe(0);
    await here.set("REELAY_KEEP_DAYS", "30");
    // A ring that came late is for the same, and whoever opens everything anew does so once for several (`Serving`).
    await expect.poll(() => there.reopened()).toBeGreaterThan(0);
  });
});
