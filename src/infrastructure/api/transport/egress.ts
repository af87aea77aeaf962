import { Agent, type buildConnector, type Dispatcher, Pool, ProxyAgent } from "undici";
import { isIP } from "node:net";

/** An address that requests leave by. */
export interface Egress {
  /** What it is called where its requests are counted. */
  readonly name: string;
  /**
   * A local IP address that connections are bound to, or a proxy: `http(s)://[user:password@]host:port`. Left out, they leave as the
   * machine has it.
   */
  readonly address?: string | undefined;
}

/** Time-outs in milliseconds. */
interface Timeouts {
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
}

/** Whether an address that requests leave by is a proxy's. */
const isProxy = (address: string): boolean => address.includes("://");

/**
 * Connections that leave by an address, kept alive.
 * @param onUnreached hears of each error that no connection could be made for: nothing of any request was sent
 */
export function connectionsBy(
  { address }: Egress,
  { connectTimeoutMs: timeout, headersTimeoutMs: headersTimeout, bodyTimeoutMs: bodyTimeout }: Timeouts,
  onUnreached: (error: Error) => void,
): Dispatcher {
  const options = {
    headersTimeout,
    bodyTimeout,
    // Over HTTP/2 one broken connection would leave every submission under way unsure.
    allowH2: false,
    factory: (origin: string | URL, given: object) =>
      new Pool(origin, given).on("connectionError", (_origin, _targets, error) => onUnreached(error)),
  };
  if (address === undefined) return new Agent({ ...options, connect: { timeout } });
  if (!isProxy(address))
    return new Agent({
      ...options,
      // A host may have addresses of both families.
      connect: { timeout, family: isIP(address) },
      localAddress: address,
    });
  return new ProxyAgent({
    ...options,
    uri: address,
    // Always: a proxy that passed requests on in its own name could answer in the service's, and would see what is in them.
    proxyTunnel: true,
    proxyTls: { timeout },
    requestTls: { timeout, allowH2: false },
    // It may take a connection and say nothing.
    clientFactory: (origin, given: { readonly connect?: buildConnector.connector }) =>
      new Pool(origin, {
        ...given,
        ...(given.connect && { connect: withoutAddressName(given.connect) }),
        headersTimeout: timeout,
      }),
  });
}

/** A server is never named by its IP address (RFC 6066, section 3): Node warns on the console where one is. */
function withoutAddressName(connect: buildConnector.connector): buildConnector.connector {
  return ({ servername, ...where }, callback) => {
    const isAddress = isIP(servername?.replace(/^\[|\]$/g, "") ?? "") !== 0;
    return connect({ ...where, ...(!isAddress && { servername }) }, callback);
  };
}
