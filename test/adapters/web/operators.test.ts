import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loginLink } from "../../../adapters/web/login.ts";
import { OPERATOR_ROLES, type OperatorRole, TERMINAL_OWNER } from "../../../src/seam/access/operators.ts";
import { codeOf, history, post } from "./support/client.ts";
import { type Site, startSite } from "./support/site.ts";
import { cookieOf, PUBLIC, visit } from "./support/visitor.ts";

const publicUrl = PUBLIC.REELAY_PUBLIC_URL;
const ORIGIN = { origin: publicUrl };

let site: Site;
beforeEach(async () => {
  site = await startSite({ env: PUBLIC });
});
afterEach(() => site.close());

const enter = (token: string, name?: string, cookie = "") =>
  post(site.url, "/web/enter", { token, ...(name !== undefined && { name }) }, { ...ORIGIN, cookie });

/** Somebody with a role who is in: their id, and what their browser sends. */
async function as(role: OperatorRole, name: string = role) {
  const { operator, token } = await site.operators.invite(role, TERMINAL_OWNER);
  const answer = await enter(token, name);
  expect(answer.status).toBe(204);
  return { id: operator.id, headers: { ...ORIGIN, cookie: cookieOf(answer) } };
}

const ask = (headers: Record<string, string>, path: string, method = "GET") =>
  fetch(`${site.url}${path}`, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(method === "POST" && { body: "{}" }),
  });

/** Which routes are not only for those who make things. */
const OF_ANYBODY = ["POST /web/login", "POST /web/enter"];
const OF_EVERY_ROLE = ["POST /web/logout", "GET /web/devices", "DELETE /web/devices/:id"];

/** Every route of the page at `/`, as it is mounted: a new one is in here by itself. */
const routes = () => [
  ...new Set(
    site.routes.routes.flatMap(({ method, path }) =>
      method !== "ALL" && path.startsWith("/web/") ? [`${method} ${path}`] : [],
    ),
  ),
];

describe("what a role may at /", () => {
  it("knows every route that there is", () => {
    expect(routes()).toEqual(expect.arrayContaining([...OF_ANYBODY, ...OF_EVERY_ROLE]));
    expect(routes().length).toBeGreaterThan(12);
  });

  it.each(["moderator", "viewer"] as const)("is nothing that makes something, for a %s", async (role) => {
    const { headers } = await as(role);
    for (const route of routes()) {
      if (OF_ANYBODY.includes(route) || OF_EVERY_ROLE.includes(route)) continue;
      const [method = "", path = ""] = route.split(" ");
      const answer = await ask(headers, path.replaceAll(/:\w+/g, "x"), method);
      expect([route, answer.status, await codeOf(answer)]).toEqual([route, 403, "role_may_not"]);
    }
    expect(site.core.heard).toEqual([]);
  });

  it.each(["owner", "operator"] as const)("is everything, for an %s", async (role) => {
    const { headers } = await as(role);
    for (const route of routes()) {
      // Its answer does not end, and neither do sessions here.
      if (OF_EVERY_ROLE.includes(route) || route === "GET /web/events") continue;
      const [method = "", path = ""] = route.split(" ");
      const answer = await ask(headers, path.replaceAll(/:\w+/g, "x"), method);
      const body = await answer.text();
      expect([route, body.includes("role_may_not"), answer.status === 401]).toEqual([route, false, false]);
    }
    expect(await history(site.url, headers)).toEqual([]);
  });

  it.each(OPERATOR_ROLES)("lets a %s see and end their own sessions alone", async (role) => {
    const [one, other] = [await as(role), await as("owner", "Somebody else")];
    const own = (await (await ask(one.headers, "/web/devices")).json()) as { id: string }[];
    const others = (await (await ask(other.headers, "/web/devices")).json()) as { id: string }[];
    expect([own.length, others.length]).toEqual([1, 1]);
    expect((await ask(one.headers, `/web/devices/${others[0]?.id}`, "DELETE")).status).toBe(400);
    expect((await ask(one.headers, "/web/logout", "POST")).status).toBe(204);
    expect((await ask(one.headers, "/web/devices")).status).toBe(401);
    expect((await ask(other.headers, "/web/devices")).status).toBe(200);
  });
});

describe("somebody who is invited", () => {
  it("comes in once, with a cookie that scripts and other sites cannot use", async () => {
    const { token } = await site.operators.invite("operator", TERMINAL_OWNER);
    const answer = await enter(token, "Ann");
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly.*SameSite=Strict/i);
    expect(cookie).toMatch(/Secure/i);
    const [, secret = ""] = token.split(".");
    expect(cookie).not.toContain(secret);
    const again = await enter(token, "Bob");
    expect([again.status, await codeOf(again)]).toEqual([403, "link_over"]);
    expect(site.logged.join()).not.toContain(secret);
  });

  it("is asked for another name where it is taken, and the link stays good", async () => {
    await as("viewer", "Ann");
    const { token } = await site.operators.invite("viewer", TERMINAL_OWNER);
    const taken = await enter(token, "ann");
    expect([taken.status, await codeOf(taken)]).toEqual([409, "operator_name_taken"]);
    expect((await enter(token, "Ann B.")).status).toBe(204);
  });

  it("cannot be brought in by another site", async () => {
    const { token } = await site.operators.invite("viewer", TERMINAL_OWNER);
    const answer = await post(
      site.url,
      "/web/enter",
      { token, name: "Ann" },
      { origin: "https://evil.example" },
    );
    expect(answer.status).toBe(403);
    expect((await enter(token, "Ann")).status).toBe(204);
  });

  it("takes the place of whoever used the device before", async () => {
    const ann = await as("operator", "Ann");
    const { token } = await site.operators.invite("operator", TERMINAL_OWNER);
    const answer = await enter(token, "Bob", ann.headers.cookie);
    expect((await ask(ann.headers, "/web/session")).status).toBe(401);
    const session = await ask({ ...ORIGIN, cookie: cookieOf(answer) }, "/web/session");
    expect(await session.json()).toMatchObject({ person: (await site.operators.named("Bob")).id });
  });

  it("has a conversation of their own", async () => {
    const [ann, bob] = [await as("operator", "Ann"), await as("operator", "Bob")];
    const asked = await post(
      site.url,
      "/web/command/image",
      { values: { prompt: "waves" } },
      { ...ann.headers },
    );
    expect(asked.status).toBe(202);
    await site.core.idle();
    expect(site.core.heard).toMatchObject([{ origin: { user: ann.id, platform: "web" } }]);
    expect((await history(site.url, ann.headers)).length).toBeGreaterThan(0);
    expect(await history(site.url, bob.headers)).toEqual([]);
    const token = new URL(await loginLink(site.config)).hash.slice("#login=".length);
    const owner = cookieOf(await post(site.url, "/web/login", { token }, ORIGIN));
    expect(await history(site.url, { cookie: owner })).toEqual([]);
  });
});

describe("the two pages", () => {
  it("let nobody from one into the other", async () => {
    const ann = await as("owner", "Ann");
    const visitor = await visit(site, "telegram:7");
    const [name = "", value = ""] = visitor.cookie.split("=");
    const [own = "", secret = ""] = ann.headers.cookie.split("=");
    expect((await ask({ cookie: `${own}=${value}` }, "/web/session")).status).toBe(401);
    expect((await ask({ cookie: `${name}=${secret}` }, "/app/web/session")).status).toBe(401);
    expect((await ask(ann.headers, "/web/session")).status).toBe(200);
    expect((await ask(visitor, "/app/web/session")).status).toBe(200);
  });
});

describe("somebody who is removed, or may make nothing any more", () => {
  it.each([
    ["removed", 401],
    ["a viewer", 403],
  ])("is out at once when they are %s, with every open stream", async (what, status) => {
    const ann = await as("operator", "Ann");
    const { body } = await fetch(`${site.url}/web/events`, { headers: ann.headers });
    const reader = body?.getReader();
    // The history.
    await reader?.read();
    if (status === 401) await site.operators.remove(ann.id, TERMINAL_OWNER);
    else await site.operators.setRole(ann.id, { from: "operator", to: "viewer" }, TERMINAL_OWNER);
    // Ends without a heartbeat, or the test does not end.
    for (let part = await reader?.read(); !part?.done; part = await reader?.read());
    expect([what, (await ask(ann.headers, "/web/session")).status]).toEqual([what, status]);
  });

  it("leaves the others in", async () => {
    const [ann, bob] = [await as("operator", "Ann"), await as("operator", "Bob")];
    await site.operators.remove(ann.id, TERMINAL_OWNER);
    expect((await ask(bob.headers, "/web/session")).status).toBe(200);
  });
});

it("has nobody to let in by a link where the page asks nobody who they are", async () => {
  const open = await startSite();
  const answer = await post(open.url, "/web/enter", { token: "op-1.x", name: "Ann" });
  expect([answer.status, await codeOf(answer)]).toEqual([400, "no_login"]);
  expect((await fetch(`${open.url}/web/session`)).status).toBe(200);
  await open.close();
});
