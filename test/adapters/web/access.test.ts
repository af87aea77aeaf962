import { readFile, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { loginLink } from "../../../adapters/web/login.ts";
import { codeOf, post, statusWith } from "./support/client.ts";
import { startSite, type Site } from "./support/site.ts";

describe("on the loopback", () => {
  let site: Site;
  beforeEach(async () => {
    site = await startSite();
  });
  afterEach(() => site.close());

  it("asks for no login", async () => {
    expect((await fetch(`${site.url}/web/session`)).status).toBe(200);
    expect(await loginLink(site.config)).toBe("http://127.0.0.1:8787/");
  });

  it.each(["evil.example", "evil.example:8787", "127.0.0.1.evil.example"])(
    "refuses the name %s for this machine: DNS rebinding",
    async (host) => {
      expect(await statusWith(site.url, "/web/session", { host })).toBe(403);
      expect(await statusWith(site.url, "/", { host })).toBe(403);
    },
  );

  it.each(["localhost", "localhost:8787", "127.0.0.1", "[::1]:8787", "reelay.localhost"])(
    "goes by the name %s",
    async (host) => {
      expect(await statusWith(site.url, "/web/session", { host })).toBe(200);
    },
  );

  const browser = { "user-agent": "Mozilla/5.0", connection: "keep-alive" };

  it.each([
    { "x-forwarded-for": "203.0.113.7" },
    { "x-forwarded-host": "reelay.example" },
    { forwarded: "for=203.0.113.7" },
    { "x-real-ip": "203.0.113.7" },
    { via: "1.1 proxy" },
    { "cf-ray": "8a" },
    { "x-proxyuser-ip": "203.0.113.7" },
    { "x-request-start": "t=1700000000" },
    { "x-queue-start": "t=1700000000" },
    { "proxy-connection": "keep-alive" },
    { "x-forwarded-ssl": "on" },
    { "x-azure-fdid": "8a" },
    { "cloudfront-viewer-address": "203.0.113.7:4711" },
    { "fly-request-id": "8a" },
    { "x-vercel-id": "8a" },
    { "x-nf-client-connection-ip": "203.0.113.7" },
    { "ngrok-auth-user-email": "ann@example.com" },
    { referer: "https://reelay.example/" },
    { connection: "close" },
  ])("refuses what shows that it was forwarded: %j", async (headers) => {
    for (const path of ["/web/session", "/web/events", "/web/media/00", "/"])
      expect(await statusWith(site.url, path, { ...browser, ...headers })).toBe(403);
    expect(site.core.heard).toEqual([]);
  });

  it("lets through what browsers and people send by themselves", async () => {
    const sent = ["sec-fetch-mode", "sec-gpc", "dnt", "priority", "x-request-id", "x-requested-with"];
    const headers = { "sec-fetch-site": "same-origin", "ngrok-skip-browser-warning": "1", ...browser };
    for (const name of sent) Object.assign(headers, { [name]: "1" });
    expect(await statusWith(site.url, "/web/session", headers)).toBe(200);
  });

  it("refuses HTTP/1.0, which a proxy speaks that hides everything else", async () => {
    const { hostname, port } = new URL(site.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /web/session HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("says which line is to be set, to programs and on the page itself", async () => {
    const headers = { ...browser, "x-forwarded-host": "studio.example", "x-forwarded-proto": "https" };
    const refused = await fetch(`${site.url}/web/session`, { headers });
    expect(await refused.json()).toEqual({
      code: "forwarded",
      params: { address: "https://studio.example" },
    });
    const page = await fetch(site.url, { headers: { ...headers, "accept-language": "de" } });
    expect(await page.text()).toContain("Setze REELAY_PUBLIC_URL=https://studio.example (");
  });

  it.each([
    { origin: "https://evil.example" },
    { referer: "https://evil.example/page" },
    { origin: "https://evil.example", "x-forwarded-for": "203.0.113.7" },
    { "x-forwarded-host": "evil.example", "sec-fetch-site": "cross-site" },
    { "x-forwarded-host": "evil.example:x" },
  ])("proposes no address that another site decides about: %j", async (headers) => {
    const refused = await fetch(`${site.url}/web/session`, { headers: { ...browser, ...headers } });
    expect(await refused.json()).toEqual({
      code: "forwarded",
      params: { address: "https://reelay.example" },
    });
    expect(await (await fetch(site.url, { headers: { ...browser, ...headers } })).text()).not.toContain(
      "evil.example",
    );
  });

  it.each([
    {},
    browser,
    { ...browser, "sec-fetch-site": "cross-site", referer: "https://elsewhere.example/" },
  ])("lets in what comes from this machine: %j", async (headers) => {
    expect(await statusWith(site.url, "/web/session", headers)).toBe(200);
    expect(await statusWith(site.url, "/", headers)).toBe(200);
  });

  it.each(["https://evil.example", "null", "http://127.0.0.1:1", ""])(
    "refuses what the origin %j sends",
    async (origin) => {
      const response = await post(site.url, "/web/act", { token: "x:y" }, { origin });
      expect(response.status).toBe(403);
      expect(await codeOf(response)).toBe("foreign_origin");
      expect(site.core.heard).toEqual([]);
    },
  );

  it("refuses bodies that any site may send without asking", async () => {
    const response = await post(site.url, "/web/act", { token: "x:y" }, { "content-type": "text/plain" });
    expect(response.status).toBe(400);
    expect(site.core.heard).toEqual([]);
  });

  it("sends the page with a policy that lets nothing in from elsewhere", async () => {
    const { headers } = await fetch(site.url);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|data:|https?:|\*/);
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });
});

describe("beyond the loopback", () => {
  const publicUrl = "https://reelay.example";
  let site: Site;
  let token: string;
  beforeEach(async () => {
    site = await startSite({ env: { REELAY_PUBLIC_URL: publicUrl } });
    token = new URL(await loginLink(site.config)).hash.replace("#login=", "");
  });
  afterEach(() => site.close());

  const logIn = (given: string, origin = publicUrl) =>
    post(site.url, "/web/login", { token: given }, { origin });

  it.each(["/web/session", "/web/events", "/web/media/00"])("refuses %s without a login", async (path) => {
    const response = await fetch(site.url + path);
    expect(response.status).toBe(401);
    expect(await codeOf(response)).toBe("login_required");
  });

  it("links to the public address, with the token where browsers do not send it", async () => {
    expect(await loginLink(site.config)).toBe(`${publicUrl}/#login=${token}`);
  });

  it("keeps one token, in a file that only its owner reads", async () => {
    const path = join(site.data, "login-token");
    expect((await readFile(path, "utf8")).trim()).toBe(token);
    expect(token.length).toBeGreaterThanOrEqual(43);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("has the same whole token for everybody, also while it is made", async () => {
    for (let nth = 0; nth < 200; nth++) {
      const config = { ...site.config, data: join(site.data, `new-${nth}`) };
      const first = loginLink(config);
      await setImmediate();
      expect(await loginLink(config)).toBe(await first);
      expect(await first).toMatch(/#login=[\w-]{43}$/);
    }
  });

  it("exchanges the token for a cookie that scripts and other sites cannot use", async () => {
    const response = await logIn(token);
    expect(response.status).toBe(204);
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Strict/i);
    expect(cookie).toMatch(/Secure/i);
    expect(cookie).not.toContain(token);
    const session = await fetch(`${site.url}/web/session`, {
      headers: { cookie: cookie.split(";")[0] ?? "" },
    });
    expect(session.status).toBe(200);
  });

  it("refuses a login that another site sends", async () => {
    expect((await logIn(token, "https://evil.example")).status).toBe(403);
  });

  it("refuses forged cookies", async () => {
    const session = await fetch(`${site.url}/web/session`, { headers: { cookie: `reelay=${token}` } });
    expect(session.status).toBe(401);
  });

  it("hears ten wrong tokens a minute, writes them down, and always hears the right one", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      for (let i = 0; i < 10; i++) expect(await codeOf(await logIn("wrong"))).toBe("login_wrong");
      expect(site.logged.filter((line) => line.includes("A login failed"))).toHaveLength(10);
      expect(site.logged.join()).not.toContain(token);
      const paused = await logIn("wrong");
      expect(paused.status).toBe(429);
      expect(await codeOf(paused)).toBe("login_paused");
      expect((await logIn(token)).status).toBe(204);
      // Also where the clock is set back meanwhile.
      vi.setSystemTime(Date.now() - 3_600_000);
      expect(await codeOf(await logIn("wrong"))).toBe("login_paused");
      vi.setSystemTime(Date.now() + 61_000);
      expect(await codeOf(await logIn("wrong"))).toBe("login_wrong");
    } finally {
      vi.useRealTimers();
    }
  });

  /** A device that logs in. */
  async function device(userAgent: string) {
    const headers = { origin: publicUrl, "user-agent": userAgent };
    const response = await post(site.url, "/web/login", { token }, headers);
    const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
    const ask = (path: string, method = "GET") =>
      fetch(`${site.url}/web/${path}`, { method, headers: { ...headers, cookie } });
    return {
      cookie,
      ask,
      isIn: async () => (await ask("session")).status === 200,
      sees: async () => z.array(deviceSchema).parse(await (await ask("devices")).json()),
    };
  }

  it("logs each device in by itself, lists them, and ends one without the others", async () => {
    const laptop = await device(
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
    );
    const phone = await device(
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1",
    );
    expect(phone.cookie).not.toBe(laptop.cookie);
    const seen = await laptop.sees();
    expect(Object.fromEntries(seen.map((one) => [one.device, one.current]))).toEqual({
      "Firefox, Windows": true,
      "Safari, iPhone": false,
    });
    const lost = seen.find(({ current }) => !current);
    expect((await laptop.ask(`devices/${lost?.id}`, "DELETE")).status).toBe(204);
    expect([await laptop.isIn(), await phone.isIn()]).toEqual([true, false]);
    expect((await laptop.ask(`devices/${lost?.id}`, "DELETE")).status).toBe(400);
    expect((await laptop.ask("logout", "POST")).status).toBe(204);
    expect(await laptop.isIn()).toBe(false);
    expect((await site.memory.entries()).filter(([key]) => key.startsWith("session:"))).toEqual([]);
  });

  it("keeps no cookie, and takes none whose secret is another's", async () => {
    const [one, other] = [await device("a"), await device("b")];
    const kept = JSON.stringify(await site.memory.entries());
    const [id = "", secret = ""] = one.cookie.replace("reelay=", "").split(".");
    expect(kept).toContain(id);
    expect(kept).not.toContain(secret);
    const [, stolen = ""] = other.cookie.split(".");
    for (const cookie of [
      `reelay=${id}.${stolen}`,
      `reelay=${id}`,
      `reelay=${id}.`,
      "reelay=.",
      "reelay=x.y",
    ])
      expect((await fetch(`${site.url}/web/session`, { headers: { cookie } })).status).toBe(401);
  });

  it("remembers devices over a restart, until the token is replaced", async () => {
    const phone = await device("a");
    await site.stop();
    const again = await startSite({ env: { REELAY_PUBLIC_URL: publicUrl }, data: site.data });
    const isIn = async (url: string) =>
      (await fetch(`${url}/web/session`, { headers: { cookie: phone.cookie } })).status === 200;
    expect(await isIn(again.url)).toBe(true);
    await again.stop();
    await rm(join(site.data, "login-token"));
    site = await startSite({ env: { REELAY_PUBLIC_URL: publicUrl }, data: site.data });
    expect(await isIn(site.url)).toBe(false);
  });
});

const deviceSchema = z.object({ id: z.string(), device: z.string(), current: z.boolean() });

it.each([
  [{ REELAY_HOST: "0.0.0.0" }, /^http:\/\/localhost:8787\/#login=.+/],
  [{ REELAY_HOST: "192.168.1.5" }, /^http:\/\/192\.168\.1\.5:8787\/#login=.+/],
  [{ REELAY_HOST: "fd00::5" }, /^http:\/\/\[fd00::5\]:8787\/#login=.+/],
  [{ REELAY_HOST: "::1" }, /^http:\/\/\[::1\]:8787\/$/],
])("links to where %j listens", async (env, link) => {
  const site = await startSite({ env });
  expect(await loginLink(site.config)).toMatch(link);
  await site.close();
});
