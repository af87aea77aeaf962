import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import {
  givenSecrets,
  type Secrets,
  secretsFile,
  secretsOf,
} from "../../../src/infrastructure/vault/secrets.ts";
import { Vault } from "../../../src/infrastructure/vault/vault.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

it.skipIf(process.platform === "win32")(
  "is safe from a power cut, in its file and its folder's list",
  async () => {
    const folder = temporaryFolder();
    const handle = await open(folder);
    const prototype = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    const synced = vi.spyOn(prototype, "sync");
    onTestFinished(() => void vi.restoreAllMocks());
    const secrets = secretsFile(join(folder, "secret"), makeLogger({ level: "silent" }));
    await secrets.read();
    expect(synced).toHaveBeenCalledTimes(2);
    await secrets.renew();
    expect(synced).toHaveBeenCalledTimes(4);
    expect(await readdir(folder)).toEqual(["secret"]);
  },
);

it("leaves as it is what would be too short without what is around it", () => {
  expect(secretsOf("'too short'       ,a secret of some length")).toEqual([
    "'too short'       ",
    "a secret of some length",
  ]);
});

async function openedDatabase() {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const vaultOf = (secrets: Secrets) => new Vault(database, secrets);
  return { vaultOf, [Symbol.asyncDispose]: () => database.close() };
}

it.each([
  "a new secret of ours , an old one of ours",
  " a new secret of ours,an old one of ours\n",
  '"a new secret of ours,an old one of ours"',
  "'a new secret of ours', 'an old one of ours'",
])("takes no notice of what is around secrets: <%s>", async (setting) => {
  await using opened = await openedDatabase();
  const { vaultOf } = opened;
  const [old, both, after] = ["an old one of ours", setting, "a new secret of ours"].map((given) =>
    vaultOf(givenSecrets(given)),
  );
  await old?.put("web:a", "the key of web:a");
  await both?.put("web:b", "the key of web:b");
  expect(await both?.countUnreadable()).toBe(0);
  expect(await both?.rotate()).toEqual({ rewritten: 1, unreadable: 0 });
  expect((await after?.get("web:a"))?.reveal()).toBe("the key of web:a");
  expect((await after?.get("web:b"))?.reveal()).toBe("the key of web:b");
});

it("reads what an earlier version stored under a secret with what is around it, and rotates it", async () => {
  await using opened = await openedDatabase();
  const { vaultOf } = opened;
  const literal = { ...givenSecrets("no"), read: async () => [" a secret of ours "] };
  await vaultOf(literal).put("web:a", "a key");
  const vault = vaultOf(givenSecrets(" a secret of ours "));
  expect((await vault.get("web:a"))?.reveal()).toBe("a key");
  expect(await vault.rotate()).toEqual({ rewritten: 1, unreadable: 0 });
  expect((await vaultOf(givenSecrets("a secret of ours")).get("web:a"))?.reveal()).toBe("a key");
});
