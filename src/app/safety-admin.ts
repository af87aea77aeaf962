import type { SafetyAdmin } from "../seam/access/safety.ts";
import { PartnerBook } from "../domain/partners/partner-book.ts";
import { Blocks } from "../domain/policy/blocks.ts";
import { ReelayError } from "../common/errors.ts";
import type { KnownKeys } from "../infrastructure/vault/known-keys.ts";
import type { Database } from "../infrastructure/storage/database.ts";
import { memory } from "../infrastructure/storage/key-value.ts";
import { Audit } from "../domain/audit/audit.ts";
import { ownerOf, partnerIdOf } from "../seam/access/partners.ts";
import { platformOf, type UserId } from "../seam/values.ts";
import { currentTime } from "../common/time.ts";

/**
 * Opens the desk over a database that other processes may use meanwhile. What is done there is written down.
 * @param by who does it
 */
export async function openSafetyAdmin(
  database: Database,
  known: Pick<KnownKeys, "findIn">,
  by: UserId,
): Promise<SafetyAdmin> {
  const audit = await Audit.open(database, "digest");
  const blocks = new Blocks(memory(database, "blocks"), []);
  const operator = { user: by, surface: platformOf(by) };
  const book = new PartnerBook(database);

  return {
    audit: (query) => audit.read(query),
    blocks: () => blocks.list(),

    async block(subject, reason) {
      for (const [field, text] of Object.entries({ subject, reason: reason ?? "" }))
        if (await known.findIn(text)) throw new ReelayError("key_in_words", { field });
      const given = { subject, at: currentTime(), ...(reason !== undefined && { reason }) };
      const block = await blocks.add(given);
      await audit.write({ act: "block", ...operator, rule: subject });
      const { user } = ownerOf(subject);
      const isNone = partnerIdOf(user) !== undefined && (await book.ofUser(user)) === undefined;
      return isNone ? { ...block, noPartner: user } : block;
    },

    async unblock(subject) {
      const had = await blocks.lift(subject);
      if (had) await audit.write({ act: "unblock", ...operator, rule: subject });
      return had;
    },
  };
}
