import { join } from "node:path";
import { expect, it } from "vitest";
import { SharedRole } from "../../../src/infrastructure/storage/shared-role.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { testDatabase } from "../../support/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

it("a role that could not be begun is ended and begun anew, not held by somebody who does nothing", async () => {
  const database = await testDatabase(join(temporaryFolder(), "reelay.db"));
  const role = new SharedRole(database, "telegram", makeLogger({ level: "silent" }));
  const steps: string[] = [];
  await role.play({
    async begin() {
      steps.push("begin");
      if (steps.length === 1) throw new Error("the database was away");
    },
    async end() {
      steps.push("end");
    },
  });
  await expect.poll(() => steps).toEqual(["begin", "end", "begin"]);
  expect(role.isOurs).toBe(true);
  await role.leave();
  expect(steps.at(-1)).toBe("end");
  await database.close();
});
