import type { IncomingHttpHeaders } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { Agent, request } from "undici";
import { ReelayError } from "../../common/errors.ts";
import { atMost } from "../../common/time.ts";
import { checkLiteral, publicLookup } from "./public-address.ts";

/** How long a connection may take to be made, with TLS, in milliseconds; an address that answers takes tens of them. */
const CONNECT_MS = 5_000;

/** How long a connection is kept for the next request, in milliseconds: shorter than servers keep theirs, so that none leaves by one that is just closed. */
const KEPT_MS = 1_000;

/** Where an address that somebody gave us may lead. */
export interface Guard {
  /** `REELAY_PRIVATE_HOSTS`: `host` or `host:port` that may be private and spoken to over plain http. */
  readonly privateHosts: readonly string[];
  /** How names are looked up; by default at servers of names, those of {@link privateHosts} the system's way. */
  readonly lookup?: LookupFunction | undefined;
}

/** One request to such an address. */
export interface GuardedRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** What came back. */
export interface GuardedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  /** Gives the connection up, or, where it is kept and nothing is left unread, back. */
  end(): Promise<void>;
}

/**
 * The address as a URL, provided that nothing in it leads where it must not: https on port 443 at no private
 * address, without credentials. Hosts of the operator's own network are excepted. Where a name leads is seen
 * when it is connected to.
 * @param base what a relative address, such as that of a redirect, is relative to
 * @throws ReelayError `url_refused`; `url_with_password` where that is in what somebody gave us
 */
export function checkedUrl(address: string, privateHosts: readonly string[], base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (!url) throw new ReelayError("url_refused");
  if (url.username || url.password) throw new ReelayError(base ? "url_refused" : "url_with_password");
  if (isPrivateHost(url, privateHosts)) return url;
  if (url.protocol !== "https:" || url.port) throw new ReelayError("url_refused");
  checkLiteral(url.hostname);
  return url;
}

/** How long it is waited for where a name leads, in milliseconds: it is only asked beforehand. */
const LOOKUP_MS = 3_000;

/**
 * Whether an address may lead somewhere, as far as that can be told without asking there. A name that cannot be looked up
 * now may be another time.
 * @throws as {@link checkedUrl}
 */
export async function checkAddress(address: string, { privateHosts, lookup }: Guard): Promise<void> {
  const url = checkedUrl(address, privateHosts);
  if (isPrivateHost(url, privateHosts) || isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  publicLookup(lookup)(url.hostname, { all: true }, (error) =>
    error instanceof ReelayError ? reject(error) : resolve(),
  );
  await atMost(LOOKUP_MS, promise);
}

/**
 * Sends requests over connections that lead nowhere but where their URLs may, and keeps those for a moment: whoever is told many things is
 * told them by one. Where a name leads was seen when it was connected to.
 */
export class GuardedAgent implements AsyncDisposable {
  readonly #privateHosts: readonly string[];
  /** To where a name must lead to a public address, and to hosts of the operator's own network. */
  readonly #agents: { readonly open: Agent; readonly excepted: Agent };

  constructor({ privateHosts, lookup }: Guard) {
    this.#privateHosts = privateHosts;
    const keep = { keepAliveTimeout: KEPT_MS, keepAliveMaxTimeout: KEPT_MS };
    const agent = (found: LookupFunction | undefined) =>
      new Agent({ ...keep, connect: { timeout: CONNECT_MS, ...(found && { lookup: found }) } });
    this.#agents = { open: agent(publicLookup(lookup)), excepted: agent(lookup) };
  }

  /**
   * Sends one request. Redirects are not followed.
   * @param url from {@link checkedUrl}
   * @throws ReelayError `url_refused` where a name leads to a private address; `url_failed` for everything else
   */
  async request(url: URL, { method, headers, body, signal }: GuardedRequest): Promise<GuardedAnswer> {
    const { open, excepted } = this.#agents;
    const dispatcher = isPrivateHost(url, this.#privateHosts) ? excepted : open;
    const answer = await request(url, { method, headers, body: body ?? null, signal, dispatcher }).catch(
      (cause: unknown) => {
        throw asUrlError(cause);
      },
    );
    // undici's body fails when it is thrown away unread; whoever reads it still sees every failure.
    answer.body.on("error", () => {});
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.body,
      end: async () => void answer.body.destroy(),
    };
  }

  /** Ends its connections, and what is asked over them. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#agents.open.destroy(), this.#agents.excepted.destroy()]);
  }
}

/**
 * Sends one request as {@link GuardedAgent} does, over a connection of its own, which nothing is left of.
 * @param url from {@link checkedUrl}
 * @throws as {@link GuardedAgent.request}
 */
export async function guardedRequest(url: URL, asked: GuardedRequest, guard: Guard): Promise<GuardedAnswer> {
  const agent = new GuardedAgent(guard);
  try {
    return { ...(await agent.request(url, asked)), end: () => agent[Symbol.asyncDispose]() };
  } catch (error) {
    await agent[Symbol.asyncDispose]();
    throw error;
  }
}

/** What broke a connection, as `url_failed`, unless it says what it means itself. */
export function asUrlError(cause: unknown): ReelayError {
  return cause instanceof ReelayError ? cause : new ReelayError("url_failed", {}, { cause });
}

function isPrivateHost({ protocol, hostname, port }: URL, privateHosts: readonly string[]): boolean {
  if (protocol !== "https:" && protocol !== "http:") return false;
  const effectivePort = port || (protocol === "https:" ? "443" : "80");
  return privateHosts.includes(hostname) || privateHosts.includes(`${hostname}:${effectivePort}`);
}
