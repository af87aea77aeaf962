import { expect, it } from "vitest";
import { examineAlerts } from "../../../src/app/alerts/doctor.ts";
import { readConfig } from "../../../src/app/config.ts";
import { serve } from "../../infrastructure/api/server.ts";

const settings = { REELAY_PRIVATE_HOSTS: "127.0.0.1" };

it("looks whether addresses answer, without showing or asking what follows their host", async () => {
  await using hook = await serve((_request, response) => void response.writeHead(404).end());
  const config = readConfig({ ...settings, REELAY_ALERTS_TO: `${hook.origin}/opens-something` });
  expect(await examineAlerts(config)).toEqual([
    { name: "alerts", ok: true, found: `${hook.origin} answers; try it out: reelay alerts test` },
  ]);
  expect(hook.requests.map(({ method, path }) => [method, path])).toEqual([["GET", "/"]]);
  const [away] = await examineAlerts(readConfig({ ...settings, REELAY_ALERTS_TO: "http://127.0.0.1:9/x" }));
  expect(away).toMatchObject({ ok: false, found: "http://127.0.0.1:9 does not answer" });
});

it("says of a chat whether its platform is switched on", async () => {
  const chat = { REELAY_ALERTS_TO: "telegram:-10012" };
  expect(await examineAlerts(readConfig(chat))).toMatchObject([{ ok: false }]);
  const on = { ...chat, TELEGRAM_BOT_TOKEN: "12345:AA-a-token-of-a-bot-for-tests" };
  expect(await examineAlerts(readConfig(on))).toMatchObject([{ ok: true }]);
});
