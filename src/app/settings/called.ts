import { ConfigError } from "../../common/config-error.ts";
import { checkedUrl } from "../../infrastructure/net/guarded.ts";

/**
 * Checks the addresses among the places that something is told to.
 * @param setting that names them
 * @param privateHosts of `REELAY_PRIVATE_HOSTS`
 * @throws ConfigError for one that may not be called
 */
export function checkCalled(
  setting: string,
  places: readonly string[],
  privateHosts: readonly string[],
): void {
  for (const url of places.filter((place) => /^https?:/.test(place)))
    try {
      checkedUrl(url, privateHosts);
    } catch {
      // What follows the host is often a secret.
      const found = "an address that may not be called";
      const wanted =
        "a public https address without a user name and password, or one of a host that REELAY_PRIVATE_HOSTS names";
      throw new ConfigError([{ setting, found, wanted }]);
    }
}
