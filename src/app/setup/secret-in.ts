import { likelyKeyIn } from "../../common/likely-key.ts";
import { ownSecretIn } from "../../common/own-secrets.ts";
import type { KnownKeys } from "../../infrastructure/vault/known-keys.ts";
import { subjectNamed } from "../../seam/access/subjects.ts";
import type { Remark } from "../../seam/surface/setup.ts";
import type { SettingField } from "./setting-field.ts";

/** An address with what lets somebody in before its host, such as that of a database. */
const WITH_PASSWORD = /[a-z][a-z0-9+.-]*:\/\/[^\s/?#]*@/i;

/**
 * What is said of a secret in what was entered for something that is none: it would be shown to everybody who sees the settings. One that
 * is known, of ours, or before the host of an address; and what looks like a key.
 */
export async function secretIn(
  { kind }: Pick<SettingField, "kind">,
  text: string,
  known: Pick<KnownKeys, "findIn">,
): Promise<Remark | undefined> {
  if (kind === "secret") return undefined;
  if (WITH_PASSWORD.test(text)) return { key: "setup.wrong.password" };
  const isKey =
    ownSecretIn(text) !== undefined ||
    // What is a `text` has a shape of its own, and a public key looks like a key.
    (kind !== "text" && text.split(",").some(isLikely)) ||
    (await known.findIn(text)) !== undefined;
  return isKey ? { key: "setup.wrong.secret" } : undefined;
}

/** Item by item, as the whole of a list is longer than its words. Apps may call their people anything at all. */
const isLikely = (item: string) => subjectNamed(item.trim()) === undefined && likelyKeyIn(item) !== undefined;
