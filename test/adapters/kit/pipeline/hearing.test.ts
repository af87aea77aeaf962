import { expect, it } from "vitest";
import { WebhookHearing } from "../../../../adapters/kit/pipeline/hearing.ts";
import { Inbox } from "../../../../adapters/kit/pipeline/inbox.ts";
import { takeUpFromOthers } from "../../../../adapters/kit/pipeline/others.ts";
import type { RolePart } from "../../../../src/common/role.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

/** A bell that other processes hear, and that a test rings for them. */
function sharedBell() {
  const rung: string[] = [];
  const listening = new Set<(key: string | undefined) => void>();
  return {
    rung,
    rings(key: string | undefined) {
      for (const listen of listening) listen(key);
    },
    isShared: true,
    hears: true,
    ring: (_topic: string, key: string) => void rung.push(key),
    on(_topic: string, listener: (key: string | undefined) => void) {
      listening.add(listener);
      return () => listening.delete(listener);
    },
  };
}

const log = makeLogger({ level: "silent" });

/** A process that deals with what a platform calls it with. */
async function hearing() {
  const database = await openDatabase(`${temporaryFolder()}/reelay.db`);
  const inbox = new Inbox<string>({
    memory: memory(database, "arrived"),
    nameOf: (update) => update,
    repeatedMs: 60_000,
  });
  let part: RolePart | undefined;
  const role = {
    isOurs: true,
    share: 1,
    async play(one: RolePart) {
      part = one;
      await one.begin(undefined);
    },
    leave: async () => part?.end(),
  };
  const bell = sharedBell();
  const dealtWith: string[] = [];
  const one = new WebhookHearing<string, never>({
    name: "test",
    host: { bell, log },
    role,
    inbox,
    dispatching: {
      handlers: [],
      senderOf: (update) => ({ person: update, chat: update }),
      accept: async (update) => {
        dealtWith.push(update);
        return async () => undefined;
      },
    },
  });
  await one.start();
  return {
    one,
    role,
    bell,
    inbox,
    dealtWith,
    async [Symbol.asyncDispose]() {
      await one.stop();
      await database.close();
    },
  };
}

it("deals with what it is called with itself, as long as that falls to it", async () => {
  await using at = await hearing();
  await at.one.taker?.(["a"]);
  expect(at.dealtWith).toEqual(["a"]);
  expect(at.bell.rung).toEqual([]);
});

it("tells whoever deals with it by now, where it stood still and does not know yet that another one does", async () => {
  await using at = await hearing();
  at.role.isOurs = false;
  await at.one.taker?.(["a", "b"]);
  expect(at.dealtWith).toEqual([]);
  expect(await at.inbox.left()).toEqual(["a", "b"]);
  expect(at.bell.rung).toEqual(["test a", "test b"]);
});

it("takes up what others tell of in that order, however long each takes to read", async () => {
  const bell = sharedBell();
  const taken: string[] = [];
  const slow = Promise.withResolvers<void>();
  const quiet = takeUpFromOthers<string, never>(
    "test",
    { bell, log },
    {
      open: async () => void taken.push("all"),
      async takeUp(name) {
        if (name === "a") await slow.promise;
        taken.push(name);
      },
    },
  );
  bell.rings("test a");
  bell.rings("test b");
  bell.rings("other c");
  bell.rings(undefined);
  // Whatever could overtake it has had its turn.
  await new Promise(setImmediate);
  slow.resolve();
  await expect.poll(() => taken).toEqual(["a", "b", "all"]);
  quiet();
  bell.rings("test d");
  await new Promise(setImmediate);
  expect(taken).toHaveLength(3);
});
