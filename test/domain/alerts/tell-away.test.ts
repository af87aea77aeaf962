import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { AwayTeller } from "../../../src/domain/alerts/tell-away.ts";
import { OPERATOR } from "../../../src/domain/webhooks/deliveries.ts";
import { Surfaces } from "../../../src/seam/surface/surfaces.ts";
import { MemorySurface } from "../../support/surface.ts";
import { harness, receiver, says } from "../webhooks/harness.ts";
import { CHAT } from "./harness.ts";

const { signal } = new AbortController();

it("chats and addresses are told that the database is away, without it, with a signature", async () => {
  await using hook = await receiver(says(204));
  const { database, vault, now, webhooks, ...acme } = await harness();
  const chat = new MemorySurface("telegram");
  const surfaces = new Surfaces([chat], []);
  const places = [CHAT, hook.url, "discord:1"];
  const away = new AwayTeller({ places, locale: "en", vault, surfaces, privateHosts: ["127.0.0.1"], now });
  await away.prepare();
  const secret = await webhooks.callbackSecret(OPERATOR);
  await acme.dispatcher.stop();
  await database.close();
  expect(await away.tell(signal)).toBe(true);
  expect(chat.showing("notice").map(({ text }) => text.key)).toEqual(["alert.storage_away"]);
  const [{ body, headers } = { body: "", headers: {} }] = hook.arrived;
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: "alert.began",
    data: { alert: "storage_away" },
  });
});

it("nobody was told where no place takes it", async () => {
  await using hook = await receiver(says(500));
  await using acme = await harness();
  const { vault, now } = acme;
  const surfaces = new Surfaces([], []);
  const away = new AwayTeller({
    places: [CHAT, hook.url],
    locale: "en",
    vault,
    surfaces,
    privateHosts: ["127.0.0.1"],
    now,
  });
  await away.prepare();
  expect(await away.tell(signal)).toBe(false);
});
