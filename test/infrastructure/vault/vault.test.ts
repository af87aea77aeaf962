import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import * as fc from "fast-check";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { UserId } from "../../../src/seam/values.ts";
import { openDatabase, type Database } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { openVault } from "../../../src/infrastructure/vault/open.ts";
import { givenSecrets, secretsFile, type Secrets } from "../../../src/infrastructure/vault/secrets.ts";
import { StoredKey } from "../../../src/infrastructure/vault/stored-key.ts";
import { groupOwner, retiredOwner, Vault, webhookOwner } from "../../../src/infrastructure/vault/vault.ts";

const KEY = "sk_live_9f8e7d6c5b4a";
const quiet = { warn: () => {} };
const isKnown = async (vault: Vault, key: string) =>
  (await vault.known.findIn(`it is ${key}`))?.of === "service";
const fail = async () => {
  throw new Error("killed");
};

describe("the vault", () => {
  let folder: string;
  let file: string;
  let database: Database;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "reelay-"));
    file = join(folder, "secret");
    database = await openDatabase(join(folder, "reelay.db"));
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  it("opens a key whose envelope it kept in mind while another process rotated the secrets", async () => {
    const secrets = givenSecrets("a new secret,the first secret");
    await new Vault(database, givenSecrets("the first secret")).put("web:anna", KEY);
    // Nobody has rung for it yet.
    const kept = new Map<string, Promise<unknown>>();
    const reads = Object.assign(Object.create(database.reads) as typeof database.reads, {
      get: <T>(_table: string, key: string, read: () => Promise<T>) => {
        const known = (kept.get(key) as Promise<T> | undefined) ?? read();
        kept.set(key, known);
        return known;
      },
    });
    let given: Secrets = givenSecrets("the first secret");
    const vault = new Vault({ kysely: database.kysely, reads }, { ...given, read: () => given.read() });
    expect((await vault.get("web:anna"))?.reveal()).toBe(KEY);
    await new Vault(database, secrets).rotate();
    given = givenSecrets("a new secret");
    await vault.fits();
    expect((await vault.get("web:anna"))?.reveal()).toBe(KEY);
  });

  it("tells whose secrets fit, and has the same shared secrets for all of them, over a rotation, too", async () => {
    const of = (setting: string) => new Vault(database, givenSecrets(setting));
    const [first, second, strange] = [of("the first secret"), of("the first secret"), of("another secret")];
    expect(await first.fits()).toBe(true);
    expect([await second.fits(), await strange.fits()]).toEqual([true, false]);
    const login = await first.shared("login");
    expect(login).toMatch(/^[\w-]{43}$/);
    expect(await second.shared("login")).toBe(login);
    expect(await second.shared("else")).not.toBe(login);
    await of("a new secret,the first secret").rotate();
    const renewed = of("a new secret");
    expect([await renewed.fits(), await renewed.shared("login")]).toEqual([true, login]);
    expect(await of("the first secret").fits()).toBe(false);
    const kept = await database.kysely.selectFrom("kv").select("value").execute();
    expect(JSON.stringify(kept)).not.toContain(login);
  });

  const rows = () =>
    database.kysely.selectFrom("kv").select(["key", "value"]).where("namespace", "=", "keys").execute();
  const vaultOf = (secrets: Secrets = secretsFile(file, quiet)) => new Vault(database, secrets);

  it("gives back what was put in, until it is removed", async () => {
    const vault = vaultOf();
    expect(await vault.get("web:a")).toBeUndefined();
    await vault.put("web:a", KEY);
    await vault.put("web:b", "another key of somebody");
    expect((await vault.get("web:a"))?.reveal()).toBe(KEY);
    expect((await vaultOf().get("web:a"))?.reveal()).toBe(KEY);
    await vault.remove("web:a");
    expect(await vault.get("web:a")).toBeUndefined();
    expect((await vault.get("web:b"))?.reveal()).toBe("another key of somebody");
  });

  it("moves a key, or stores one, as the first thing that a process does", async () => {
    await vaultOf().put("web:a", KEY);
    await vaultOf().move("web:a", "web:b");
    const other = await openDatabase(join(folder, "reelay.db"));
    const next = new Vault(other, secretsFile(file, quiet));
    await next.move("web:b", "web:c");
    expect(await next.get("web:b")).toBeUndefined();
    expect((await next.get("web:c"))?.reveal()).toBe(KEY);
    await other.close();
  });

  it("keeps a store's values unreadable in the database, and bound to their entries", async () => {
    const plain = memory(database, "letters");
    const sealed = vaultOf().sealed(plain, "letters");
    await sealed.set("one", { text: KEY });
    await sealed.set("two", null);
    expect(await vaultOf().sealed(plain, "letters").get("one")).toEqual({ text: KEY });
    const [one, two] = [["one", { text: KEY }] as const, ["two", null] as const];
    expect([await sealed.entries(), await sealed.entries("o")]).toEqual([[one, two], [one]]);
    expect(JSON.stringify(await plain.entries())).not.toContain(KEY);
    await plain.set("three", await plain.get("one"));
    expect(await sealed.get("three")).toBeUndefined();
    expect(await vaultOf().sealed(plain, "others").get("one")).toBeUndefined();
    await sealed.delete("one");
    expect(await sealed.get("one")).toBeUndefined();
  });

  it("shows no key in the database, nor in anything that is printed", async () => {
    const vault = vaultOf();
    await vault.put("web:a", KEY);
    const key = await vault.get("web:a");
    for (const shown of [
      JSON.stringify(await rows()),
      JSON.stringify({ key }),
      inspect({ key }),
      String(key),
    ])
      expect(shown).not.toContain(KEY);
    expect(key?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(new StoredKey(KEY).fingerprint).toBe(key?.fingerprint);
  });

  it("does not open for another owner, though the row was copied", async () => {
    const vault = vaultOf();
    await vault.put("web:a", KEY);
    await database.kysely.updateTable("kv").set({ key: "cli:a" }).execute();
    await expect(vault.get("cli:a")).rejects.toMatchObject({ code: "key_unreadable" });
  });

  it("keeps a group's key apart from people's, and gives it to another owner as a whole", async () => {
    const vault = vaultOf();
    const [group, retired] = [groupOwner("discord:1"), retiredOwner("discord:1", "f00")];
    await vault.put("discord:1", "the key of a person");
    await vault.put(group, KEY);
    await vault.remove("discord:1");
    expect((await vault.get(group))?.reveal()).toBe(KEY);
    await vault.move(group, retired);
    await vault.move(group, retired);
    expect(await vault.get(group)).toBeUndefined();
    expect((await vault.get(retired))?.reveal()).toBe(KEY);
    expect(await vault.retired()).toEqual([{ chat: "discord:1", keyId: "f00" }]);
    expect(JSON.stringify(await rows())).not.toContain(KEY);
  });

  it("makes its secret once, for its owner alone, and says when others can read it", async () => {
    const warnings: unknown[] = [];
    const secrets = () => secretsFile(file, { warn: (...line: unknown[]) => void warnings.push(line) });
    const [first, second] = await Promise.all([secrets().read(), secrets().read()]);
    expect(first).toEqual(second);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(warnings).toEqual([]);
    chmodSync(file, 0o644);
    await secrets().read();
    expect(JSON.stringify(warnings)).toContain("chmod 600");
    expect(JSON.stringify(warnings)).not.toContain(first?.[0]);
  });

  describe("when its secret changes", () => {
    const users = ["web:a", "web:b", groupOwner("discord:c")] as const;
    const fill = async (vault: Vault) => {
      for (const user of users) await vault.put(user, `the key of ${user}`);
    };
    const all = users.map((user) => `the key of ${user}`);
    const keysIn = async (vault: Vault) => {
      const keys = await Promise.all(users.map((user) => vault.get(user)));
      return keys.map((key) => key?.reveal());
    };

    it("goes on in processes that knew only the old one, and drops it", async () => {
      const [running, rotating] = [vaultOf(), vaultOf()];
      await fill(running);
      const before = { secret: readFileSync(file, "utf8"), rows: await rows() };
      expect(await rotating.rotate()).toEqual({ rewritten: 3, unreadable: 0 });
      expect(await keysIn(running)).toEqual(all);
      expect(await keysIn(vaultOf())).toEqual(all);
      expect(readFileSync(file, "utf8")).not.toContain(before.secret.trim());
      for (const { value } of await rows())
        for (const old of before.rows) expect(value).not.toContain(old.value);
      await running.put("web:a", "the key of web:a");
      expect(await keysIn(rotating)).toEqual(all);
    });

    it("still knows the keys that were stored before", async () => {
      await vaultOf().put("web:a", KEY);
      await vaultOf().rotate();
      expect(await vaultOf().known.findIn(`it is ${KEY}`)).toEqual({ key: KEY, of: "service" });
    });

    it("writes nothing more under a secret that was dropped", async () => {
      const writing = vaultOf();
      await fill(writing);
      await vaultOf().rotate();
      await fill(writing);
      expect(await keysIn(vaultOf())).toEqual(all);
    });

    it("finds a key that is rotated between the reading of its row and of the secret", async () => {
      await fill(vaultOf());
      const secrets = secretsFile(file, quiet);
      let rotated = false;
      const late: Secrets = {
        ...secrets,
        async read() {
          if (!rotated) await vaultOf().rotate();
          rotated = true;
          return secrets.read();
        },
      };
      expect(await keysIn(vaultOf(late))).toEqual(all);
    });

    it("drops nothing while a second rotation, killed half-way, may still need it", async () => {
      await fill(vaultOf());
      const secrets = secretsFile(file, quiet);
      let reads = 0;
      const disturbed: Secrets = {
        ...secrets,
        async read() {
          reads += 1;
          if (reads === 2) await secrets.renew();
          return secrets.read();
        },
      };
      await vaultOf(disturbed).rotate();
      expect(await secrets.read()).toHaveLength(3);
      expect(await keysIn(vaultOf())).toEqual(all);
    });

    it("reads and writes meanwhile", async () => {
      const [running, rotating] = [vaultOf(), vaultOf()];
      await fill(running);
      const rotation = (async () => {
        for (let i = 0; i < 3; i += 1) await rotating.rotate();
      })();
      const done = rotation.then(() => true);
      for (let over = false; !over; over = await Promise.race([done, Promise.resolve(false)])) {
        expect(await keysIn(running)).toEqual(all);
        await fill(running);
        await new Promise(setImmediate);
      }
      expect(await keysIn(vaultOf())).toEqual(all);
      expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(1);
    });

    it.each(["before the rows", "after the rows"])("loses nothing when it is killed %s", async (when) => {
      await fill(vaultOf());
      const secrets = secretsFile(file, quiet);
      const dying: Secrets =
        when === "after the rows"
          ? { ...secrets, retire: fail }
          : { ...secrets, renew: () => secrets.renew().then(fail) };
      await expect(vaultOf(dying).rotate()).rejects.toThrow("killed");
      expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(2);
      expect(await keysIn(vaultOf())).toEqual(all);
      await vaultOf().rotate();
      expect(await keysIn(vaultOf())).toEqual(all);
      expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(1);
    });

    it("keeps what it cannot read, and counts it", async () => {
      await fill(vaultOf(givenSecrets("a secret that was lost")));
      const vault = vaultOf();
      await vault.put("web:b", "the key of web:b");
      const lost = (await rows()).find(({ key }) => key === "web:a");
      expect(await vault.rotate()).toEqual({ rewritten: 1, unreadable: 2 });
      expect(await rows()).toContainEqual(lost);
      await expect(vault.get("web:a")).rejects.toMatchObject({ code: "key_unreadable" });
    });

    it("counts what it cannot read without changing any of it", async () => {
      await fill(vaultOf(givenSecrets("a secret that was lost")));
      const before = await rows();
      expect(await vaultOf(givenSecrets("a secret that was lost")).countUnreadable()).toBe(0);
      expect(await vaultOf().countUnreadable()).toBe(before.length);
      expect(await rows()).toEqual(before);
    });

    it("counts each of many once, and gives others their turn meanwhile", async () => {
      const vault = vaultOf();
      await fill(vault);
      const value = JSON.stringify({ value: "1.gone.a.b.c" });
      const lost = Array.from({ length: 5_001 }, (_, nth) => ({ namespace: "keys", key: `a:${nth}`, value }));
      await database.kysely.insertInto("kv").values(lost).execute();
      const done: (number | string)[] = [];
      const counting = vault.countUnreadable().then((count) => done.push(count));
      await vault.put("web:b", "another key of web:b").then(() => done.push("stored"));
      await counting;
      expect(done).toEqual(["stored", lost.length]);
    });

    it("follows the operator's own list of secrets", async () => {
      const [before, both, after] = [
        "old old old old old",
        "new new new new new,old old old old old",
        "new new new new new",
      ].map((setting) => vaultOf(givenSecrets(setting)));
      if (before) await fill(before);
      expect(await both?.rotate()).toEqual({ rewritten: 3, unreadable: 0 });
      expect(after && (await keysIn(after))).toEqual(all);
      await expect(before?.get("web:a")).rejects.toMatchObject({ code: "key_unreadable" });
    });
  });

  it("keeps any key for any person", async () => {
    const vault = vaultOf(givenSecrets("a secret of some length"));
    const user = fc.string({ minLength: 1, unit: "binary" }).map((id): UserId => `web:${id}`);
    const property = fc.asyncProperty(
      user,
      fc.string({ unit: "binary", minLength: 1 }),
      async (user, key) => {
        await vault.put(user, key);
        expect((await vault.get(user))?.reveal()).toBe(key);
      },
    );
    await fc.assert(property, { numRuns: 50 });
  });

  describe("knows among words", () => {
    const OTHER = "sk_live_0a1b2c3d4e5f";

    it("whose the keys are that are stored, moved and removed", async () => {
      const vault = vaultOf();
      await vault.put("web:a", KEY);
      expect([await isKnown(vault, KEY), await isKnown(vault, OTHER)]).toEqual([true, false]);
      await vault.move("web:a", "web:b");
      expect([await vault.known.knowsOf("web:a"), await vault.known.knowsOf("web:b")]).toEqual([false, true]);
      expect(await isKnown(vaultOf(), KEY)).toBe(true);
      await vault.remove("web:b");
      expect(await vault.known.knowsOf("web:b")).toBe(false);
    });

    it("those that an earlier version stored, but nothing that signs webhooks, nor what is unreadable", async () => {
      const vault = vaultOf();
      await vault.put("web:a", KEY);
      await vault.put("web:b", OTHER);
      await vault.put(webhookOwner("ep_1"), "whsec_c2lnbnMgd2ViaG9va3M=");
      await vaultOf(givenSecrets("a secret that was lost")).put("web:lost", "sk_live_ffffffffffff");
      for (const owner of ["web:a", "web:b", "web:lost"] as const) await vault.known.release(owner);
      await vault.known.keep("web:b", OTHER);
      expect(await isKnown(vaultOf(), KEY)).toBe(false);
      const later = vaultOf();
      await later.knowStored();
      expect([await isKnown(later, KEY), await isKnown(later, OTHER)]).toEqual([true, true]);
      for (const owner of [webhookOwner("ep_1"), "web:lost"])
        expect(await later.known.knowsOf(owner)).toBe(false);
    });
  });

  it.each([
    ["stored", (vault: Vault) => vault.put("web:new", "another key")],
    ["moved", (vault: Vault) => vault.move("web:a", "web:new")],
    ["removed", (vault: Vault) => vault.remove("web:a")],
    ["rotated", (vault: Vault) => vault.rotate()],
  ])("fails, and keeps what there was, where a key cannot be %s", async (_, change) => {
    await vaultOf().put("web:a", KEY);
    for (const event of ["insert", "update", "delete"])
      await sql`
        create trigger ${sql.raw(`no_${event}`)} before ${sql.raw(event)} on kv
        begin select raise(abort, 'disk'); end`.execute(database.kysely);
    await expect(change(vaultOf())).rejects.toThrow("disk");
    expect(await vaultOf().has("web:new")).toBe(false);
    expect((await vaultOf().get("web:a"))?.reveal()).toBe(KEY);
    expect(await vaultOf().known.knowsOf("web:a")).toBe(true);
  });

  it("takes secrets that cannot be read now for no key that is lost", async () => {
    await vaultOf().put("web:a", KEY);
    const failing = vaultOf({ ...secretsFile(file, quiet), read: fail });
    await expect(failing.getReadable("web:a")).rejects.toThrow("killed");
    const other = vaultOf(givenSecrets("another secret than before"));
    expect(await other.getReadable("web:a")).toBeUndefined();
  });

  it("makes the data folder, for its owner alone, however deep it is", async () => {
    const data = join(folder, "some", "where");
    const vault = await openVault({ secret: undefined, data }, database, makeLogger({ level: "silent" }));
    await vault.put("web:a", KEY);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(data, "secret"), "utf8")).not.toBe("");
  });

  it("says so when the secret file is empty", async () => {
    writeFileSync(file, "");
    await expect(vaultOf().put("web:a", KEY)).rejects.toThrow("needs a secret");
  });
});
