import { expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { submitted } from "../../support/submitted.ts";
import { harness } from "./harness.ts";
import { cat, isResult, makingHarness } from "./making-harness.ts";

const FILL = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original";
const settings = { REELAY_LOG_LEVEL: "debug" };

it("what Discord does not take is said to be that, and what was done stays done, once", async () => {
  await using at = await harness({ settings });
  const ann = at.discord.person({ name: "Ann" });
  await at.stated([ann]);
  // As often as a call is tried.
  at.discord.fails(FILL, { kind: "internal" }, 4);
  await ann.uses("/withdraw");
  await ann.sees(/answer could not be posted/);
  expect(await (await Audit.open(at.database, "digest")).read({ act: "withdraw", limit: 10 })).toHaveLength(
    2,
  );
  const log = at.lines.join("");
  expect(log).toContain("An answer was not taken by its platform");
  expect(log).not.toMatch(/"internal"|A command failed|could not be dealt with/);
});

it("a press leads to its one job, also while what it begins with cannot be said", async () => {
  await using at = await makingHarness();
  const { on, ann, channel } = at;
  await ann.uses("/make video", { image: cat, prompt: "waves" }, { in: channel });
  const offer = await ann.sees(/costs/);
  // Longer than a call is tried.
  on.discord.fails(FILL, { kind: "internal" }, 6);
  await ann.presses(/^Make it/, { on: offer });
  await ann.sees(isResult, { in: channel });
  const now = ann.chat({ in: channel }).find(({ id }) => id === offer.id);
  expect(now).toMatchObject({ buttons: [] });
  expect(now?.text).toMatch(/^Your order: /);
  expect(await submitted(on, 1)).toEqual(["waves"]);
});
