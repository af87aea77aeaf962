import { likelyKeyIn } from "../../common/likely-key.ts";
import { ownSecretIn } from "../../domain/keys/own-secrets.ts";
import type { KnownKeys } from "../../infrastructure/vault/known-keys.ts";
import { subjectNamed } from "../../seam/access/subjects.ts";
import type { SettingField } from "./setting-field.ts";

/** An address with what lets somebody in before its host, such as that of a database. */
const WITH_PASSWORD = /[a-z][a-z0-9+.-]*:\/\/[^\s/?#]*@/i;

/**
 * Whether what was entered for something that is no secret holds one: it would be shown to everybody who sees the settings. One that is
 * known, of ours, or before the host of an address; and what looks like a key.
 */
export async function holdsSecret(
  { kind }: Pick<SettingField, "kind">,
  text: string,
  known: Pick<KnownKeys, "findIn">,
): Promise<boolean> {
  if (kind === "secret") return false;
  if (WITH_PASSWORD.test(text) || ownSecretIn(text) !== undefined) return true;
  // What is a `text` has a shape of its own, and a public key looks like a key.
  if (kind !== "text" && text.split(",").some(isLikely)) return true;
  return (await known.findIn(text)) !== undefined;
}

/** Item by item, as the whole of a list is longer than its words. Apps may call their people anything at all. */
const isLikely = (item: string) => subjectNamed(item.trim()) === undefined && likelyKeyIn(item) !== undefined;
