import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { Inbox } from "../../../../adapters/kit/pipeline/inbox.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

async function openInbox() {
  let syncs = 0;
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"), async () => {
    syncs += 1;
    // A disk is slower than everything that happens in between.
    await setImmediate();
  });
  const inbox = new Inbox<string>({
    memory: memory(database, "inbox"),
    nameOf: (one) => one,
    repeatedMs: 60_000,
  });
  return { inbox, syncs: () => syncs, [Symbol.asyncDispose]: () => database.close() };
}

it("waits for the disk with all that came together", async () => {
  await using place = await openInbox();
  await place.inbox.keep(["warm-up"]);
  const before = place.syncs();
  const batch = Array.from({ length: 50 }, (_, nth) => `update ${nth + 10}`);
  expect(await place.inbox.keep(batch)).toEqual(batch);
  // What is committed while one is under way waits for the next.
  expect(place.syncs() - before).toBeLessThanOrEqual(2);
  expect(await place.inbox.left()).toEqual([...batch, "warm-up"]);
});

it("waits for the disk together with all that came on several connections, and returns it in that order", async () => {
  await using place = await openInbox();
  const before = place.syncs();
  const returned: string[] = [];
  const batches = [["a", "b", "c"], ["d"], ["b", "e"]];
  await Promise.all(batches.map(async (batch) => void returned.push(...(await place.inbox.keep(batch)))));
  expect(returned).toEqual(["a", "b", "c", "d", "e"]);
  expect(place.syncs() - before).toBeLessThanOrEqual(2);
});

it("keeps once what comes twice, in one batch or in two", async () => {
  await using place = await openInbox();
  expect(await place.inbox.keep(["a", "b", "a"])).toEqual(["a", "b"]);
  await place.inbox.done("b");
  expect(await place.inbox.keep(["b", "c", "a"])).toEqual(["c"]);
  expect(await place.inbox.left()).toEqual(["a", "c"]);
});
