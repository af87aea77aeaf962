import { expect, it, vi } from "vitest";
import { Dispatcher } from "../../../../adapters/kit/pipeline/dispatcher.ts";
import { Inbox } from "../../../../adapters/kit/pipeline/inbox.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { givenSecrets } from "../../../../src/infrastructure/vault/secrets.ts";
import { Vault } from "../../../../src/infrastructure/vault/vault.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../../support/failing-folder.ts";
import { knownKeyring } from "../../../support/vault.ts";

it.each(FOLDER_FAULTS)(
  "what was dealt with is not dealt with again, although that could not be written at first: %s",
  async (fault) => {
    await using folder = new FailingFolder(fault);
    const database = await folder.open();
    // As platforms keep it.
    const vault = new Vault(database, givenSecrets("a secret for tests only"), knownKeyring);
    const handle = vi.fn<() => Promise<boolean>>(async () => {
      await folder.fail();
      return true;
    });
    const open = () => {
      const left = Promise.withResolvers<unknown>();
      const inbox = new Inbox<string>({
        memory: vault.sealed(memory(database, "inbox"), "inbox"),
        nameOf: (update) => update,
        repeatedMs: 60_000,
      });
      const dispatcher = new Dispatcher<string, object>({
        log: makeLogger({ level: "silent" }),
        inbox,
        handlers: [handle],
        senderOf: () => ({ person: "ann", chat: "ann" }),
        accept: async () => async () => ({}),
        left: left.resolve,
      });
      return { dispatcher, left: left.promise, inbox };
    };
    const before = open();
    await before.dispatcher.take(["make a film"]);
    await folder.mendOnceWaitedFor(before.left);
    await before.dispatcher.stop();
    const next = open();
    expect(await next.inbox.left()).toEqual([]);
    await next.dispatcher.open();
    await next.dispatcher.take(["make a film"]);
    await next.dispatcher.stop();
    expect(handle).toHaveBeenCalledTimes(1);
  },
);
