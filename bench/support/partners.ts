import { join } from "node:path";
import { partnerUser, SCOPES } from "../../src/seam/access/partners.ts";
import { PartnerBook } from "../../src/domain/partners/partner-book.ts";
import { makeToken } from "../../src/domain/partners/tokens.ts";
import { type Database, openDatabase } from "../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../src/infrastructure/telemetry/telemetry.ts";
import { openVault } from "../../src/infrastructure/vault/open.ts";

/**
 * Writes partners into a data folder before Reelay is started in it, as `reelay partner add` would, one by one.
 * @param keys the service key of each
 * @returns the token of each
 */
export async function addPartners(data: string, keys: readonly string[]): Promise<readonly string[]> {
  const database = await openDatabase(join(data, "reelay.db"));
  try {
    return await writePartners(database, data, keys);
  } finally {
    await database.close();
  }
}

/** The same into a database that is open; keys are encrypted with the secret of a data folder, which is made where it is missing. */
export async function writePartners(
  database: Database,
  data: string,
  keys: readonly string[],
): Promise<readonly string[]> {
  const vault = await openVault({ secret: undefined, data }, database, makeLogger({ level: "silent" }));
  const book = new PartnerBook(database);
  const tokens: string[] = [];
  const createdAt = Date.now();
  for (const [nth, key] of keys.entries()) {
    const id = `partner-${nth}`;
    const { token, stored } = makeToken(id, { scopes: SCOPES }, createdAt);
    const partner = {
      id,
      name: id,
      platform: id,
      createdAt,
      caps: {},
      userCaps: {},
      requestsPerMinute: 600,
    };
    await book.add({ partner, tokens: [stored] });
    await vault.put(partnerUser(id), key);
    tokens.push(token);
  }
  return tokens;
}
