import { openVault } from "../../src/infrastructure/vault/open.ts";
import { type Keyring, makeKeyring } from "../../src/infrastructure/vault/keyring.ts";

const rings = new Map<string, Keyring>();

/** A keyring that is made once for each list of secrets: most of what a core costs to open is stretching its secret. */
export const knownKeyring: typeof makeKeyring = (secrets) => {
  const list = secrets.join(",");
  const ring = rings.get(list) ?? makeKeyring(secrets);
  rings.set(list, ring);
  return ring;
};

/** A vault as the settings say, under a secret that this process may have stretched before. */
export const testVault = (...[settings, database, log]: Parameters<typeof openVault>) =>
  openVault(settings, database, log, knownKeyring);
