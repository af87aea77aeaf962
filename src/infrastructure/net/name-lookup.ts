import { type LookupAddress, promises as dns } from "node:dns";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";

/** How the servers of names are asked. */
interface Asking {
  /** Which ones, each `address:port`; by default the system's. */
  readonly servers?: readonly string[];
  /** How long the first of two tries may take, in milliseconds. */
  readonly timeoutMs?: number;
}

/**
 * A DNS lookup of names that somebody gave us. The system's own keeps a thread busy for as long as a name's servers are
 * silent, and Node has two of them for all names, also that of the service: two bad ones would hold everything up.
 * Names of the system alone, such as those in its hosts file, are unknown to this one.
 */
export function nameLookup({ servers, timeoutMs = 2_000 }: Asking = {}): LookupFunction {
  const ask = callbackify(async (hostname: string): Promise<LookupAddress[]> => {
    // Made anew: the system's servers may have changed.
    const resolver = new dns.Resolver({ timeout: timeoutMs, tries: 2 });
    if (servers) resolver.setServers(servers);
    const answers = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const;
    const [four, six] = await Promise.allSettled(answers);
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (found.length === 0 && four.status === "rejected") throw four.reason;
    return found;
  });
  return (hostname, _options, callback) => ask(hostname, (error, found) => callback(error, found));
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: number): LookupAddress[] {
  return answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
}
