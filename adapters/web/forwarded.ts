import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";

/** What proxies, tunnels and content networks add to the requests that they hand on. */
const FORWARDED = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-forwarded-server",
  "x-forwarded-prefix",
  "x-forwarded",
  "x-original-forwarded-for",
  "x-original-host",
  "x-original-url",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-envoy-external-address",
  "x-amzn-trace-id",
  "x-azure-clientip",
  "x-appengine-user-ip",
  "true-client-ip",
  "fastly-client-ip",
  "fly-client-ip",
  "cf-connecting-ip",
  "cf-ray",
  "cdn-loop",
  "tailscale-user-login",
] as const;

/**
 * Whether a request shows any sign of having come through a proxy: what one adds; HTTP/1.0, which nginx speaks unless told
 * otherwise and browsers do not; a browser's request without the `keep-alive` that each of them sends and a proxy keeps to
 * itself (RFC 9110, section 7.6.1); or a page that it comes from under another name than it asks for. A proxy that hides all
 * of this cannot be told from a browser on this machine.
 */
export function isForwarded(c: Context): boolean {
  if (FORWARDED.some((name) => c.req.header(name) !== undefined)) return true;
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
