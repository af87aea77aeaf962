import { join } from "node:path";
import { expect, it } from "vitest";
import { RATE_LIMITS } from "../../../src/common/contract.ts";
import { lookNow, type NowParts } from "../../../src/domain/operators/now.ts";
import { WindowLog } from "../../../src/infrastructure/queue/window-log.ts";
import { testDatabase } from "../../support/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { ACME, harness, receiver, says, tried } from "../webhooks/harness.ts";

const look = (database: NowParts["database"], egresses: readonly string[] = []) =>
  lookNow({
    database,
    runner: "me",
    egresses,
    platforms: () => [],
    alerts: undefined,
    silentSince: () => undefined,
  });

it("shows the windows of each address that requests leave by, also the empty ones, and those of other nodes", async () => {
  const database = await testDatabase(join(temporaryFolder(), "reelay.db"));
  const log = new WindowLog(database, 60_000);
  for (const egress of ["egress:b", "egress:b", "egress:another"])
    await log.take("video", ["key:k", egress], RATE_LIMITS.video);
  const { limits } = await look(database, ["a", "b"]);
  await database.close();
  const videos = limits.filter(({ group }) => group === "video");
  expect(videos.map(({ scope, used }) => [scope, used])).toEqual([
    ["egress:a", 0],
    ["egress:b", 2],
    ["egress:another", 1],
    ["key", 3],
  ]);
});

it("says at how many addresses the newest message was given up, until they are switched on again and one arrives, or are gone", async () => {
  await using hook = await receiver(says(410), says(204), says(410));
  await using acme = await harness();
  const { endpoint } = await acme.webhooks.create(ACME, { url: hook.url, events: ["job.completed"] });
  const givenUp = async () => (await look(acme.database)).health.webhooks;
  acme.dispatcher.start();
  expect(await givenUp()).toEqual({ due: 0, oldestMs: 0, givenUp: 0 });
  await acme.tell();
  await acme.log(tried(1));
  expect(await givenUp()).toEqual({ due: 0, oldestMs: 0, givenUp: 1 });
  await acme.webhooks.change(ACME, endpoint.id, { enabled: true });
  expect(await givenUp()).toMatchObject({ givenUp: 1 });
  await acme.tell({ job: "j2", data: { id: "j2" } });
  await acme.log((all) => all.some(({ state }) => state === "delivered"));
  expect(await givenUp()).toMatchObject({ givenUp: 0 });
  await acme.tell({ job: "j3", data: { id: "j3" } });
  await acme.log((all) => all.filter(({ state }) => state === "dropped").length === 2);
  expect(await givenUp()).toMatchObject({ givenUp: 1 });
  await acme.webhooks.remove(ACME, endpoint.id);
  expect(await givenUp()).toMatchObject({ givenUp: 0 });
});
