import { expect, it } from "vitest";
import { watchWebhooks } from "../../../../src/domain/alerts/watchers/webhooks.ts";
import { PartnerBook } from "../../../../src/domain/partners/partner-book.ts";
import { ACME, harness, type Harness, HOUR, MINUTE, receiver, says, tried } from "../../webhooks/harness.ts";

const watching = (acme: Harness) => watchWebhooks(acme.database, acme.now).look(new AbortController().signal);

/** A partner with one endpoint. */
async function acmeAt(url: string) {
  const acme = await harness();
  const caps = { caps: {}, userCaps: {}, requestsPerMinute: 1 };
  const partner = { id: "acme", name: "Acme", platform: "acme", createdAt: 0, ...caps };
  await new PartnerBook(acme.database).add({ partner, tokens: [] });
  const { endpoint } = await acme.webhooks.create(ACME, { url, events: ["job.completed"] });
  const dead = [{ kind: "webhook_dead", of: endpoint.id, params: { partner: "acme", webhook: endpoint.id } }];
  acme.dispatcher.start();
  return { acme, endpoint, dead };
}

it("an endpoint is dead once it has taken nothing for half an hour, until something arrives", async () => {
  await using hook = await receiver(...Array.from({ length: 5 }, () => says(500)), says(204));
  const { acme, dead } = await acmeAt(hook.url);
  await using _ = acme;
  await acme.tell();
  await acme.log(tried(1));
  for (const [count, pause] of [MINUTE, 10 * MINUTE, HOUR].entries()) {
    expect(await watching(acme)).toEqual([]);
    acme.later(pause);
    await acme.log(tried(count + 2));
  }
  expect(await watching(acme)).toEqual(dead);
  acme.later(3 * HOUR);
  await acme.log(tried(5));
  expect(await watching(acme)).toEqual(dead);
  // Whatever arrives after it says that it lives.
  await acme.tell({ job: "j2", data: { id: "j2" } });
  await acme.log(tried(6));
  expect(await watching(acme)).toEqual([]);
});

it("an endpoint is dead that says so, until it is switched on again; one that its partner switched off is not", async () => {
  await using hook = await receiver(says(410));
  const { acme, endpoint, dead } = await acmeAt(hook.url);
  await using _ = acme;
  await acme.tell();
  await acme.log(tried(1));
  expect(await watching(acme)).toEqual(dead);
  await acme.webhooks.change(ACME, endpoint.id, { enabled: true });
  expect(await watching(acme)).toEqual([]);
  await acme.webhooks.change(ACME, endpoint.id, { enabled: false });
  expect(await watching(acme)).toEqual([]);
});
