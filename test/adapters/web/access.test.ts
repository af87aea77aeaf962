import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
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

  it("hears ten wrong tokens a minute, and then none, not even the right one", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      for (let i = 0; i < 10; i++) expect(await codeOf(await logIn("wrong"))).toBe("login_wrong");
      const paused = await logIn(token);
      expect(paused.status).toBe(429);
      expect(await codeOf(paused)).toBe("login_paused");
      vi.setSystemTime(Date.now() + 61_000);
      expect((await logIn(token)).status).toBe(204);
    } finally {
      vi.useRealTimers();
    }
  });
});

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
