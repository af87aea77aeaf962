import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { OPERATOR } from "../../../src/domain/webhooks/deliveries.ts";
import { openWebhooks } from "../../../src/domain/webhooks/open.ts";
import { testCore } from "../../support/core.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";
import { receiver, says } from "../webhooks/harness.ts";
import { GROUP, madeInGroup, member, operator, harness } from "./harness.ts";

const PROGRAM = fileURLToPath(new URL("../../../tools/reelay.js", import.meta.url));

describe("an address of the operator's", () => {
  it("is called with a signature at the first report and when a result is withheld, until it answers", async () => {
    await using sandbox = await testSandbox();
    await using hook = await receiver(says(204));
    const privateHosts = [new URL(hook.url).host];
    const settings = { REELAY_REPORTS_TO: hook.url, REELAY_PRIVATE_HOSTS: privateHosts.join() };
    await using core = await harness(sandbox, { settings });
    const { database, vault } = core;
    const { webhooks, dispatcher } = openWebhooks({
      database,
      vault,
      audit: await Audit.open(database, "digest"),
      surface: "cli",
      privateHosts,
      log: makeLogger({ level: "silent" }),
    });
    const secret = await webhooks.callbackSecret(OPERATOR);
    dispatcher.start();
    const job = await madeInGroup(core);
    for (const who of ["bob", "cleo"]) await core.surface.intake.act(member(who), `report:${job}`);
    await core.page.intake.act(operator, `restore:${job}`);
    await hook.atLeast(2);
    await dispatcher.stop();
    const told = hook.arrived.map(({ body, headers }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
    );
    const what = { job, operation: "image", user: "telegram:ann", chat: GROUP, surface: "telegram" };
    expect(told).toMatchObject([
      { type: "result.reported", data: { ...what, reports: 1, state: "open" } },
      { type: "result.withheld", data: { ...what, reports: 2, state: "withheld" } },
    ]);
    // The page is where it is decided; nothing is told there unasked.
    expect(core.page.messages).toHaveLength(1);
    await core.surface.intake.act(member("ann"), `delete-now:${job}`);
    expect(await database.kysely.selectFrom("webhook_deliveries").select("id").execute()).toEqual([]);
  });

  it("that may not be called stops the start, and says which setting would let it", async () => {
    await using sandbox = await testSandbox();
    const starting = testCore(sandbox, { settings: { REELAY_REPORTS_TO: "http://127.0.0.1:9/hook" } });
    await expect(starting).rejects.toThrow(/REELAY_REPORTS_TO[^]*REELAY_PRIVATE_HOSTS/);
  });

  it("that may not be called ends the program, though the sandbox was there already", async () => {
    const data = temporaryFolder();
    const env = {
      PATH: process.env["PATH"],
      REELAY_DATA: data,
      REELAY_PORT: "0",
      REELAY_REPORTS_TO: "http://127.0.0.1:9/hook",
    };
    const running = promisify(execFile)(process.execPath, [PROGRAM, "start"], {
      cwd: data,
      env,
      timeout: 200_000,
    });
    await expect(running).rejects.toMatchObject({ code: 78, killed: false });
  });
});
