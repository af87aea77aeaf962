import { expect, it } from "vitest";
import { testCore } from "../../support/core.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

it("a button of what has none is said to be none: nobody gave it an option", async () => {
  await using sandbox = await testSandbox();
  await using core = await testCore(sandbox);
  for (const token of ["delete-all", "delete-all:", "delete-all:1"]) {
    await core.surface.intake.act(person("ann"), token);
    expect(core.surface.showing("problem").at(-1)?.problem).toMatchObject({ code: "unknown_command" });
  }
  await core.surface.intake.act(person("ann"), "delete-all-now:1");
  expect(core.surface.showing("problem").map(({ problem }) => problem.code)).not.toContain("field_unknown");
});
