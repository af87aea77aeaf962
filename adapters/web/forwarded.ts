import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";

/** What proxies, tunnels and content networks add to the requests that they hand on: whole names. */
const FORWARDED: ReadonlySet<string> = new Set([
  "forwarded",
  "via",
  "front-end-https",
  "proxy-connection",
  "true-client-ip",
  "incap-client-ip",
  "x-forwarded",
  "x-real-ip",
  "x-client-ip",
  "x-remote-ip",
  "x-remote-addr",
  "x-scheme",
  "x-url-scheme",
  "x-request-start",
  "x-queue-start",
  "x-rewrite-url",
  "x-varnish",
  "x-cloud-trace-context",
]);

/** The same: how names begin of which one network has many. */
const FORWARDED_BY =
  /^(cdn|cf|cloudfront|fastly|fly|akamai|tailscale|ngrok-auth|x-(forwarded|original|proxyuser|cluster-client|envoy|amzn|amz-cf|azure|arr|appengine|goog-iap|goog-authenticated|vercel|nf|railway|akamai|sucuri|tunnel))-/;

/**
 * Whether a request shows any sign of having come through a proxy: what one adds; HTTP/1.0, which nginx speaks unless told
 * otherwise and browsers do not; a browser's request without the `keep-alive` that each of them sends and a proxy keeps to
 * itself (RFC 9110, section 7.6.1); or a page that it comes from under another name than it asks for. A proxy that hides all
 * of this cannot be told from a browser on this machine.
 */
export function isForwarded(c: Context): boolean {
  if (Object.keys(c.req.header()).some((name) => FORWARDED.has(name) || FORWARDED_BY.test(name))) return true;
  if ((c.env as Partial<HttpBindings> | undefined)?.incoming?.httpVersion === "1.0") return true;
  const isBrowser = c.req.header("user-agent")?.startsWith("Mozilla/") ?? false;
  if (isBrowser && c.req.header("connection")?.toLowerCase() !== "keep-alive") return true;
  const { host } = new URL(c.req.url);
  return !isLink(c) && ["origin", "referer"].some((name) => isElsewhere(c.req.header(name), host));
}

/**
 * The address that people probably use, for the setting that names it: as a proxy says it, which no page can make a browser
 * say. What any site decides about is not proposed: `Origin`, `Referer`, and where its own link leads, perhaps by a name of
 * its own for this machine.
 */
export function addressSeen(c: Context): string {
  const [host = ""] = c.req.header("x-forwarded-host")?.split(",") ?? [];
  const proto = c.req.header("x-forwarded-proto")?.split(",")[0] === "http" ? "http" : "https";
  const address = `${proto}://${host.trim()}`;
  return isLink(c) || !URL.canParse(address) ? "https://reelay.example" : new URL(address).origin;
}

/** Whether somebody follows a link from another page: their browser says so, and a proxy hands that on as it is. */
function isLink(c: Context): boolean {
  return ["cross-site", "same-site"].includes(c.req.header("sec-fetch-site") ?? "");
}

/** Whether an address names another host. */
function isElsewhere(address: string | undefined, host: string): boolean {
  return address !== undefined && URL.canParse(address) && new URL(address).host !== host;
}
