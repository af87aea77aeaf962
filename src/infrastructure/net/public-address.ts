import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { ReelayError } from "../../common/errors.ts";
import { nameLookup } from "./name-lookup.ts";

/** All that was ever given out of IPv6 (RFC 4291, section 2.4): outside it IPv4 may be embedded in ways long forgotten. */
const GIVEN_OUT = ipaddr.parseCIDR("2000::/3");

/** Whether an IP address is one of the public internet: not private, local, reserved, mapped or translated. */
export function isPublicAddress(address: string): boolean {
  // IPv4 inside IPv6 (::ffff:127.0.0.1) is judged as the IPv4 address that it stands for.
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  return ip.range() === "unicast" && (ip.kind() === "ipv4" || ip.match(GIVEN_OUT));
}

/** Names that mean the machine itself wherever they are said (RFC 6761, section 6.3). */
const OWN_NAME = /(^|\.)localhost\.?$/i;

/**
 * Whether a host may be one of the public internet, by its name alone: what DNS says of it is seen only when it is used.
 * @param hostname as `URL` writes it, which has undone decimal, octal and hexadecimal spellings
 */
export function mayBePublic(hostname: string): boolean {
  if (OWN_NAME.test(hostname)) return false;
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0 || isPublicAddress(address);
}

/**
 * A host name of a URL that is an address itself must be public: the lookup below never sees it.
 * @param hostname as for {@link mayBePublic}
 * @throws ReelayError `url_refused`
 */
export function checkLiteral(hostname: string): void {
  if (!mayBePublic(hostname)) throw new ReelayError("url_refused");
}

/**
 * A DNS lookup that fails where a name leads to any address that is not public. It is the connection's own
 * lookup: the addresses that were checked are those that are connected to, however the name changes.
 */
export function publicLookup(lookup: LookupFunction = nameLookup()): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [];
      // A name without an address leads nowhere: that is no reason to say that it must not be used.
      if (addresses.length === 0)
        return callback(Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" }), []);
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new ReelayError("url_refused"), []);
      const [first] = addresses;
      return options.all ? callback(null, addresses) : callback(null, first?.address ?? "", first?.family);
    });
}
