import { expect, it } from "vitest";
import { madeInGroup, member, operator, harness } from "../reports/harness.ts";
import { testSandbox } from "../../support/sandbox.ts";

it("sends nothing more of somebody who is blocked: what waits in the queue is refused, and costs nothing", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeInGroup(core);
  const { intake } = core.surface;
  for (let number = 0; number < 20; number++)
    await intake.command(member("ann"), "image", { prompt: `lighthouse ${number}` });
  await core.page.intake.act(operator, `block:${job}`);
  const sent = (await sandbox.ledger()).submissions.length;
  const refused = () => core.surface.showing("problem").filter(({ problem }) => problem.code === "blocked");
  await core.surface.until(() => refused().length > 0);
  const rows = () => core.database.kysely.selectFrom("jobs").select(["state", "cost"]).execute();
  await expect.poll(async () => (await rows()).filter(({ state }) => state === "queued")).toEqual([]);
  // The one that was on its way at that moment.
  expect((await sandbox.ledger()).submissions.length).toBeLessThanOrEqual(sent + 1);
  expect(refused().every(({ charged }) => charged === 0)).toBe(true);
  // Others go on.
  expect(await intake.command(member("bob"), "image", { prompt: "waves" })).toBe(true);
});
