import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { receiver } from "../../domain/webhooks/harness.ts";
import { eventually } from "../../support/eventually.ts";
import { testPicture, testSandbox } from "../../support/sandbox.ts";
import { readEvents } from "../../support/sse.ts";
import { openTestable, settingsFor, untouchedService } from "../../support/test-mode.ts";

const CAT = { operation: "image", input: { prompt: "a cat" } };

const idIn = (body: unknown) => (body as { readonly id: string }).id;

const modeOf = ({ headers }: Response) => headers.get("reelay-mode");

describe("a test token", () => {
  it("does all that others do without a single request to the service", async () => {
    await using service = await untouchedService();
    await using reelay = await openTestable(settingsFor(service.url));
    await using hook = await receiver();
    const acme = reelay.as(await reelay.join("acme", true));

    const who = await acme.call("/partner");
    expect(modeOf(who)).toBe("test");
    expect(await who.json()).toMatchObject({ id: "acme", livemode: false, sandbox: true });
    const endpoint = await acme.call("/webhooks", {
      method: "POST",
      body: JSON.stringify({ url: hook.url }),
    });
    const { secret } = (await endpoint.json()) as { secret: string };
    const image = await testPicture();
    const price = await acme.call("/quotes", {
      method: "POST",
      body: JSON.stringify({ operation: "video", input: { image, prompt: "slow zoom" } }),
    });
    expect([price.status, modeOf(price)]).toEqual([200, "test"]);
    const job = await acme.accepted({ operation: "video", input: { image, prompt: "slow zoom" } });
    expect(job).toMatchObject({ livemode: false, operation: "video" });
    const stream = await acme.call(`/jobs/${job.id}/events`);
    expect(modeOf(stream)).toBe("test");
    const events = await readEvents(stream);
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["job.progress", "job.completed"]),
    );
    const ended = await acme.ended(job.id);
    expect(ended).toMatchObject({ livemode: false, status: "completed" });
    const file = await acme.call(`/jobs/${job.id}/media`);
    expect([file.status, modeOf(file)]).toEqual([200, "test"]);
    const bytes = await file.arrayBuffer();
    expect(bytes.byteLength).toBe(ended.media[0]?.bytes);
    const linked = await fetch(ended.media[0]?.link ?? "");
    expect([linked.status, modeOf(linked)]).toEqual([200, "test"]);
    expect(await linked.arrayBuffer()).toEqual(bytes);

    await hook.atLeast(1);
    const [message] = hook.arrived;
    expect(message?.headers["reelay-mode"]).toBe("test");
    expect(
      new Webhook(secret).verify(message?.body ?? "", message?.headers as Record<string, string>),
    ).toMatchObject({ type: "job.completed", data: { id: job.id, livemode: false } });

    const usage = await acme.call("/usage");
    expect([modeOf(usage), await usage.json()]).toMatchObject([
      "test",
      { data: [{ operation: "video", jobs: 1 }] },
    ]);
    const gone = await acme.call(`/jobs/${job.id}`, { method: "DELETE" });
    expect([gone.status, modeOf(gone)]).toEqual([200, "test"]);
    expect((await acme.call(`/jobs/${job.id}`)).status).toBe(404);
    expect((await fetch(ended.media[0]?.link ?? "")).status).toBe(410);
    expect(service.asked).toEqual([]);
  });

  it("makes nothing at the service by OpenAI's shapes, either", async () => {
    await using service = await testSandbox();
    await using reelay = await openTestable(settingsFor(service.url, service.keys.ultra));
    const live = await reelay.join();
    const test = await reelay.tokenFor("acme", true);
    const ask = (token: string) =>
      fetch(`${reelay.url}/openai/v1/images/generations`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ prompt: "a cat" }),
      });
    const tried = await ask(test);
    expect([tried.status, modeOf(tried)]).toEqual([200, "test"]);
    expect(await tried.json()).toMatchObject({ data: [{ b64_json: expect.any(String) }] });
    expect((await service.ledger()).submissions).toEqual([]);
    const real = await ask(live);
    expect([real.status, modeOf(real)]).toEqual([200, "live"]);
    expect((await service.ledger()).submissions).toHaveLength(1);
  });

  it("never meets what others made: nobody's id, key, link or number is known to the other", async () => {
    await using service = await testSandbox();
    await using reelay = await openTestable(settingsFor(service.url, service.keys.ultra));
    const live = reelay.as(await reelay.join());
    const test = reelay.as(await reelay.tokenFor("acme", true));

    const [real, tried] = await Promise.all([live.submit(CAT, "same"), test.submit(CAT, "same")]);
    expect([real.status, modeOf(real), tried.status, modeOf(tried)]).toEqual([202, "live", 202, "test"]);
    const [made, pretended] = (await Promise.all([real.json(), tried.json()])) as { id: string }[];
    const jobs = { live: await live.ended(made?.id ?? ""), test: await test.ended(pretended?.id ?? "") };
    expect(jobs).toMatchObject({ live: { livemode: true }, test: { livemode: false } });
    expect((await service.ledger()).submissions).toHaveLength(1);

    for (const [caller, job, mode] of [
      [live, jobs.test, "live"],
      [test, jobs.live, "test"],
    ] as const) {
      for (const path of ["", "/events", "/media"]) {
        const answer = await caller.call(`/jobs/${job.id}${path}`);
        expect([answer.status, modeOf(answer)]).toEqual([404, mode]);
      }
      expect((await caller.call(`/jobs/${job.id}`, { method: "DELETE" })).status).toBe(404);
      const list = (await (await caller.call("/jobs")).json()) as { data: { id: string }[] };
      expect(list.data).toHaveLength(1);
      expect(list.data[0]?.id).not.toBe(job.id);
      expect(await (await caller.call("/usage")).json()).toMatchObject({ data: [{ jobs: 1 }] });
    }
    // A link is signed where it was made: as the other's it is nobody's.
    const links = { live: jobs.live.media[0]?.link ?? "", test: jobs.test.media[0]?.link ?? "" };
    expect((await fetch(links.live)).status).toBe(200);
    expect((await fetch(links.live.replace("/media/", "/media/test-"))).status).toBe(404);
    expect((await fetch(links.test.replace("/media/test-", "/media/"))).status).toBe(404);
    const made2 = await test.call("/webhooks", {
      method: "POST",
      body: JSON.stringify({ url: "https://example.com/hook" }),
    });
    expect(made2.status).toBe(201);
    expect(await (await live.call("/webhooks")).json()).toMatchObject({ data: [] });
    expect(await reelay.spent()).toEqual([{ jobs: 1, platform: "acme" }]);
  });

  it("is marked in every answer, refusals too, and tells one id of a request everywhere", async () => {
    await using service = await untouchedService();
    await using reelay = await openTestable(settingsFor(service.url));
    const acme = reelay.as(await reelay.join("acme", true));
    const answers = [
      await acme.call("/nowhere"),
      await acme.call("/operations", { method: "DELETE" }),
      await acme.call("/jobs?limit=1000"),
      await acme.submit({ operation: "nope", input: {} }),
      await acme.call("/jobs", { method: "POST", body: "{" }),
      await acme.call("/openapi.json"),
      await acme.call("/operations", { headers: { "reelay-version": "2001-01-01" } }),
      await fetch(`${reelay.url}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${acme.token}` },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 405, 422, 404, 400, 200, 400, 415]);
    expect(new Set(answers.map(modeOf))).toEqual(new Set(["test"]));
    const named = await acme.call("/nowhere", { headers: { "x-request-id": "mine" } });
    expect(named.headers.get("x-request-id")).toBe("mine");
    expect(await named.json()).toMatchObject({ code: "route_unknown", request_id: "mine" });
    const [first] = answers;
    expect(await first?.json()).toMatchObject({ request_id: first?.headers.get("x-request-id") });
    const unchanged = await acme.call("/operations");
    const again = await acme.call("/operations", {
      headers: { "if-none-match": unchanged.headers.get("etag") ?? "" },
    });
    expect([again.status, modeOf(again)]).toEqual([304, "test"]);
    expect(modeOf(await fetch(`${reelay.url}/v1/jobs`))).toBe("live");
  });

  it("that nobody has is refused as any other, and opens nothing", async () => {
    await using service = await untouchedService();
    await using reelay = await openTestable(settingsFor(service.url));
    const test = await reelay.join("acme", true);
    const live = await reelay.tokenFor("acme", false);
    const wrong = [
      test.slice(0, -1),
      `${test}x`,
      test.toUpperCase(),
      test.replace("rlytest_", "RLYTEST_"),
      // Each as the other.
      test.replace("rlytest_", "rly_"),
      live.replace("rly_", "rlytest_"),
      live.replace("rly_", "rly_test_"),
      test.replace("rlytest_acme", "rlytest_other"),
      "rlytest_",
      `rlytest_acme_00000000_${"x".repeat(43)}`,
      `rlytest_rly_${live.slice(4)}`,
    ];
    for (const token of wrong) {
      const answer = await reelay.as(token).call("/partner");
      expect([token, answer.status, modeOf(answer)]).toEqual([token, 401, "live"]);
    }
    expect((await fetch(`${reelay.url}/v1/media/test-abc.def`)).status).toBe(404);
    expect(existsSync(reelay.store)).toBe(false);
    expect((await reelay.as(test).call("/partner")).status).toBe(200);
    expect(existsSync(reelay.store)).toBe(true);
    for (const token of wrong) expect((await reelay.as(token).call("/partner")).status).toBe(401);
    expect(service.asked).toEqual([]);
  });

  it("takes no key among words, of the service's or ours", async () => {
    await using service = await testSandbox();
    await using reelay = await openTestable(settingsFor(service.url, service.keys.ultra));
    const live = await reelay.join();
    const test = await reelay.tokenFor("acme", true);
    for (const secret of [service.keys.ultra, live, test])
      for (const caller of [reelay.as(live), reelay.as(test)]) {
        const prompt = `a cat with ${secret} on it`;
        const answer = await caller.submit({ operation: "image", input: { prompt } });
        expect([answer.status, idIn(await answer.json())]).toEqual([422, undefined]);
      }
  });

  it("opens it once, however many come at once", async () => {
    await using service = await untouchedService();
    await using reelay = await openTestable(settingsFor(service.url));
    const acme = reelay.as(await reelay.join("acme", true));
    const answers = await Promise.all(Array.from({ length: 20 }, () => acme.submit(CAT, "once")));
    // Who comes while the first is worked on is told so.
    expect(new Set(answers.map(({ status }) => status)).difference(new Set([202, 409]))).toEqual(new Set());
    const accepted = answers.filter(({ status }) => status === 202);
    const ids = new Set(await Promise.all(accepted.map(async (answer) => idIn(await answer.json()))));
    const [id = ""] = ids;
    expect(ids.size).toBe(1);
    expect(await acme.ended(id)).toMatchObject({ status: "completed" });
    expect(await statesIn(reelay.store)).toHaveLength(1);
  });

  it("goes on with what was there after a restart, and finds it", async () => {
    await using service = await untouchedService();
    const settings = settingsFor(service.url);
    let id = "";
    let token = "";
    {
      await using reelay = await openTestable(settings);
      token = await reelay.join("acme", true);
      ({ id } = await reelay.as(token).accepted(CAT));
    }
    await using reelay = await openTestable(settings);
    // Nobody comes with a token: it goes on by itself.
    await eventually(async () => expect(await statesIn(reelay.store)).toEqual(["delivered"]));
    const job = await reelay.as(token).ended(id);
    expect(job).toMatchObject({ status: "completed", livemode: false });
    expect(service.asked).toEqual([]);
  });

  it("is revoked, replaced and held to its scopes and end as any other", async () => {
    await using service = await untouchedService();
    await using reelay = await openTestable(settingsFor(service.url));
    const token = await reelay.join("acme", true);
    const acme = reelay.as(token);
    expect((await acme.call("/partner")).status).toBe(200);
    const id = token.split("_")[2] ?? "";
    const fresh = await reelay.manage((partners) => partners.rotateToken("acme", id));
    expect(fresh).toMatchObject({ token: expect.stringMatching(/^rlytest_/), info: { test: true } });
    expect((await acme.call("/partner")).status).toBe(401);
    const next = reelay.as(fresh.token);
    expect((await next.call("/partner")).status).toBe(200);
    await reelay.manage((partners) => partners.revokeToken("acme", fresh.info.id));
    expect((await next.call("/partner")).status).toBe(401);
    const terms = { scopes: ["jobs:read"], test: true } as const;
    const reader = await reelay.manage((partners) => partners.addToken("acme", terms));
    const refused = await reelay.as(reader.token).submit(CAT);
    expect([refused.status, modeOf(refused)]).toEqual([403, "test"]);
    const over = await reelay.manage((partners) =>
      partners.addToken("acme", { ...terms, expiresAt: Date.now() + 1 }),
    );
    const late = await reelay.as(over.token).call("/partner");
    expect(await late.json()).toMatchObject({ code: "token_expired" });
    expect(await reelay.manage((partners) => partners.list())).toMatchObject([
      { tokens: [{ test: true }, { test: true }] },
    ]);
  });

  it("makes nothing for whom the operator blocks, and neither does its partner where they are blocked", async () => {
    await using service = await untouchedService();
    await using reelay = await openTestable(settingsFor(service.url));
    const acme = reelay.as(await reelay.join("acme", true));
    const asking = async (name: string) => {
      const answer = await acme.submit({ ...CAT, in_app_username: name });
      return answer.status === 202 ? 202 : ((await answer.json()) as { code: string }).code;
    };
    await reelay.block("http:acme/jo", true);
    expect([await asking("jo"), await asking("kim")]).toEqual(["user_blocked", 202]);
    expect(await (await acme.call("/users/jo/block")).json()).toMatchObject({ blocked_by: ["host"] });
    // What the partner does with a test token does not lift it, and keeps nobody out for the others.
    await acme.call("/users/jo/block", { method: "PUT" });
    await acme.call("/users/jo/block", { method: "DELETE" });
    expect(await asking("jo")).toBe("user_blocked");
    await reelay.block("http:acme/jo", false);
    await reelay.block("http:acme", true);
    expect(await asking("jo")).toMatch(/blocked/);
    await reelay.block("http:acme", false);
    expect(await asking("jo")).toBe(202);
  });

  it("is held to the partner's caps by numbers of its own, and what it made goes with the partner", async () => {
    await using service = await untouchedService();
    await using reelay = await openTestable(settingsFor(service.url));
    const acme = reelay.as(await reelay.join("acme", true));
    await reelay.manage((partners) => partners.set("acme", { caps: { day: 1 } }));
    const { id } = await acme.accepted(CAT);
    await acme.ended(id);
    const refused = await acme.submit(CAT);
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "partner_period_cap" }]);
    expect(await (await acme.call("/partner")).json()).toMatchObject({
      caps: { day: 1 },
      standing: { today: { jobs: 1 }, left: { day: 0 } },
    });
    expect(await statesIn(reelay.store)).toEqual(["delivered"]);
    await reelay.manage((partners) => partners.remove("acme"));
    expect(await statesIn(reelay.store)).toEqual([]);
    expect(await reelay.manage((partners) => partners.list())).toEqual([]);
    expect((await acme.call("/partner")).status).toBe(401);
  });

  it("works as well, and is marked, where everything is made by the sandbox", async () => {
    const { REELAY_API_URL: _, ...settings } = settingsFor("http://unused.invalid/api");
    await using reelay = await openTestable(settings);
    const live = reelay.as(await reelay.join());
    const test = reelay.as(await reelay.tokenFor("acme", true));
    expect(await (await live.call("/partner")).json()).toMatchObject({ livemode: true, sandbox: true });
    const { id } = await test.accepted(CAT);
    expect(await test.ended(id)).toMatchObject({ status: "completed", livemode: false });
    expect((await live.call(`/jobs/${id}`)).status).toBe(404);
  });

  it("counts for none of the numbers that tell what the service does", async () => {
    await using service = await untouchedService();
    const told: unknown[] = [];
    const hear = (message: unknown) => void told.push(message);
    const channels = ["reelay:job", "reelay:request", "reelay:webhook"];
    for (const name of channels) subscribe(name, hear);
    try {
      await using reelay = await openTestable(settingsFor(service.url));
      await using hook = await receiver();
      const acme = reelay.as(await reelay.join("acme", true));
      const { id } = await acme.accepted({ ...CAT, webhook: hook.url });
      await acme.ended(id);
      await hook.atLeast(1);
    } finally {
      for (const name of channels) unsubscribe(name, hear);
    }
    expect(told).toEqual([]);
  });
});

/** How far all jobs of a database have been told. */
async function statesIn(store: string): Promise<readonly string[]> {
  const database = await openDatabase(store);
  try {
    const rows = await database.kysely.selectFrom("jobs").select("delivery").execute();
    return rows.map(({ delivery }) => delivery);
  } finally {
    await database.close();
  }
}
