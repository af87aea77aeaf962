import { expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { harness } from "./words-harness.ts";

const settings = { REELAY_LOG_LEVEL: "debug" };

it("what Telegram does not take is said to be that, and what was done stays done, once", async () => {
  await using at = await harness({ settings });
  const ann = await at.regular({ name: "Ann" });
  // As often as a call is tried.
  at.telegram.fails("sendMessage", { kind: "internal" }, 6);
  ann.says("/withdraw");
  await ann.sees(/answer could not be posted/);
  expect(await (await Audit.open(at.database, "digest")).read({ act: "withdraw", limit: 10 })).toHaveLength(
    2,
  );
  const log = at.lines.join("");
  expect(log).toContain("An answer was not taken by its platform");
  expect(log).not.toMatch(/"internal"|A command failed|could not be dealt with/);
});
