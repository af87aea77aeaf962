import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { openAlertDesk } from "../../../src/app/alerts/desk.ts";
import { openAlerts } from "../../../src/app/alerts/open.ts";
import { readConfig } from "../../../src/app/config.ts";
import { ownRole } from "../../../src/common/role.ts";
import { OPERATOR } from "../../../src/domain/webhooks/deliveries.ts";
import { folderStore } from "../../../src/infrastructure/media/files/files.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { MemorySurface } from "../../support/surface.ts";
import { harness, receiver, says } from "../../domain/webhooks/harness.ts";

const CHAT = "telegram:-10012";

it("a test reaches every place while a server runs, and says where none does", async () => {
  await using hook = await receiver(says(204));
  await using acme = await harness();
  const { database, vault, folder } = acme;
  const settings = readConfig({
    REELAY_DATA: folder,
    REELAY_ALERTS_TO: `${CHAT}, ${hook.url}?key=secret`,
    REELAY_PRIVATE_HOSTS: "127.0.0.1",
    REELAY_LOG_LEVEL: "silent",
  });
  const desk = openAlertDesk(settings, database, 1_000);
  const { origin } = new URL(hook.url);
  expect(await desk.test()).toEqual([
    { place: CHAT, outcome: "waiting" },
    { place: origin, outcome: "waiting" },
  ]);
  const chat = new MemorySurface("telegram");
  const alerts = openAlerts({
    settings,
    database,
    vault,
    files: folderStore(folder),
    log: makeLogger({ level: "silent" }),
    transport: { egresses: [] },
    surfaces: [chat, new MemorySurface("web")],
    platforms: () => [],
    keys: { look: async () => [], pool: { all: async () => [] } },
    role: ownRole(),
  });
  await alerts.start();
  // Its clock stands still; what is told is told by the time as it is.
  acme.later(60_000);
  acme.dispatcher.start();
  await chat.until(() => chat.showing("notice").length === 1);
  await hook.atLeast(1);
  const answer = openAlertDesk(settings, database, 60_000).test();
  expect(await answer).toEqual([
    { place: CHAT, outcome: "told" },
    { place: origin, outcome: "told" },
  ]);
  expect(await desk.list()).toEqual([]);
  await alerts.stop();
  const [{ body, headers } = { body: "", headers: {} }] = hook.arrived;
  const secret = await acme.webhooks.callbackSecret(OPERATOR);
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: "alert.test",
  });
});
