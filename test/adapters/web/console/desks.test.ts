import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { endedJob } from "../../../support/job.ts";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { Audit } from "../../../../src/domain/audit/audit.ts";
import { OPERATOR_ROLES, type OperatorRole, TERMINAL_OWNER } from "../../../../src/seam/access/operators.ts";
import { SCOPES } from "../../../../src/seam/access/partners.ts";
import { tokenIn } from "../../../../adapters/web/login.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { codeOf, post } from "../support/client.ts";
import { cookieOf, PUBLIC } from "../support/visitor.ts";
import { startWhole, type WholeSite } from "../support/whole.ts";
import { person } from "../../../support/surface.ts";

const origin = PUBLIC.REELAY_PUBLIC_URL;

/** Which roles are let on: each request that the pages People, Partners, Rules, Keys and Operators send. */
const REQUESTS: readonly [method: string, path: string, roles: string, body?: object][] = [
  ["GET", "partners", "owner operator viewer"],
  ["POST", "partners", "owner operator", {}],
  ["POST", "partners/none/settings", "owner operator", {}],
  ["POST", "partners/none/key", "owner operator", {}],
  ["POST", "partners/none/tokens", "owner operator", {}],
  ["POST", "partners/none/tokens/00/rotate", "owner operator", {}],
  ["DELETE", "partners/none/tokens/00", "owner operator"],
  ["POST", "partners/none/deliveries/00/resend", "owner operator", {}],
  ["GET", "people", "owner operator moderator viewer"],
  ["POST", "people/one", "owner operator moderator viewer", { of: "telegram:7" }],
  ["POST", "blocks", "owner operator moderator", {}],
  ["POST", "blocks/lift", "owner operator moderator", {}],
  ["POST", "reports/none", "owner operator moderator", {}],
  ["GET", "rules", "owner operator viewer"],
  ["PUT", "rules/REELAY_DAILY_CAP", "owner operator", {}],
  ["POST", "rules/REELAY_DAILY_CAP/check", "owner operator", { value: "5" }],
  ["GET", "keys", "owner operator viewer"],
  ["POST", "keys", "owner operator", {}],
  ["PUT", "keys/none", "owner operator", {}],
  ["POST", "keys/none/pause", "owner operator", {}],
  ["POST", "keys/none/resume", "owner operator", {}],
  ["DELETE", "keys/none", "owner operator"],
  ["GET", "operators", "owner"],
  ["POST", "operators", "owner", {}],
  ["POST", "operators/none/role", "owner", {}],
  ["POST", "operators/none/link", "owner", {}],
  ["DELETE", "operators/none/sessions", "owner"],
  ["DELETE", "operators/none", "owner"],
  ["POST", "own-link", "owner operator moderator viewer", {}],
];

/** Somebody who is in. */
interface Seat {
  readonly id: string;
  ask(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Response>;
}

/** What requests a route is for. */
const shape = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);

/** Changes the cap of each person, as a version of it that was seen. */
const put = (seat: Seat, version: number, value: string | null) =>
  seat.ask("PUT", "rules/REELAY_DAILY_CAP", { value }, { "if-match": `"${version}"` });

/** What somebody is told that people have spent, and may spend. */
const money = async (seat: Seat) =>
  z
    .looseObject({ tokens: z.number().nullable(), budgets: z.array(z.unknown()).nullable() })
    .transform(({ tokens, budgets }) => [tokens, budgets])
    .parse(await (await seat.ask("POST", "people/one", { of: "telegram:7" })).json());

describe("the desks of the console", () => {
  let site: WholeSite;
  const data = temporaryFolder();
  const seats = {} as Record<OperatorRole, Seat>;

  async function seat(role: OperatorRole, name: string): Promise<Seat> {
    const { operator, token } = await site.operators.invite(role, TERMINAL_OWNER);
    const cookie = cookieOf(await post(site.url, "/web/enter", { token, name }, { origin }));
    return {
      id: operator.id,
      ask: (method, path, body, headers = {}) =>
        fetch(`${site.url}/console/web/${path}`, {
          method,
          headers: { origin, cookie, "content-type": "application/json", ...headers },
          ...(body && { body: JSON.stringify(body) }),
        }),
    };
  }

  beforeAll(async () => {
    site = await startWhole({ ...PUBLIC, REELAY_DATA: data });
    for (const role of OPERATOR_ROLES) seats[role] = await seat(role, role);
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it("have a role for every route that there is", () => {
    const known = REQUESTS.map(([method, path]) => `${method} ${path}`);
    const mounted = site.routes.routes.flatMap(({ method, path }) =>
      method !== "ALL" &&
      /^\/console\/web\/(?:partners|people|rules|keys|blocks|reports|operators|own-link)/.test(path)
        ? [`${method} ${path.slice("/console/web/".length)}`]
        : [],
    );
    expect(mounted.length).toBeGreaterThan(0);
    expect(mounted.filter((route) => !known.some((request) => shape(route).test(request)))).toEqual([]);
    expect(known.filter((request) => !mounted.some((route) => shape(route).test(request)))).toEqual([]);
  });

  describe.each(REQUESTS)("%s %s", (method, path, roles, body) => {
    it.each(OPERATOR_ROLES)(`lets a %s on or not: ${roles}`, async (role) => {
      const answer = await seats[role].ask(method, path, body);
      const code = answer.status >= 400 ? await codeOf(answer) : undefined;
      expect(code === "role_may_not").toBe(!roles.split(" ").includes(role));
      expect(answer.status === 403).toBe(code === "role_may_not");
    });

    it("asks who comes", async () => {
      const request = { method, headers: { origin, "content-type": "application/json" } };
      expect((await fetch(`${site.url}/console/web/${path}`, request)).status).toBe(401);
    });
  });

  it("write down who did what to a partner, show secrets once, and refuse a stale form", async () => {
    const { owner, operator, viewer } = seats;
    const made = await owner.ask("POST", "partners", { name: "My Shop", caps: { day: 5 } });
    expect(made.status).toBe(201);
    const { token } = z.object({ token: z.string() }).parse(await made.json());
    expect(token).toMatch(/^rly_my-shop_/);
    const shown = await (await viewer.ask("GET", "partners")).text();
    expect(shown).not.toContain(token);
    const [card] = z
      .array(z.looseObject({ version: z.string(), tokens: z.array(z.object({ id: z.string() })) }))
      .parse(JSON.parse(shown));
    expect(card).toMatchObject({ partner: { id: "my-shop", caps: { day: 5 } }, spent: { jobs: 0 } });
    const change = { version: card?.version, caps: { day: 6, monthTokens: 12.5 } };
    const changed = await operator.ask("POST", "partners/my-shop/settings", change);
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({ budgets: [{ period: "month", max: 12.5, spent: 0 }] });
    const stale = await owner.ask("POST", "partners/my-shop/settings", change);
    expect([stale.status, await codeOf(stale)]).toEqual([409, "changed_meanwhile"]);
    const renewed = await operator.ask("POST", `partners/my-shop/tokens/${card?.tokens[0]?.id}/rotate`, {});
    expect(renewed.status).toBe(201);
    const audit = await Audit.open(site.database, "digest");
    const lines = await audit.read({ user: "http:my-shop", limit: 9 });
    expect(lines.map(({ act, by, surface }) => [act, by, surface]).toReversed()).toEqual([
      ["partner_add", owner.id, "web"],
      ["token_add", owner.id, "web"],
      ["caps", operator.id, "web"],
      ["token_revoke", operator.id, "web"],
      ["token_add", operator.id, "web"],
    ]);
    const bad = await owner.ask("POST", "partners/my-shop/settings", { version: "", caps: { day: -1 } });
    expect(bad.status).toBe(400);
    const uncounted = { version: "", caps: { monthTokens: 0.001 } };
    expect((await owner.ask("POST", "partners/my-shop/settings", uncounted)).status).toBe(400);
  });

  it("tell what a partner spent lately, and how much of it came to nothing", async () => {
    const { partners, database } = site;
    await partners.add("Salon", { scopes: ["jobs:read"] });
    const ledger = new Ledger(database, "a test");
    const salon = { user: "http:salon", surface: "http", paidBy: "sandbox" } as const;
    const at = Date.now();
    const ended = [
      { at, cost: 2.7, seconds: 3 },
      { at, cost: 1.1 },
      { at: at - 40 * 24 * 3_600_000, cost: 50, seconds: 3 },
    ];
    for (const [nth, end] of ended.entries())
      await endedJob(ledger, { ...salon, fingerprint: String(nth) }, { ...end, toldAt: at });
    // Of a service that was set before.
    const real = { ...salon, paidBy: "own", fingerprint: "real" } as const;
    await endedJob(ledger, real, { at, cost: 30, seconds: 3, toldAt: at });
    const cards = z
      .array(z.looseObject({ partner: z.looseObject({ id: z.string() }), spent: z.unknown() }))
      .parse(await (await seats.viewer.ask("GET", "partners")).json());
    const found = cards.find(({ partner }) => partner.id === "salon");
    expect(found?.spent).toEqual({ jobs: 2, completed: 1, tokens: 3.8 });
  });

  it("keep people out and let them in again, and say when somebody else was faster", async () => {
    const { moderator, owner } = seats;
    const block = { subject: "telegram:77", reason: "spam" };
    expect((await moderator.ask("POST", "blocks", block)).status).toBe(201);
    expect(await (await owner.ask("GET", "people")).json()).toMatchObject({ blocks: [block], before: null });
    const lifts = await Promise.all(
      [moderator, owner].map((one) => one.ask("POST", "blocks/lift", { subject: "telegram:77" })),
    );
    expect(lifts.map(({ status }) => String(status)).toSorted()).toEqual(["204", "409"]);
    const wrong = await moderator.ask("POST", "blocks", { subject: "@ann" });
    expect([wrong.status, await codeOf(wrong)]).toEqual([400, "not_a_person"]);
    const audit = await Audit.open(site.database, "digest");
    expect(await audit.read({ act: "block", limit: 2 })).toMatchObject([
      { user: moderator.id, rule: "telegram:77", surface: "web" },
    ]);
  });

  it("add a key that the service takes, and change it for who saw it as it is, in their name", async () => {
    const { operator, owner, viewer } = seats;
    const key = site.sandbox.keys.pro;
    const refused = await operator.ask("POST", "keys", { name: "second", key: "nobody-knows-this-key" });
    expect([refused.status, await codeOf(refused)]).toEqual([400, "unauthorized"]);
    const added = await operator.ask("POST", "keys", { name: "second", key, weight: 3 });
    expect([added.status, await added.json()]).toMatchObject([
      201,
      {
        name: "second",
        state: "in",
        weight: 3,
        tier: null,
        jobs: 0,
        atService: 0,
        changed: { by: operator.id },
      },
    ]);
    const again = await owner.ask("POST", "keys", { name: "third", key });
    expect([again.status, await codeOf(again)]).toEqual([409, "key_in_pool"]);
    const seen = { "if-match": '"in 3 any"' };
    const presses = await Promise.all(
      [operator, owner].map((one) => one.ask("POST", "keys/second/pause", {}, seen)),
    );
    expect(presses.map(({ status }) => String(status)).toSorted()).toEqual(["200", "412"]);
    const late = presses.find(({ status }) => status === 412);
    expect(await late?.json()).toMatchObject({
      code: "changed_meanwhile",
      card: { name: "second", state: "paused", version: "paused 3 any" },
    });
    const set = { weight: 5, tier: "pro" };
    const unseen = await owner.ask("PUT", "keys/second", set);
    expect([unseen.status, await codeOf(unseen)]).toEqual([400, "bad_request"]);
    const changed = await owner.ask("PUT", "keys/second", set, { "if-match": '"paused 3 any"' });
    expect(await changed.json()).toMatchObject({ weight: 5, tier: "pro", changed: { by: owner.id } });
    const removed = await owner.ask("DELETE", "keys/second", undefined, { "if-match": '"paused 5 pro"' });
    expect(await removed.json()).toMatchObject({ state: "removed" });
    const back = await owner.ask("POST", "keys/second/resume", {}, { "if-match": '"removed 5 pro"' });
    expect(await back.json()).toMatchObject({ state: "in" });
    const nobody = await owner.ask("DELETE", "keys/none", undefined, seen);
    expect([nobody.status, await codeOf(nobody)]).toEqual([404, "key_unknown"]);
    const shown = await (await viewer.ask("GET", "keys")).text();
    expect(JSON.parse(shown)).toMatchObject([
      {
        name: "second",
        windows: expect.arrayContaining([{ group: "user", used: expect.any(Number), limit: 120 }]),
      },
    ]);
    expect(shown).not.toContain(key);
    const lines = await (await Audit.open(site.database, "digest")).read({ act: "pool_key", limit: 9 });
    expect(lines.map(({ rule, surface }) => [rule, surface]).toReversed()).toEqual([
      ["second added", "web"],
      ["second paused", "web"],
      ["second weight 5, tier pro", "web"],
      ["second removed", "web"],
      ["second in", "web"],
    ]);
    expect(JSON.stringify(lines)).not.toContain(key);
  });

  it("change a rule for who saw it as it is, at once, and tell the other of two what it is now", async () => {
    const { operator, owner, viewer } = seats;
    const saved = await put(operator, 0, "3");
    expect([saved.status, await saved.json()]).toMatchObject([
      200,
      { value: "3", version: 1, from: "stored" },
    ]);
    const stale = await put(owner, 0, "9");
    expect([stale.status, await stale.json()]).toMatchObject([
      412,
      {
        code: "changed_meanwhile",
        rule: { value: "3", version: 1, changes: [{ by: operator.id, to: "3" }] },
      },
    ]);
    const wrong = await put(owner, 1, "-3");
    expect([wrong.status, await wrong.json()]).toMatchObject([422, { wrong: { key: "setup.wrong.number" } }]);
    expect((await put(viewer, 1, "4")).status).toBe(403);
    const unseen = await owner.ask("PUT", "rules/REELAY_DAILY_CAP", { value: "4" });
    expect([unseen.status, await codeOf(unseen)]).toEqual([400, "bad_request"]);
    // What is decided next goes by what was changed, without anything opened anew.
    const ann = person("7", "telegram");
    const browse = () => site.chat.intake.wantsKey(ann);
    expect(await browse()).toBe(false);
    const uninvite = { value: "telegram:9" };
    const unseenYet = { "if-match": '"0"' };
    expect((await owner.ask("PUT", "rules/REELAY_ALLOWED", uninvite, unseenYet)).status).toBe(200);
    await expect(browse()).rejects.toMatchObject({ code: "not_invited" });
    const uninvited = { "if-match": '"2"' };
    expect((await owner.ask("PUT", "rules/REELAY_ALLOWED", { value: null }, uninvited)).status).toBe(200);
    expect(await browse()).toBe(false);
    expect(await (await viewer.ask("POST", "log", { act: "setting" })).json()).toMatchObject({
      lines: [
        { rule: "REELAY_ALLOWED" },
        { rule: "REELAY_ALLOWED" },
        { user: operator.id, rule: "REELAY_DAILY_CAP", note: "– → 3" },
      ],
    });
  });

  it("keep nothing in a rule that lets somebody in: whoever may only look would read it there", async () => {
    const { operator, viewer } = seats;
    const { token: link } = await site.operators.invite("owner", TERMINAL_OWNER);
    for (const secret of [await tokenIn(data)(), link]) {
      const value = `dragon, ${secret}`;
      const refused = await operator.ask(
        "PUT",
        "rules/REELAY_BLOCKED_WORDS",
        { value },
        { "if-match": '"0"' },
      );
      expect([refused.status, await refused.json()]).toMatchObject([
        422,
        { wrong: { key: "setup.wrong.secret" } },
      ]);
      for (const asking of [viewer.ask("GET", "rules"), viewer.ask("POST", "log", { act: "setting" })])
        expect(await (await asking).text()).not.toContain(secret);
    }
  });

  it("tell a moderator nothing of money", async () => {
    expect(await money(seats.owner)).toEqual([0, []]);
    expect(await money(seats.moderator)).toEqual([null, null]);
  });

  it("invite, change and remove those who run Reelay, at once", async () => {
    const { owner } = seats;
    const made = await owner.ask("POST", "operators", { role: "viewer" });
    const { operator, address } = z
      .object({ operator: z.looseObject({ id: z.string() }), address: z.string() })
      .parse(await made.json());
    expect(address).toMatch(new RegExp(`^${origin}/#join=op-`));
    const token = address.slice(address.indexOf("=") + 1);
    const entered = await post(site.url, "/web/enter", { token, name: "Zoe" }, { origin });
    const headers = { origin, cookie: cookieOf(entered) };
    const look = () => fetch(`${site.url}/console/web/partners`, { headers });
    expect((await look()).status).toBe(200);
    const path = `operators/${encodeURIComponent(operator.id)}`;
    const role = { from: "viewer", to: "moderator" };
    expect((await owner.ask("POST", `${path}/role`, role)).status).toBe(200);
    expect((await look()).status).toBe(403);
    const stale = await owner.ask("POST", `${path}/role`, role);
    expect([stale.status, await codeOf(stale)]).toEqual([409, "changed_meanwhile"]);
    expect((await owner.ask("DELETE", `${path}/sessions`)).status).toBe(204);
    expect((await look()).status).toBe(401);
    const audit = await Audit.open(site.database, "digest");
    expect(await audit.read({ act: "operator_sign_out", limit: 2 })).toMatchObject([
      { user: owner.id, rule: operator.id },
    ]);
    expect((await owner.ask("DELETE", path)).status).toBe(204);
    const gone = await owner.ask("DELETE", path);
    expect(await codeOf(gone)).toBe("operator_unknown");
    const last = await owner.ask("DELETE", "operators/me");
    expect([last.status, await codeOf(last)]).toEqual([409, "terminal_owner"]);
  });

  it("takes what is none of a role's for a mistake", async () => {
    expect((await seats.owner.ask("POST", "operators", { role: "king" })).status).toBe(400);
    expect(
      (await seats.owner.ask("POST", "partners", { name: "x", scopes: [...SCOPES, "all"] })).status,
    ).toBe(400);
  });
});
