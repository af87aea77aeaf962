import { expect, it } from "vitest";
import type { View } from "../../../src/seam/views.ts";
import { testCore } from "../../support/core.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

const ann = person("ann");

it("what the service refuses for what is in it can be changed, not sent again as it is", async () => {
  await using sandbox = await testSandbox();
  // A video as long as this is for a higher tier alone (section 4.7).
  await using core = await testCore(sandbox, { sharedKey: sandbox.keys.pro });
  const last = (): View | undefined => core.surface.messages.at(-1)?.views.at(-1);
  await core.surface.intake.command(ann, "h3-text", { prompt: "a heron at dawn", duration: 20 });
  await core.surface.until(() => last()?.kind === "problem");
  expect(last()).toMatchObject({
    problem: { code: "bad_request" },
    charged: 0,
    actions: [{ label: { key: "action.change" }, style: "primary" }],
  });
  expect((await sandbox.ledger()).submissions).toEqual([]);
});
