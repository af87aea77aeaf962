import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { Agent, type Dispatcher, request } from "undici";
import { ReelayError } from "../errors.ts";
import { limited } from "./limited.ts";
import { checkLiteral, publicLookup } from "./public-address.ts";

/** What a person's URL may cost and where it may lead. */
export interface FetchOptions {
  /** The largest file taken, in bytes. */
  readonly maxBytes: number;
  /** For everything together, from the first lookup to the last byte, in milliseconds. */
  readonly timeoutMs: number;
  /** `REELAY_PRIVATE_HOSTS`: `host` or `host:port` that may be private and spoken to over plain http. */
  readonly privateHosts: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** How names are looked up; by default the system's way. */
  readonly lookup?: LookupFunction | undefined;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Opens what a person's URL leads to: over https, on port 443, at public addresses only, on every step of at
 * most 3 redirects. Hosts of the operator's own network are excepted by `privateHosts`.
 *
 * The stream fails with ReelayError `media_too_large` or `url_failed` when a cap is met on the way.
 * @returns the stream and the type that the host announces, which is not to be believed
 * @throws ReelayError `url_refused`, `url_failed`, `media_too_large` with `max` in bytes
 */
export async function fetchUserUrl(
  address: string,
  options: FetchOptions,
): Promise<{ stream: Readable; type: string }> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  let url = parsed(address);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const agent = agentFor(url, options);
    const { statusCode, headers, body } = await get(url, agent, signal);
    if (statusCode >= 200 && statusCode < 300) {
      if (Number(headers["content-length"]) > options.maxBytes) {
        await agent.destroy();
        throw new ReelayError("media_too_large", { max: options.maxBytes });
      }
      const stream = Readable.from(contents(body, agent, options.maxBytes), { objectMode: false });
      return { stream, type: String(headers["content-type"] ?? "application/octet-stream") };
    }
    await agent.destroy();
    if (!REDIRECTS.has(statusCode)) throw new ReelayError("url_failed");
    url = parsed(String(headers.location ?? ""), url);
  }
  throw new ReelayError("url_failed");
}

function parsed(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (!url) throw new ReelayError("url_refused");
  return url;
}

/** Connections that lead nowhere but where this URL may. */
function agentFor(url: URL, { privateHosts, lookup }: FetchOptions): Agent {
  if (url.username || url.password) throw new ReelayError("url_refused");
  if (isPrivateHost(url, privateHosts)) return new Agent({ connect: lookup ? { lookup } : {} });
  if (url.protocol !== "https:" || url.port) throw new ReelayError("url_refused");
  checkLiteral(url.hostname);
  return new Agent({ connect: { lookup: publicLookup(lookup) } });
}

function isPrivateHost({ protocol, hostname, port }: URL, privateHosts: readonly string[]): boolean {
  if (protocol !== "https:" && protocol !== "http:") return false;
  const effectivePort = port || (protocol === "https:" ? "443" : "80");
  return privateHosts.includes(hostname) || privateHosts.includes(`${hostname}:${effectivePort}`);
}

async function get(url: URL, agent: Agent, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  try {
    return await request(url, { dispatcher: agent, signal, headers: { accept: "image/*,*/*;q=0.1" } });
  } catch (cause) {
    await agent.destroy();
    throw asFetchError(cause);
  }
}

async function* contents(body: Readable, agent: Agent, maxBytes: number): AsyncGenerator<Buffer> {
  try {
    yield* limited(maxBytes)(body);
  } catch (cause) {
    throw asFetchError(cause);
  } finally {
    await agent.destroy();
  }
}

function asFetchError(cause: unknown): ReelayError {
  return cause instanceof ReelayError ? cause : new ReelayError("url_failed", {}, { cause });
}
