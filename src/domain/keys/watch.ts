import type { FoundKey, KeyWatch, Speaker, Suspicion } from "../../seam/access/keys.ts";
import type { Json } from "../../common/json.ts";
import { mediaIn } from "../../seam/values.ts";
import { ReelayError } from "../../common/errors.ts";
import { likelyKeyIn, withoutEnds } from "../../common/likely-key.ts";
import { groupOwner, type Vault } from "../../infrastructure/vault/vault.ts";
import { ownSecretIn } from "../../common/own-secrets.ts";
import { isSayable, keyBehind, saidKeyIn } from "../../common/said-key.ts";

/** As files are called by what is in them. */
const DIGEST = /^[0-9a-f]+$/i;

/** Finds keys among words: those that are known, and, for people who have none, what looks like one. */
export function makeKeyWatch(vault: Pick<Vault, "has" | "known">): KeyWatch {
  async function find(
    { user, chat }: Speaker,
    text: string,
    suspicion: Suspicion,
  ): Promise<FoundKey | undefined> {
    const known = await findKnown(text);
    if (known || suspicion === "known") return known;
    const said = saidKeyIn(text);
    if (said !== undefined) return { key: said, of: "service" };
    const likely = likelyKeyIn(text);
    if (likely === undefined) return undefined;
    const isExpected = suspicion === "asked" || !(await hasKey(user, chat));
    return isExpected ? { key: likely, of: "service" } : undefined;
  }

  async function findKnown(text: string): Promise<FoundKey | undefined> {
    const own = ownSecretIn(text);
    return own === undefined ? vault.known.findIn(text) : { key: own, of: "ours" };
  }

  async function hasKey(user: Speaker["user"], chat: Speaker["chat"]): Promise<boolean> {
    return (await vault.has(user)) || (chat !== undefined && (await vault.has(groupOwner(chat))));
  }

  return {
    find,

    async findInName(speaker, name, suspicion) {
      const known = await findKnown(name);
      if (known) return known;
      const found = await find(speaker, withoutEnds(name), suspicion);
      return found && DIGEST.test(found.key) ? undefined : found;
    },

    async behind({ user, chat }, words, isSure) {
      const key = keyBehind(words);
      if (key === undefined) return undefined;
      const isKey = isSure || (isSayable(key) && !(await hasKey(user, chat)));
      return isKey ? { key, of: "service" } : undefined;
    },

    async findIn(speaker, fields, values) {
      for (const [field, value] of Object.entries(values)) {
        const control = fields.find(({ name }) => name === field)?.control;
        if (control === "secret") continue;
        if (typeof value === "string") {
          // Codes and choices are long and mean nothing, too.
          const found = await find(speaker, value, control === "text" ? "guess" : "known");
          if (found) return { ...found, field };
        }
        for (const { name = "" } of mediaIn(value)) {
          const found = await findKnown(name);
          if (found) return { ...found, field };
        }
      }
      return undefined;
    },

    async refuseKnown(given) {
      for (const { field, text } of textsIn(given ?? null))
        if (await findKnown(text)) throw new ReelayError("key_in_words", field === "" ? {} : { field });
    },
  };
}

/**
 * Whether a text may be a key, whoever it is from: it holds a known one or a secret of ours, or looks like one. For what
 * is kept as it came, and can be done without.
 */
export async function mayBeKey(known: Pick<Vault["known"], "findIn">, text: string): Promise<boolean> {
  const seen = ownSecretIn(text) ?? likelyKeyIn(text);
  return seen !== undefined || (await known.findIn(text)) !== undefined;
}

/** Every text in a value with where it stands, its names too: a name stands in what has it, because it may be the key. */
function textsIn(value: Json, field = ""): readonly { readonly field: string; readonly text: string }[] {
  if (typeof value === "string") return [{ field, text: value }];
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value);
  const names = Array.isArray(value) ? [] : entries.map(([text]) => ({ field, text }));
  const inside = entries.flatMap(([name, one]) => textsIn(one, field === "" ? name : `${field}.${name}`));
  return [...names, ...inside];
}
