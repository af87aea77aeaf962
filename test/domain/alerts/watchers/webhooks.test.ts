import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { Sighting } from "../../../../src/domain/alerts/alert.ts";
import { watchWebhooks } from "../../../../src/domain/alerts/watchers/webhooks.ts";
import { PartnerBook } from "../../../../src/domain/partners/partner-book.ts";
import { ACME, harness, type Harness, HOUR, MINUTE, receiver, says, tried } from "../../webhooks/harness.ts";

const watching = (acme: Harness) => watchWebhooks(acme.database, acme.now).look(new AbortController().signal);

/** What tells an endpoint at its address. */
const nameAt = ({ id, url }: { readonly id: string; readonly url: string }) =>
  `${id}:${createHash("sha256").update(url).digest("hex").slice(0, 8)}`;

const isOver = async (acme: Harness, [alert]: readonly Sighting[]) =>
  alert && (await watchWebhooks(acme.database, acme.now).removed?.isRemoved(alert));

/** A partner with one endpoint. */
async function acmeAt(url: string) {
  const acme = await harness();
  const caps = { caps: {}, userCaps: {}, requestsPerMinute: 1 };
  const partner = { id: "acme", name: "Acme", platform: "acme", createdAt: 0, ...caps };
  await new PartnerBook(acme.database).add({ partner, tokens: [] });
  const { endpoint } = await acme.webhooks.create(ACME, { url, events: ["job.completed"] });
  const seen = (kind: "webhook_dead" | "webhook_gone") => [
    { kind, of: nameAt(endpoint), params: { partner: "acme", webhook: endpoint.id } },
  ];
  acme.dispatcher.start();
  return { acme, endpoint, dead: seen("webhook_dead"), gone: seen("webhook_gone") };
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
  const { acme, endpoint, gone } = await acmeAt(hook.url);
  await using _ = acme;
  await acme.tell();
  await acme.log(tried(1));
  expect(await watching(acme)).toEqual(gone);
  expect(await isOver(acme, gone)).toBe(false);
  await acme.webhooks.change(ACME, endpoint.id, { enabled: true });
  expect(await isOver(acme, gone)).toBe(true);
  expect(await watching(acme)).toEqual([]);
  await acme.webhooks.change(ACME, endpoint.id, { enabled: false });
  expect(await watching(acme)).toEqual([]);
});

it.each<[string, (acme: Harness, id: string, url: string) => Promise<unknown>]>([
  ["its endpoint is deleted", (acme, id) => acme.webhooks.remove(ACME, id)],
  ["its endpoint is switched off", (acme, id) => acme.webhooks.change(ACME, id, { enabled: false })],
  ["its address is replaced", (acme, id, url) => acme.webhooks.change(ACME, id, { url: `${url}/other` })],
  ["its partner is removed", (acme) => acme.webhooks.forgetUser(ACME)],
])("is over at once when %s", async (_what, remove) => {
  await using hook = await receiver(says(500));
  const { acme, endpoint, dead } = await acmeAt(hook.url);
  await using _ = acme;
  await acme.tell();
  await acme.log(tried(1));
  for (const [count, pause] of [MINUTE, 10 * MINUTE, HOUR].entries()) {
    acme.later(pause);
    await acme.log(tried(count + 2));
  }
  expect(await watching(acme)).toEqual(dead);
  expect(await isOver(acme, dead)).toBe(false);
  await remove(acme, endpoint.id, hook.url);
  expect(await isOver(acme, dead)).toBe(true);
  expect(await watching(acme)).toEqual([]);
});
