import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { openGateway, type TestPartner } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { type Arrived, receiver, says } from "../../domain/webhooks/harness.ts";

const CAT = { operation: "image", input: { prompt: "a cat" } };

const post = (partner: TestPartner, path: string, body?: object) =>
  partner.call(path, {
    method: "POST",
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });

/** What a message says, provided that the secret signed it. */
function verified(secret: string, { headers, body }: Arrived): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

describe("a partner's webhook", () => {
  it("is told how jobs end, signed, and with progress where that is asked for", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await using ends = await receiver();
    await using all = await receiver();
    const acme = await gateway.join();
    const made = await post(acme, "/webhooks", { url: ends.url });
    expect(made.status).toBe(201);
    const { id, secret } = (await made.json()) as { id: string; secret: string };
    await post(acme, "/webhooks", { url: all.url, events: ["job.progress", "job.completed"] });
    const job = await acme.accepted(CAT);
    const ended = await acme.ended(job.id);
    await ends.atLeast(1);
    await all.atLeast(2);
    const [message] = ends.arrived;
    if (!message) throw new Error("Nothing arrived.");
    expect(verified(secret, message)).toEqual({
      type: "job.completed",
      timestamp: expect.any(String),
      data: ended,
    });
    const types = () => all.arrived.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    await expect.poll(() => types().at(-1)).toBe("job.completed");
    expect(types()[0]).toBe("job.progress");
    const log = await (await acme.call(`/deliveries?webhook=${id}`)).json();
    expect(log).toMatchObject({
      data: [{ webhook: id, job: job.id, state: "delivered", attempts: [{ status: 200 }] }],
    });
  });

  it("has its secret told when a job first names an address, once and to whoever may know it", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await using hook = await receiver();
    const acme = await gateway.join();
    const scopes = ["jobs:read", "jobs:write"] as const;
    const { token } = await gateway.partners.addToken("acme", { scopes });
    const authorization = `Bearer ${token}`;
    const told = async (body: object, headers = {}) =>
      ((await (await acme.submit(body, headers)).json()) as { callback_secret?: string }).callback_secret;
    const withHook = { ...CAT, webhook: hook.url };
    expect(await told(CAT)).toBeUndefined();
    expect(await told(withHook, { authorization })).toBeUndefined();
    const once = { "idempotency-key": "first" };
    const secrets = await Promise.all([told(withHook, once), told(withHook)]);
    const [secret = "", none] = secrets.toSorted((a, b) => (a === undefined ? 1 : b === undefined ? -1 : 0));
    expect(secret).toMatch(/^whsec_/);
    expect(none).toBeUndefined();
    // What is given again is not where a secret is kept.
    expect(await told(withHook, once)).toBeUndefined();
    await hook.atLeast(3);
    for (const message of hook.arrived) expect(verified(secret, message)).toBeDefined();
  });

  it("may be the address of a single job", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await using hook = await receiver();
    const acme = await gateway.join();
    const { secret } = (await (await post(acme, "/callback-secret/rotate")).json()) as { secret: string };
    const { id } = await acme.accepted({ ...CAT, webhook: hook.url });
    await acme.accepted(CAT);
    await hook.atLeast(1);
    const [message] = hook.arrived;
    if (!message) throw new Error("Nothing arrived.");
    expect(verified(secret, message)).toMatchObject({ type: "job.completed", data: { id } });
  });

  it("is read, changed, switched off, tried out and removed", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await using hook = await receiver();
    const [acme, other] = [await gateway.join("acme"), await gateway.join("other")];
    const { id } = (await (await post(acme, "/webhooks", { url: hook.url })).json()) as { id: string };
    const change = (body: object) =>
      acme.call(`/webhooks/${id}`, {
        method: "PATCH",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      });
    expect(await (await change({ events: ["job.failed"] })).json()).toMatchObject({ events: ["job.failed"] });
    expect(await (await change({ enabled: false })).json()).toMatchObject({
      enabled: false,
      disabled_because: "owner",
    });
    expect((await post(acme, `/webhooks/${id}/ping`)).status).toBe(409);
    expect(await (await change({ enabled: true })).json()).toMatchObject({ enabled: true });
    expect((await post(acme, `/webhooks/${id}/ping`)).status).toBe(202);
    await hook.atLeast(1);
    expect(JSON.parse(hook.arrived[0]?.body ?? "")).toMatchObject({ type: "ping" });
    expect((await other.call(`/webhooks/${id}`)).status).toBe(404);
    expect((await acme.call(`/webhooks/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(await (await acme.call("/webhooks")).json()).toMatchObject({ data: [] });
  });

  it("is sent again what it did not take, when its partner asks for that", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await using hook = await receiver(says(500), says(204));
    const acme = await gateway.join();
    await post(acme, "/webhooks", { url: hook.url });
    await acme.accepted(CAT);
    await hook.atLeast(1);
    const log = async () =>
      (await (await acme.call("/deliveries")).json()) as { data: { id: string; attempts: unknown[] }[] };
    await expect.poll(async () => (await log()).data[0]?.attempts.length).toBe(1);
    const { data } = await log();
    expect((await post(acme, `/deliveries/${data[0]?.id}/resend`)).status).toBe(202);
    await hook.atLeast(2);
    expect(new Set(hook.arrived.map(({ id }) => id)).size).toBe(1);
  });
});
