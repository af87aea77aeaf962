import type { Config } from "../../src/app/config.ts";
import { openOperators } from "../../src/domain/operators/open.ts";
import type { Database } from "../../src/infrastructure/storage/database.ts";
import type { OperatorHost } from "../../src/seam/surface/host.ts";

/** Those who run Reelay, where no word is a key that is known. */
export const testOperators = (settings: Pick<Config, "host" | "publicUrl">, database: Database) =>
  openOperators({ settings, database, vault: { known: { findIn: async () => undefined } } });

const none = async (): Promise<never> => {
  throw new Error("Nobody has a desk here.");
};

/** The same with no desk, where no test comes to one. */
export const testOperatorHost = async (
  ...parts: Parameters<typeof testOperators>
): Promise<OperatorHost> => ({
  operators: await testOperators(...parts),
  partners: none,
  safety: none,
  webhooks: () => {
    throw new Error("Nobody has a desk here.");
  },
  keys: none,
  keyCards: none,
  partnerSums: none,
  budgetsOf: none,
});
