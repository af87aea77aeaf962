import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { givenSecrets } from "../../../src/infrastructure/vault/secrets.ts";
import { Vault, webhookOwner } from "../../../src/infrastructure/vault/vault.ts";
import { openWebhooks } from "../../../src/domain/webhooks/open.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { names } from "../../support/names.ts";
import { ACME, allDone, HOUR, OTHER, receiver, says, SECRET, harness, tried } from "./harness.ts";

const completed = { events: ["job.completed"] } as const;
const PUBLIC = "https://shop.example/hook";
const notFound = { code: "not_found" };

describe("an endpoint", () => {
  it("is made, listed, changed and removed by its partner alone", async () => {
    await using acme = await harness();
    const { webhooks } = acme;
    const { endpoint } = await webhooks.create(ACME, { url: PUBLIC, ...completed });
    expect(endpoint).toMatchObject({ url: PUBLIC, ...completed, createdAt: acme.now(), disabledAt: null });
    expect(await webhooks.list(ACME)).toEqual([endpoint]);
    expect(await webhooks.list(OTHER)).toEqual([]);
    for (const attempt of [
      webhooks.get(OTHER, endpoint.id),
      webhooks.change(OTHER, endpoint.id, { enabled: false }),
      webhooks.rotate(OTHER, endpoint.id),
      webhooks.ping(OTHER, endpoint.id),
      webhooks.remove(OTHER, endpoint.id),
    ])
      await expect(attempt).rejects.toMatchObject(notFound);
    const changed = { url: "https://shop.example/other", events: ["job.failed"] } as const;
    expect(await webhooks.change(ACME, endpoint.id, changed)).toEqual({ ...endpoint, ...changed });
    expect(await webhooks.change(ACME, endpoint.id, {})).toEqual({ ...endpoint, ...changed });
    expect(await acme.vault.has(webhookOwner(endpoint.id))).toBe(true);
    await webhooks.remove(ACME, endpoint.id);
    await expect(webhooks.get(ACME, endpoint.id)).rejects.toMatchObject(notFound);
    expect(await acme.vault.has(webhookOwner(endpoint.id))).toBe(false);
  });

  it.each([
    ["http://shop.example/hook", "webhook_url_refused"],
    ["https://shop.example:8443/hook", "webhook_url_refused"],
    ["https://127.0.0.1/hook", "webhook_url_refused"],
    ["https://[::1]/hook", "webhook_url_refused"],
    ["https://169.254.169.254/", "webhook_url_refused"],
    ["https://me:secret@shop.example/", "url_with_password"],
    ["shop.example/hook", "webhook_url_refused"],
  ])("is refused at %s", async (url, code) => {
    await using acme = await harness({ privateHosts: [] });
    const refused = { code };
    await expect(acme.webhooks.create(ACME, { url, ...completed })).rejects.toMatchObject(refused);
    expect(() => acme.webhooks.checkUrl(url)).toThrow(expect.objectContaining(refused));
    const { endpoint } = await acme.webhooks.create(ACME, { url: PUBLIC, ...completed });
    await expect(acme.webhooks.change(ACME, endpoint.id, { url })).rejects.toMatchObject(refused);
    expect(await acme.webhooks.list(ACME)).toEqual([endpoint]);
  });

  it("is sent nothing where its name leads to a private address", async () => {
    await using acme = await harness({ lookup: names(["127.0.0.1"]).lookup });
    await acme.webhooks.create(ACME, { url: PUBLIC, ...completed });
    acme.dispatcher.start();
    await acme.tell();
    const [delivery] = await acme.log(tried(1));
    expect(delivery?.attempts).toMatchObject([{ status: null, error: "url_refused" }]);
  });

  it("is one of twenty at most", async () => {
    await using acme = await harness();
    const make = () => acme.webhooks.create(ACME, { url: PUBLIC, ...completed });
    for (let count = 0; count < 20; count += 1) await make();
    await expect(make()).rejects.toMatchObject({ code: "too_many_webhooks", params: { max: 20 } });
    await acme.webhooks.create(OTHER, { url: PUBLIC, ...completed });
    const vaulted = await acme.database.kysely
      .selectFrom("kv")
      .selectAll()
      .where("namespace", "=", "keys")
      .execute();
    expect(vaulted).toHaveLength(21);
  });

  it("that is switched off is sent nothing, until it is switched on", async () => {
    await using hook = await receiver();
    await using acme = await harness();
    const { webhooks } = acme;
    const { endpoint } = await webhooks.create(ACME, { url: hook.url, ...completed });
    await acme.tell({ job: "before" });
    const off = await webhooks.change(ACME, endpoint.id, { enabled: false });
    expect(off).toMatchObject({ disabledAt: acme.now(), disabledBecause: "owner" });
    await acme.tell({ job: "meanwhile" });
    const disabled = { code: "webhook_disabled" };
    await expect(webhooks.ping(ACME, endpoint.id)).rejects.toMatchObject(disabled);
    const [dropped] = await acme.log(allDone);
    expect(dropped).toMatchObject({ job: "before", state: "dropped" });
    await expect(webhooks.resend(ACME, dropped?.id ?? "")).rejects.toMatchObject(disabled);
    await webhooks.change(ACME, endpoint.id, { enabled: true });
    acme.dispatcher.start();
    await webhooks.resend(ACME, dropped?.id ?? "");
    expect(await acme.log(allDone)).toMatchObject([{ job: "before", state: "delivered" }]);
  });

  it("that moves is sent what is due at its new address", async () => {
    await using dead = await receiver(says(500));
    await using hook = await receiver();
    await using acme = await harness();
    acme.dispatcher.start();
    const { endpoint } = await acme.webhooks.create(ACME, { url: dead.url, ...completed });
    await acme.tell();
    await acme.log(tried(1));
    await acme.webhooks.change(ACME, endpoint.id, { url: hook.url });
    acme.later(HOUR);
    expect(await acme.log(allDone)).toMatchObject([{ url: hook.url, state: "delivered" }]);
  });

  it("that is removed is sent nothing more", async () => {
    await using acme = await harness();
    const { endpoint } = await acme.webhooks.create(ACME, { url: PUBLIC, ...completed });
    await acme.tell();
    await acme.webhooks.remove(ACME, endpoint.id);
    const [delivery] = await acme.log(allDone);
    expect(delivery).toMatchObject({ state: "dropped" });
    await expect(acme.webhooks.resend(ACME, delivery?.id ?? "")).rejects.toMatchObject(notFound);
  });

  it("is sent the newest ping alone where none arrives", async () => {
    await using acme = await harness();
    const { endpoint } = await acme.webhooks.create(ACME, { url: PUBLIC, ...completed });
    await acme.tell();
    for (let count = 0; count < 3; count += 1) await acme.webhooks.ping(ACME, endpoint.id);
    const log = await acme.log(({ length }) => length === 4);
    expect(log.map(({ type, state }) => [type, state])).toEqual([
      ["job.completed", "due"],
      ["ping", "dropped"],
      ["ping", "dropped"],
      ["ping", "due"],
    ]);
  });

  it("can be tried out with a ping", async () => {
    await using hook = await receiver();
    await using acme = await harness();
    acme.dispatcher.start();
    const { endpoint, secret } = await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    expect(await acme.webhooks.ping(ACME, endpoint.id)).toMatchObject({
      type: "ping",
      job: null,
      state: "due",
    });
    await acme.log(allDone);
    const [message] = hook.arrived;
    const headers = message?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(message?.body ?? "", headers)).toEqual({
      type: "ping",
      timestamp: new Date(acme.now()).toISOString(),
      data: { webhook: endpoint.id },
    });
  });
});

describe("progress", () => {
  it("is kept for no longer than it is to be sent: there is much of it", async () => {
    await using hook = await receiver();
    await using acme = await harness();
    await acme.webhooks.create(ACME, { url: hook.url, events: ["job.progress", "job.completed"] });
    for (const data of ["old news", "news"]) await acme.tell({ type: "job.progress", data });
    acme.dispatcher.start();
    await acme.log(allDone);
    await acme.tell();
    await acme.log(allDone);
    const rows = await acme.database.kysely
      .selectFrom("webhook_deliveries")
      .select(["state", "body"])
      .execute();
    expect(rows).toEqual([
      { state: "dropped", body: null },
      { state: "delivered", body: null },
      { state: "delivered", body: hook.arrived.at(-1)?.body },
    ]);
  });
});

describe("the log", () => {
  it("is read in pages, newest first, also of one endpoint, by its partner alone", async () => {
    await using acme = await harness();
    const { webhooks } = acme;
    const one = await webhooks.create(ACME, { url: PUBLIC, ...completed });
    const two = await webhooks.create(ACME, { url: PUBLIC, ...completed });
    for (const job of ["j1", "j2", "j3"]) await acme.tell({ job });
    const first = await webhooks.deliveries(ACME, { endpoint: one.endpoint.id, limit: 2 });
    expect(first.map(({ job }) => job)).toEqual(["j3", "j2"]);
    const before = first.at(-1)?.id;
    const rest = await webhooks.deliveries(ACME, { endpoint: one.endpoint.id, before, limit: 2 });
    expect(rest.map(({ job }) => job)).toEqual(["j1"]);
    expect(await webhooks.deliveries(ACME, { limit: 10 })).toHaveLength(6);
    expect(await webhooks.deliveries(ACME, { endpoint: two.endpoint.id, limit: 10 })).toHaveLength(3);
    expect(await webhooks.deliveries(OTHER, { limit: 10 })).toEqual([]);
    await expect(webhooks.resend(OTHER, before ?? "")).rejects.toMatchObject(notFound);
  });

  it("sends a message again from the first try on, and keeps what was tried before", async () => {
    await using hook = await receiver(says(500), says(200), says(500));
    await using acme = await harness();
    acme.dispatcher.start();
    await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    await acme.tell();
    const [delivery] = await acme.log(tried(1));
    await acme.webhooks.resend(ACME, delivery?.id ?? "");
    await acme.log(allDone);
    await acme.webhooks.resend(ACME, delivery?.id ?? "");
    const [again] = await acme.log(tried(3));
    expect(again).toMatchObject({ state: "due", nextAt: acme.now() + 5_000 });
    expect(again?.attempts.map(({ status }) => status)).toEqual([500, 200, 500]);
    expect(new Set(hook.arrived.map(({ id }) => id)).size).toBe(1);
  });

  it("forgets after thirty days", async () => {
    await using acme = await harness();
    await acme.webhooks.create(ACME, { url: PUBLIC, events: ["job.progress", "job.completed"] });
    await acme.tell({ type: "job.progress" });
    await acme.tell();
    acme.later(31 * 24 * HOUR);
    await acme.tell({ job: "new" });
    // It sweeps as it starts. What is due would leave the test.
    await acme.webhooks.change(ACME, (await acme.webhooks.list(ACME))[0]?.id ?? "", { enabled: false });
    acme.dispatcher.start();
    expect(await acme.log((all) => all.length === 1)).toMatchObject([{ job: "new" }]);
    await expect.poll(() => acme.events.since("j1", 0)).toMatchObject([{ type: "job.completed" }]);
  });
});

describe("secrets", () => {
  it("are on disk encrypted only", async () => {
    await using acme = await harness();
    const { secret } = await acme.webhooks.create(ACME, { url: PUBLIC, ...completed });
    const callbacks = await acme.webhooks.callbackSecret(ACME);
    const disk = ["reelay.db", "reelay.db-wal"].map((file) =>
      readFileSync(join(acme.folder, file), "latin1"),
    );
    for (const text of [secret, callbacks]) expect(disk.join("")).not.toContain(text.slice("whsec_".length));
  });

  it("outlast a rotation of the operator's secret", async () => {
    await using acme = await harness();
    const callbacks = await acme.webhooks.callbackSecret(ACME);
    const { database, now } = acme;
    await new Vault(database, givenSecrets(`another secret of the operator,${SECRET}`)).rotate();
    const vault = new Vault(database, givenSecrets("another secret of the operator"));
    const log = makeLogger({ level: "silent" });
    const { webhooks } = openWebhooks({
      database,
      vault,
      log,
      audit: await Audit.open(database, "digest"),
      surface: "cli",
      privateHosts: [],
      now,
    });
    expect(await webhooks.callbackSecret(ACME)).toBe(callbacks);
  });

  it("of callbacks stay until they are rotated", async () => {
    await using acme = await harness();
    const secret = await acme.webhooks.callbackSecret(ACME);
    expect(await acme.webhooks.callbackSecret(ACME)).toBe(secret);
    const fresh = await acme.webhooks.rotateCallbackSecret(ACME);
    expect(fresh).not.toBe(secret);
    expect(await acme.webhooks.callbackSecret(ACME)).toBe(fresh);
  });
});

describe("the audit", () => {
  it("has what was done about endpoints and secrets, without addresses and secrets", async () => {
    await using acme = await harness();
    const { endpoint, secret } = await acme.webhooks.create(ACME, { url: PUBLIC, ...completed });
    const { id } = endpoint;
    await acme.webhooks.change(ACME, id, { url: `${PUBLIC}?key=words`, enabled: true });
    await acme.webhooks.change(ACME, id, {});
    const fresh = await acme.webhooks.rotate(ACME, id);
    const callbacks = await acme.webhooks.rotateCallbackSecret(ACME);
    const message = await acme.webhooks.ping(ACME, id);
    await acme.webhooks.resend(ACME, message.id);
    await acme.webhooks.remove(ACME, id);
    await expect(acme.webhooks.remove(ACME, id)).rejects.toMatchObject({ code: "not_found" });
    const lines = (await acme.audit.read({ user: ACME, limit: 100 })).toReversed();
    expect(lines.map(({ act, rule, surface }) => [act, rule, surface])).toEqual([
      ["webhook_add", id, "http"],
      ["webhook_change", `${id} url,enabled`, "http"],
      ["webhook_secret", id, "http"],
      ["webhook_secret", null, "http"],
      ["webhook_resend", message.id, "http"],
      ["webhook_remove", id, "http"],
    ]);
    for (const words of [secret, fresh, callbacks, PUBLIC, "key=words"])
      expect(JSON.stringify(lines)).not.toContain(words);
  });
});

describe("forgetting", () => {
  it("a job erases what was to be told of it, and leaves that it was told", async () => {
    await using hook = await receiver(says(200), says(500));
    await using acme = await harness();
    acme.dispatcher.start();
    await acme.webhooks.create(ACME, { url: hook.url, events: ["job.progress", "job.completed"] });
    await acme.tell({ type: "job.progress", data: "a private thing" });
    await acme.log(tried(1));
    await acme.tell({ data: "a private thing" });
    await acme.log(tried(2));
    await acme.events.forget("j1");
    const log = await acme.log(allDone);
    expect(log.map(({ job, state }) => [job, state])).toEqual([
      ["j1", "delivered"],
      ["j1", "dropped"],
    ]);
    for (const { id } of log) await expect(acme.webhooks.resend(ACME, id)).rejects.toMatchObject(notFound);
    const rows = await acme.database.kysely.selectFrom("webhook_deliveries").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("private thing");
    expect(await acme.events.since("j1", 0)).toEqual([]);
  });

  it("a partner erases everything of theirs, and nothing of others", async () => {
    await using acme = await harness();
    for (const user of [ACME, OTHER]) {
      await acme.webhooks.create(user, { url: PUBLIC, ...completed });
      await acme.webhooks.callbackSecret(user);
      await acme.tell({ user, job: `job of ${user}` });
    }
    await acme.forgetUser(ACME);
    const { kysely } = acme.database;
    const [endpoints, deliveries, events, kept] = await Promise.all([
      kysely.selectFrom("webhook_endpoints").select("user").execute(),
      kysely.selectFrom("webhook_deliveries").select("user").execute(),
      kysely.selectFrom("job_events").select("user").execute(),
      kysely.selectFrom("kv").selectAll().where("namespace", "=", "keys").execute(),
    ]);
    for (const rows of [endpoints, deliveries, events]) expect(rows).toEqual([{ user: OTHER }]);
    expect(kept).toHaveLength(2);
  });
});
