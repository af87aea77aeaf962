import { expect, it } from "vitest";
import { FailingFolder, FOLDER_FAULTS } from "../../support/failing-folder.ts";
import { ACME, allDone, harness, HOUR, receiver, says, tried } from "./harness.ts";

const answers = FOLDER_FAULTS.flatMap((fault) => [200, 500, 410].map((status) => ({ fault, status })));

it.each(answers)(
  "what came of a message, $status, is written once, as soon as it can be: $fault",
  async (cell) => {
    const { fault, status } = cell;
    await using folder = new FailingFolder(fault);
    await using hook = await receiver(
      (...exchange) => void folder.fail().then(() => says(status)(...exchange)),
    );
    await using acme = await harness({ sync: folder.sync });
    await folder.hold(acme.database);
    await acme.webhooks.create(ACME, { url: hook.url, events: ["job.completed"] });
    acme.dispatcher.start();
    await acme.tell();
    await hook.atLeast(1);
    // A stop waits for it.
    await folder.mendOnceWaitedFor(acme.dispatcher.stop());
    const state = { 200: "delivered", 500: "due", 410: "dropped" }[status];
    const [delivery] = await acme.log(tried(1));
    expect(delivery).toMatchObject({ state, attempts: [{ status }] });
    const row = await acme.database.kysely
      .selectFrom("webhook_deliveries")
      .select("failures")
      .executeTakeFirst();
    expect(row).toEqual({ failures: 1 });
    const [endpoint] = await acme.webhooks.list(ACME);
    expect(endpoint?.disabledBecause ?? null).toBe(status === 410 ? "gone" : null);
  },
);

it("a message that could not be given back is sent by the next process", async () => {
  await using folder = new FailingFolder(FOLDER_FAULTS[0]);
  await using hook = await receiver(() => void folder.fail(), says(200));
  await using acme = await harness({ sync: folder.sync });
  await folder.hold(acme.database);
  await acme.webhooks.create(ACME, { url: hook.url, events: ["job.completed"] });
  acme.dispatcher.start();
  await acme.tell();
  await hook.atLeast(1);
  // It gives up an answer that does not come.
  await acme.dispatcher.stop();
  folder.mend();
  await using next = await harness({ folder: acme.folder, ahead: HOUR });
  next.dispatcher.start();
  const [delivery] = await next.log(allDone);
  expect(delivery).toMatchObject({ state: "delivered", attempts: [{ status: 200 }] });
  expect(hook.arrived.map(({ id }) => id)).toEqual([delivery?.id, delivery?.id]);
});
