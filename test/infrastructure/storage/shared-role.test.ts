import { join } from "node:path";
import { expect, it } from "vitest";
import { Runners } from "../../../src/domain/jobs/submission/runners.ts";
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

it("whoever has a role may do most of what all may do together, each of the others an equal part, and who is alone all of it", async () => {
  const database = await testDatabase(join(temporaryFolder(), "reelay.db"));
  const nodes = Array.from({ length: 4 }, () => new Runners(database, 6_000));
  const log = makeLogger({ level: "silent" });
  const roles = nodes.map(() => new SharedRole(database, "telegram", log));
  const part = { begin: async () => {}, end: async () => {} };
  expect(roles[0]?.share).toBe(0);
  await nodes[0]?.renew();
  await roles[0]?.play(part);
  expect(roles[0]?.share).toBe(1);
  for (const node of nodes) await node.renew();
  for (const role of roles.slice(1)) await role.play(part);
  await expect.poll(() => roles[0]?.share).toBe(0.6);
  expect(roles.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
  await nodes[3]?.stop();
  await expect.poll(() => roles[1]?.share).toBeCloseTo(0.2, 9);
  for (const role of roles) await role.leave();
  await database.close();
});
