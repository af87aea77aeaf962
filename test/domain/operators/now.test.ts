import { join } from "node:path";
import { expect, it } from "vitest";
import { RATE_LIMITS } from "../../../src/common/contract.ts";
import { lookNow } from "../../../src/domain/operators/now.ts";
import { WindowLog } from "../../../src/infrastructure/queue/window-log.ts";
import { testDatabase } from "../../support/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

it("shows the windows of each address that requests leave by, also the empty ones, and those of other nodes", async () => {
  const database = await testDatabase(join(temporaryFolder(), "reelay.db"));
  const log = new WindowLog(database, 60_000);
  for (const egress of ["egress:b", "egress:b", "egress:another"])
    await log.take("video", ["key:k", egress], RATE_LIMITS.video);
  const { limits } = await lookNow({
    database,
    runner: "me",
    egresses: ["a", "b"],
    platforms: () => [],
    alerts: undefined,
    silentSince: () => undefined,
  });
  await database.close();
  const videos = limits.filter(({ group }) => group === "video");
  expect(videos.map(({ scope, used }) => [scope, used])).toEqual([
    ["egress:a", 0],
    ["egress:b", 2],
    ["egress:another", 1],
    ["key", 3],
  ]);
});
