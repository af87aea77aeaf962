import { readFile } from "node:fs/promises";
import { Hono } from "hono";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { consoleRoutes } from "../../../../adapters/web/console/routes.ts";
import type { ConsoleLog, ConsoleSession } from "../../../../adapters/web/console/wire.ts";
import { readConfig } from "../../../../src/app/config.ts";
import type { JobFile, JobLine, Now, Uncovered } from "../../../../src/seam/access/console.ts";
import type { Money } from "../../../../src/seam/access/money.ts";
import { OPERATOR_ROLES, type OperatorRole } from "../../../../src/seam/access/operators.ts";
import { PUBLIC, visit } from "../support/visitor.ts";
import { PHOTO, post } from "../support/client.ts";
import { startWhole, type WholeSite } from "../support/whole.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

const SECRET = "heron at dawn";
const ANN = "telegram:111";

let site: WholeSite;
let routes: Hono;
/** A finished job of Ann's with a photo and words. */
let job: string;

/** Asks as somebody with a role. */
const ask = (
  role: OperatorRole,
  path: string,
  init: { readonly method?: string; readonly body?: string; readonly headers?: Record<string, string> } = {},
) => routes.request(`/console/web${path}`, { ...init, headers: { role, ...init.headers } });

/** Posts as somebody with a role. */
const press = (role: OperatorRole, path: string, body: unknown = {}) =>
  ask(role, path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const json = async <T>(answer: Response | Promise<Response>): Promise<T> =>
  (await (await answer).json()) as T;

const fileOf = (role: OperatorRole) => json<JobFile>(ask(role, `/jobs/${job}`));

const namesFor = async (role: OperatorRole) => (await json<ConsoleSession>(ask(role, "/session"))).names;

beforeAll(async () => {
  site = await startWhole(PUBLIC);
  const stopped = new AbortController().signal;
  routes = new Hono();
  routes.route(
    "/console/web",
    consoleRoutes({
      host: {
        config: readConfig({ REELAY_DATA: temporaryFolder() }),
        log: pino({ level: "silent" }),
        sandbox: true,
        scratch: temporaryFolder(),
      },
      console: site.console,
      entrance: [],
      operatorOf: async (c) => {
        const role = OPERATOR_ROLES.find((one) => one === c.req.header("role"));
        return role && { id: `web:${role}`, role };
      },
      namesOf: async () => ({ "web:owner": "Olga" }),
      partnersOf: async () => ({ "http:acme": "Acme" }),
      onChange: () => () => {},
      turnAway: (c) => c.json({ code: "login_required", params: {} }, 401),
      stopped,
    }),
  );
  const ann = await visit(site, ANN);
  const uploaded = await fetch(`${site.url}/app/web/media`, {
    method: "POST",
    headers: { ...ann, origin: site.url, "content-type": "image/jpeg", "x-file-name": "heron.jpg" },
    body: new Uint8Array(await readFile(PHOTO)),
  });
  const { media } = await json<{ media: { id: string } }>(uploaded);
  const asked = await post(
    site.url,
    "/app/web/command/image-edit",
    { values: { images: [media], prompt: SECRET }, agreed: ["terms", "consent"] },
    ann,
  );
  if (asked.status !== 202) throw new Error(await asked.text());
  job = await vi.waitFor(
    async () => {
      const [found] = await json<JobLine[]>(press("owner", "/jobs", { of: ANN }));
      if (found?.phase !== "completed") throw new Error("It is not made yet.");
      return found.id;
    },
    { timeout: PATIENCE_MS, interval: 200 },
  );
});
afterAll(() => site[Symbol.asyncDispose]());

/** Who may ask for a route: a route that is not here is asked for by nobody. */
const ROUTES: Readonly<Record<string, readonly OperatorRole[]>> = {
  "GET /session": OPERATOR_ROLES,
  "GET /now": OPERATOR_ROLES,
  "GET /now/events": OPERATOR_ROLES,
  "POST /jobs": OPERATOR_ROLES,
  "GET /jobs/:id": OPERATOR_ROLES,
  "POST /lines": OPERATOR_ROLES,
  "POST /log": OPERATOR_ROLES,
  "POST /log.csv": OPERATOR_ROLES,
  "GET /money": ["owner", "operator", "viewer"],
  "GET /money.csv": ["owner", "operator", "viewer"],
  "POST /jobs/:id/uncover": ["owner", "operator", "moderator"],
  "GET /jobs/:id/:from{given|made}/:index{[0-9]+}": ["owner", "operator", "moderator"],
  "POST /jobs/:id/cancel": ["owner", "operator"],
  "POST /jobs/:id/deliver": ["owner", "operator"],
  "POST /jobs/:id/offer": ["owner", "operator"],
  "POST /jobs/:id/note": ["owner", "operator"],
};

describe("the console's routes", () => {
  it("each ask for a role", async () => {
    const there = new Set(
      routes.routes
        .filter(({ method }) => method !== "ALL")
        .map(({ method, path }) => `${method} ${path.slice("/console/web".length)}`),
    );
    expect([...there].toSorted()).toEqual(Object.keys(ROUTES).toSorted());
    for (const [route, roles] of Object.entries(ROUTES)) {
      const [method = "", pattern = ""] = route.split(" ");
      // Of a job that is not there: what is let in finds nothing, and changes nothing.
      const path = pattern
        .replace(":id", "none")
        .replace(":from{given|made}", "given")
        .replace(":index{[0-9]+}", "0");
      for (const role of OPERATOR_ROLES) {
        const answer = method === "POST" ? press(role, path) : ask(role, path);
        const { status } = await answer;
        expect(status === 403, `${role}: ${route}`).toBe(!roles.includes(role));
        await (await answer).body?.cancel();
      }
    }
  });

  it("say what partners are called to whoever may look at them", async () => {
    expect(await namesFor("viewer")).toEqual({ "web:owner": "Olga", "http:acme": "Acme" });
    expect(await namesFor("moderator")).toEqual({ "web:owner": "Olga" });
  });

  it("turn away who is not in, and say so of a role", async () => {
    expect((await routes.request("/console/web/now")).status).toBe(401);
    expect(await json(press("viewer", `/jobs/${job}/cancel`))).toMatchObject({ code: "role_may_not" });
  });

  it("say who is in, and what they may", async () => {
    const { acts, operator, role } = await json<ConsoleSession>(ask("moderator", "/session"));
    expect({ operator, role }).toEqual({ operator: "web:moderator", role: "moderator" });
    expect(acts).toContain("uncover");
    expect(acts).not.toContain("see-money");
  });

  it("tell what is going on, whichever process works on it", async () => {
    const { health, limits, at } = await json<Now>(ask("viewer", "/now"));
    expect(health).toMatchObject({ storage: true, silentMs: null });
    expect(health.nodes.filter(({ isThis }) => isThis)).toHaveLength(1);
    expect(health.platforms.map(({ name }) => name)).toEqual(["web", "telegram"]);
    expect(at).toBeGreaterThan(0);
    for (const { used, limit } of limits) expect(used).toBeLessThanOrEqual(limit);
  });

  it("tell of it by events, too", async () => {
    const answer = await ask("viewer", "/now/events");
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    let said = "";
    for await (const part of answer.body ?? []) {
      said += new TextDecoder().decode(part as Uint8Array);
      if (said.includes("data:")) break;
    }
    expect(said).toMatch(/^retry: \d+\n\nevent: now\ndata: \{"at":/);
  });

  it("find a job by its id, its id at the service, and its person", async () => {
    const { settlement } = await fileOf("owner");
    for (const of of [job, settlement.serviceId ?? "none", ANN]) {
      const found = await json<JobLine[]>(press("viewer", "/jobs", { of }));
      expect(
        found.map(({ id }) => id),
        of,
      ).toEqual([job]);
    }
    for (const of of ["", "nothing", "telegram:999", "http:shop/anna"])
      expect(await json(press("viewer", "/jobs", { of }))).toEqual([]);
    expect((await ask("viewer", "/jobs/nothing")).status).toBe(404);
  });

  it("take no key for what somebody looks for: one that is known, or looks like one and is nothing here", async () => {
    for (const of of [site.key, "rk_9f3kQz7Lp2Xv8WbN4tYc6RdH", `op-0123abcd.${"aB3_".repeat(10)}aB3`])
      expect(await json(press("viewer", "/jobs", { of })), of).toMatchObject({ code: "key_in_words" });
    expect(await json(press("viewer", "/jobs", { of: "http:shop/u_8f3kQz9xYb2LmN0pRt5Wv7" }))).toEqual([]);
  });

  it("tell how far a job is only while it runs", async () => {
    await site.database.kysely.updateTable("jobs").set({ progress: 76 }).where("id", "=", job).execute();
    expect(await json(press("viewer", "/jobs", { of: job }))).toMatchObject([{ progress: null }]);
  });

  it("tell a job's whole life, without a word of its person's", async () => {
    const file = await fileOf("viewer");
    expect(file.steps.filter(({ from }) => from === "job").map(({ what }) => what)).toEqual([
      "created",
      "submitted",
      "accepted",
      "ended",
      "told",
    ]);
    expect(file.steps.map(({ what }) => what)).toContain("allow");
    expect(file.steps.map(({ at }) => at)).toEqual(file.steps.map(({ at }) => at).toSorted((a, b) => a - b));
    expect(file.settlement).toMatchObject({ is: "answered", lostAt: null, others: null });
    expect(JSON.stringify(file)).not.toContain(SECRET);
  });

  it("tell what it cost to those who may see money", async () => {
    expect((await fileOf("viewer")).settlement.money?.cost).toBeGreaterThan(0);
    expect((await fileOf("moderator")).settlement).not.toHaveProperty("money");
  });

  it("tell what tokens went to, page and file, and of no other days than there are", async () => {
    const lately = "/money?period=thirty_days";
    const { total, days, operations, payers, budgets } = await json<Money>(ask("viewer", lately));
    const { settlement } = await fileOf("viewer");
    expect(total).toMatchObject({ jobs: 1, completed: 1, tokens: settlement.money?.cost });
    expect(days).toHaveLength(30);
    expect(days.filter(({ jobs }) => jobs > 0)).toMatchObject([{ jobs: 1, tokens: total.tokens }]);
    expect(operations.map(({ name }) => name)).toEqual(["image-edit"]);
    expect(payers.map(({ name }) => name)).toEqual(["sandbox"]);
    expect(budgets).toEqual([]);
    const csv = await ask("viewer", "/money.csv?period=thirty_days");
    expect(csv.headers.get("content-type")).toContain("text/csv");
    expect(csv.headers.get("content-disposition")).toContain("reelay-money-thirty_days.csv");
    const [titles, row, end] = (await csv.text()).split("\r\n");
    expect(titles).toBe(
      "day,operation,platform,partner,payer,jobs,completed,failed,unsure,tokens,failedTokens",
    );
    expect(row).toMatch(/^\d{4}-\d\d-\d\d,image-edit,web,,sandbox,1,1,0,0,/);
    expect(end).toBe("");
    for (const path of ["/money", "/money.csv"]) {
      expect((await ask("owner", `${path}?period=ever`)).status).toBe(400);
      expect(await json(ask("moderator", path))).toMatchObject({ code: "role_may_not" });
    }
    expect(JSON.stringify(await json(ask("viewer", lately)))).not.toMatch(/heron|telegram:111/);
  });

  it("show words and pictures to who asks for them, and to nobody else, and keep who did", async () => {
    const picture = `/jobs/${job}/given/0`;
    expect(await json(ask("operator", picture))).toMatchObject({ code: "stale_button" });
    const shown = await json<Uncovered>(press("moderator", `/jobs/${job}/uncover`));
    expect(shown).toMatchObject({ values: { prompt: SECRET }, given: 1, made: 1, makes: "image" });
    const given = await ask("moderator", picture);
    expect(given.headers.get("content-type")).toMatch(/^image\//);
    expect((await given.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
    const made = await ask("moderator", `/jobs/${job}/made/0`);
    expect(made.headers.get("content-type")).toMatch(/^image\//);
    expect((await made.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
    // What one of them uncovered is covered for the others.
    expect(await json(ask("operator", picture))).toMatchObject({ code: "stale_button" });
    const { lines } = await json<ConsoleLog>(press("viewer", "/log", { act: "uncover" }));
    expect(lines).toMatchObject([{ user: "web:moderator", rule: ANN, job }]);
  });

  it("keep a note, and say which of two forms is stale", async () => {
    const { state, delivery } = await fileOf("operator");
    const seen = { state, delivery };
    expect((await press("operator", `/jobs/${job}/note`, { seen, note: "2 tokens back" })).status).toBe(204);
    expect((await press("operator", `/jobs/${job}/note`, { seen })).status).toBe(400);
    expect((await press("operator", `/jobs/${job}/deliver`, { seen, note: "why" })).status).toBe(400);
    const steps = (await fileOf("viewer")).steps.filter(({ what }) => what === "note");
    expect(steps).toMatchObject([{ detail: "web:operator · 2 tokens back" }]);
    const stale = { seen: { state: "queued", delivery: "none" } };
    expect(await json(press("operator", `/jobs/${job}/cancel`, stale))).toMatchObject({
      code: "changed_meanwhile",
    });
  });

  it("take no key for a note", async () => {
    const { state, delivery } = await fileOf("owner");
    const answer = press("owner", `/jobs/${job}/note`, {
      seen: { state, delivery },
      note: `paid by ${site.key}`,
    });
    expect(await json(answer)).toMatchObject({ code: "key_in_words" });
  });

  it("search the audit, page by page and as CSV, with digests instead of words", async () => {
    const all = await json<ConsoleLog>(press("viewer", "/log", { job }));
    expect(all.before).toBeNull();
    expect(all.lines.length).toBeGreaterThan(1);
    expect(JSON.stringify(all)).not.toContain(SECRET);
    const older = await json<ConsoleLog>(press("viewer", "/log", { job, before: all.lines[0]?.id ?? 0 }));
    expect(older.lines).toEqual(all.lines.slice(1));
    const csv = await press("viewer", "/log.csv", { job });
    expect(csv.headers.get("content-type")).toContain("text/csv");
    const rows = (await csv.text()).split("\r\n");
    expect(rows[0]).toBe("id,at,act,user,username,chat,surface,rule,operation,job,note");
    expect(rows).toHaveLength(all.lines.length + 2);
    expect((await press("viewer", "/log", { act: "nonsense" })).status).toBe(400);
    expect((await press("viewer", "/log", { since: 2, until: 1 })).status).toBe(400);
  });
});
