import { Audit } from "../../domain/audit/audit.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import { settingOwner, type Vault } from "../../infrastructure/vault/vault.ts";
import { platformOf, type UserId } from "../../seam/values.ts";
import { isSecret } from "../config.ts";

const NAMESPACE = "settings";
const ENTRY = "stored";

/** What the database has of them: secrets by their names alone. */
interface Kept {
  readonly revision: number;
  readonly values: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly keyIsFor?: string | undefined;
  /** The revision that each setting was last changed with. */
  readonly versions?: Readonly<Record<string, number>>;
}

const NOTHING: Kept = { revision: 0, values: {}, secrets: [] };

/** Settings that were set in the browser. */
export interface StoredSettings {
  /** Rises with each change. */
  readonly revision: number;
  /** By name, secrets too. */
  readonly values: Readonly<Record<string, string>>;
  /** The address of the service that the stored key was checked with: no other one is to get it. */
  readonly keyIsFor: string | undefined;
  /** The revision that each setting was last changed with; those that never were are not there. */
  readonly versions: Readonly<Record<string, number>>;
}

/** What is to be stored, by name; undefined is taken away. */
export type SettingChange = Readonly<Record<string, string | undefined>>;

/** Whether anything was ever stored: asked without opening the vault, which takes longer. */
export async function hasStored(database: Database): Promise<boolean> {
  return (await keptIn(database)).revision > 0;
}

/** What is stored. A secret that cannot be read any more is not there. */
export async function readStored(database: Database, vault: Vault): Promise<StoredSettings> {
  const { revision, values, secrets, keyIsFor, versions = {} } = await keptIn(database);
  const opened = await Promise.all(
    secrets.map(async (name) => [name, (await vault.getReadable(settingOwner(name)))?.reveal()] as const),
  );
  const readable = opened.filter((one): one is [string, string] => one[1] !== undefined);
  return { revision, values: { ...values, ...Object.fromEntries(readable) }, keyIsFor, versions };
}

/**
 * Stores a change, all of it at once: values in the clear, secrets in the vault, and who did it in the audit.
 * @param over the revision that it was made over
 * @param keyIsFor the address of the service, where its key is among them
 * @returns whether it was stored; else somebody else stored something since
 */
export async function store(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  {
    over,
    change,
    keyIsFor,
    by,
  }: { over: number; change: SettingChange; keyIsFor: string | undefined; by: UserId },
): Promise<boolean> {
  const audit = await Audit.open(database, "digest");
  const isStored = await vault.change(async ({ kysely, put, remove }) => {
    const entries = memory({ kysely }, NAMESPACE);
    const kept = (await entries.get<Kept>(ENTRY)) ?? NOTHING;
    if (kept.revision !== over) return false;
    const values = new Map(Object.entries(kept.values));
    const secrets = new Set(kept.secrets);
    for (const [name, value] of Object.entries(change)) {
      if (isSecret(name)) {
        if (value === undefined) await remove(settingOwner(name));
        else await put(settingOwner(name), value);
        if (value === undefined) secrets.delete(name);
        else secrets.add(name);
      } else if (value === undefined) values.delete(name);
      else values.set(name, value);
      const line = { act: "setting", user: by, surface: platformOf(by), rule: name } as const;
      const changed = isSecret(name) ? {} : { changed: { from: kept.values[name], to: value } };
      await audit.write({ ...line, ...changed }, { kysely });
    }
    const revision = kept.revision + 1;
    const changedNow = Object.fromEntries(Object.keys(change).map((name) => [name, revision]));
    const after: Kept = {
      revision,
      values: Object.fromEntries(values),
      secrets: [...secrets],
      keyIsFor: "REELAY_API_KEY" in change ? keyIsFor : kept.keyIsFor,
      versions: { ...kept.versions, ...changedNow },
    };
    await entries.set(ENTRY, after);
    return true;
  });
  if (isStored) database.bell.ring("settings", "");
  return isStored;
}

const keptIn = async (database: Database): Promise<Kept> =>
  (await memory(database, NAMESPACE).get<Kept>(ENTRY)) ?? NOTHING;
