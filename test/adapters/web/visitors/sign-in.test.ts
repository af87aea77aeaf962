import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LOCALES, translator } from "../../../../src/common/i18n.ts";
import { codeOf, history, post, statusWith } from "../support/client.ts";
import { startSite, type Site } from "../support/site.ts";
import { APP, cookieOf, opens, PUBLIC, signIn, ticketFor, visit } from "../support/visitor.ts";

let site: Site;
beforeEach(async () => {
  site = await startSite({ env: PUBLIC });
});
afterEach(async () => {
  vi.useRealTimers();
  await site.close();
});

const session = async (headers: { readonly cookie: string }) => {
  const answer = await fetch(`${site.url}${APP}/web/session`, { headers });
  return answer.ok ? ((await answer.json()) as { person: string }).person : codeOf(answer);
};

const later = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });

describe.each([
  ["from Telegram", async () => ({ initData: opens(111) })],
  ["by a link", async () => ({ ticket: await ticketFor(site, "telegram:111") })],
])("signing in %s", (_, keyFor) => {
  it("opens the page of the person of that chat", async () => {
    const answer = await signIn(site.url, await keyFor());
    expect(answer.status).toBe(204);
    expect(await session({ cookie: cookieOf(answer) })).toBe("telegram:111");
  });

  it("works once, but for whoever it let in", async () => {
    const key = await keyFor();
    const cookie = cookieOf(await signIn(site.url, key));
    const again = await signIn(site.url, key);
    expect([again.status, await codeOf(again)]).toEqual([403, "sign_in_used"]);
    expect((await signIn(site.url, key, cookie)).status).toBe(204);
    expect(await session({ cookie })).toBe("telegram:111");
    const ben = await visit(site, "telegram:222");
    expect((await signIn(site.url, key, ben.cookie)).status).toBe(403);
    expect(await session(ben)).toBe("telegram:222");
  });

  it("works once when two come with it at the same moment", async () => {
    const key = await keyFor();
    const answers = await Promise.all([1, 2, 3].map(() => signIn(site.url, key)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 403, 403]);
  });

  it("is used up also by whoever is in already", async () => {
    const { cookie } = await visit(site, "telegram:111");
    const key = await keyFor();
    expect((await signIn(site.url, key, cookie)).status).toBe(204);
    expect(await codeOf(await signIn(site.url, key))).toBe("sign_in_used");
  });

  it("works for ten minutes", async () => {
    const [early, late] = [await keyFor(), await keyFor()];
    later(9 * 60_000);
    expect((await signIn(site.url, early)).status).toBe(204);
    later(2 * 60_000);
    expect(await codeOf(await signIn(site.url, late))).toBe("sign_in_stale");
    expect(await codeOf(await signIn(site.url, early))).toBe("sign_in_stale");
  });

  it("is the page's alone: other sites cannot send it", async () => {
    const key = await keyFor();
    const path = `${APP}/web/sign-in/${"ticket" in key ? "link" : "telegram"}`;
    const answer = await post(site.url, path, key, { origin: "https://evil.example" });
    expect(await codeOf(answer)).toBe("foreign_origin");
    expect((await signIn(site.url, key)).status).toBe(204);
  });

  it("gives a cookie that scripts cannot read, for that page alone, also inside of Telegram's site", async () => {
    const cookie = (await signIn(site.url, await keyFor())).headers.get("set-cookie") ?? "";
    for (const part of ["HttpOnly", "Secure", "SameSite=None", "Partitioned", "Path=/app"])
      expect(cookie.split("; ")).toContain(part);
  });
});

it("refuses what somebody made up, or what was made elsewhere", async () => {
  const elsewhere = await startSite({ env: PUBLIC });
  const ticket = await ticketFor(elsewhere, "telegram:111");
  await visit(elsewhere, "telegram:222");
  await elsewhere.close();
  const made = Buffer.from(JSON.stringify({ user: "telegram:111", id: "x", at: Date.now() })).toString(
    "base64url",
  );
  const keys = [
    { ticket },
    { ticket: "" },
    { ticket: `${made}.` },
    { ticket: `${made}.${"A".repeat(43)}` },
    { initData: opens(111).replace("111", "222") },
    { initData: "" },
  ];
  for (const key of keys) {
    const answer = await signIn(site.url, key);
    expect([answer.status, await codeOf(answer), cookieOf(answer)]).toEqual([403, "sign_in_forged", ""]);
  }
});

it("refuses what comes from the future", async () => {
  const initData = opens(111, Date.now() + 5 * 60_000);
  expect(await codeOf(await signIn(site.url, { initData }))).toBe("sign_in_stale");
});

it("signs nobody in from Telegram where nothing is known of the bot", async () => {
  const without = await startSite({ env: { REELAY_PUBLIC_URL: "https://studio.example" } });
  expect(await codeOf(await signIn(without.url, { initData: opens(111) }))).toBe("sign_in_forged");
  await without.close();
});

it("logs no proof, and whom it refused", async () => {
  const initData = opens(918_273_645);
  const ticket = await ticketFor(site, "telegram:918273645");
  for (const key of [{ initData }, { ticket }, { initData }, { ticket }]) await signIn(site.url, key);
  const log = site.logged.join("");
  expect(log).toContain("sign_in_used");
  expect(log).not.toContain(ticket);
  expect(log).not.toContain("918273645");
});

it("says a way on in every language wherever it refuses", () => {
  for (const locale of LOCALES)
    for (const why of ["required", "forged", "stale", "used", "declined", "unavailable"] as const)
      expect(translator(locale)(`page.refused.sign_in_${why}`)).toContain("/studio");
});

describe("everybody's page", () => {
  it("may be shown inside of Telegram's site, and the operator's nowhere", async () => {
    const policyOf = async (path: string) =>
      (await fetch(site.url + path)).headers.get("content-security-policy") ?? "";
    expect(await policyOf(APP)).toContain("frame-ancestors https://web.telegram.org");
    expect(await policyOf(APP)).toContain("script-src 'self'");
    expect((await fetch(site.url + APP)).headers.get("x-frame-options")).toBeNull();
    for (const path of ["/", "/web/session", `${APP}/web/session`, `${APP}/else`])
      expect(await policyOf(path), path).not.toContain("telegram");
  });

  it("is nowhere where people have no way to it", async () => {
    const alone = await startSite();
    for (const path of [APP, `${APP}/web/session`]) expect((await fetch(alone.url + path)).status).toBe(404);
    await alone.close();
  });

  it("lists somebody's own devices, ends each of them, and all that a person has when they are forgotten", async () => {
    const [one, two, ben] = [
      await visit(site, "telegram:111"),
      await visit(site, "telegram:111"),
      await visit(site, "telegram:222"),
    ];
    const devices = async (headers: { readonly cookie: string }) =>
      (await (await fetch(`${site.url}${APP}/web/devices`, { headers })).json()) as {
        id: string;
        current: boolean;
      }[];
    const mine = await devices(one);
    expect(mine.filter(({ current }) => current)).toHaveLength(1);
    const other = mine.find(({ current }) => !current)?.id ?? "";
    const end = (headers: { readonly cookie: string }) =>
      fetch(`${site.url}${APP}/web/devices/${other}`, {
        method: "DELETE",
        headers: { ...headers, origin: site.url },
      });
    expect((await end(ben)).status).toBe(400);
    expect(await session(two)).toBe("telegram:111");
    expect((await end(one)).status).toBe(204);
    expect(await session(two)).toBe("sign_in_required");
    await post(site.url, `${APP}/web/logout`, {}, one);
    expect(await session(one)).toBe("sign_in_required");
    await site.surface.forget("telegram:222");
    expect(await session(ben)).toBe("sign_in_required");
  });

  it("ends the session of whoever used the device before", async () => {
    const ann = await visit(site, "telegram:111");
    const ben = cookieOf(await signIn(site.url, { ticket: await ticketFor(site, "discord:5") }, ann.cookie));
    expect(await session({ cookie: ben })).toBe("discord:5");
    expect(await session(ann)).toBe("sign_in_required");
  });

  it("opens for nobody who has logged in to the operator's page, nor the other way", async () => {
    const { cookie } = await visit(site, "telegram:111");
    const value = cookie.slice(cookie.indexOf("=") + 1);
    expect(await statusWith(site.url, "/web/session", { cookie })).toBe(401);
    expect(await statusWith(site.url, "/web/session", { cookie: `reelay=${value}` })).toBe(401);
    const { readFile } = await import("node:fs/promises");
    const token = (await readFile(`${site.data}/login-token`, "utf8")).trim();
    const operator = cookieOf(await post(site.url, "/web/login", { token }));
    expect(await statusWith(site.url, "/web/session", { cookie: operator })).toBe(200);
    const theirs = `reelay-app=${operator.slice(operator.indexOf("=") + 1)}`;
    expect(await statusWith(site.url, `${APP}/web/session`, { cookie: theirs })).toBe(401);
    expect(await statusWith(site.url, `${APP}/web/login`, { cookie: operator }, "POST")).toBe(403);
    expect(await history(site.url, { cookie: operator })).toEqual([]);
  });
});
