import { expect, it } from "vitest";
import { testSandbox } from "../../support/sandbox.ts";
import { isNotice, lastSaid, madeInGroup, member, shownFirst, harness } from "./harness.ts";

it("takes what somebody posted in a group away with them: nobody could report it any more", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeInGroup(core);
  const { intake } = core.surface;
  await intake.act(member("ann"), `forget-now:${Date.now() + 60_000}`);
  expect(isNotice(shownFirst(core), "job.deleted")).toBe(true);
  await intake.act(member("bob"), `report:${job}`);
  expect(lastSaid(core.surface)).toBe("stale_button");
});
