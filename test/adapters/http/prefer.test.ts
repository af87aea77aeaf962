import { describe, expect, it } from "vitest";
import type { JobBody } from "../../../adapters/http/resources/job.ts";
import { openGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

const CAT = { operation: "image", input: { prompt: "a cat" } };

describe("a request that would rather wait", () => {
  it("is answered with the job once it has ended, and again when it is repeated", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const headers = { prefer: "respond-async, wait=60", "idempotency-key": "order-1" };
    const answer = await acme.submit(CAT, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("preference-applied")).toBe("wait=60");
    const job = (await answer.json()) as JobBody;
    expect(answer.headers.get("location")).toBe(`/v1/jobs/${job.id}`);
    expect(job).toMatchObject({ status: "completed", media: [{ kind: "image" }] });
    expect(job).toEqual(await (await acme.call(`/jobs/${job.id}`)).json());
    const again = await acme.submit(CAT, headers);
    expect(again.status).toBe(200);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await again.json()).toEqual(job);
  });

  it("is answered with one that came to nothing, too", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    await using gateway = await openGateway(sandbox);
    const answer = await (await gateway.join()).submit(CAT, { prefer: 'wait="60"' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: "failed", error: { code: "job_failed" } });
  });

  it("is answered as ever where the job takes longer, and goes on", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { settings: { REELAY_POLL_MS: "60000" } });
    const acme = await gateway.join();
    const answer = await acme.submit(CAT, { prefer: "wait=1" });
    expect(answer.status).toBe(202);
    expect(answer.headers.get("preference-applied")).toBe("wait=1");
    const { id, status } = (await answer.json()) as JobBody;
    expect(["queued", "running"]).toContain(status);
    expect(await (await acme.call(`/jobs/${id}`)).json()).toMatchObject({ id });
  });

  it.each(["wait=0", "wait=soon", "handling=lenient", "awaits=5"])(
    "is not waited for: %s",
    async (prefer) => {
      await using sandbox = await testSandbox();
      await using gateway = await openGateway(sandbox);
      const answer = await (await gateway.join()).submit(CAT, { prefer });
      expect(answer.status).toBe(202);
      expect(answer.headers.get("preference-applied")).toBeNull();
    },
  );

  it("waits no longer than a minute", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const answer = await (await gateway.join()).submit(CAT, { prefer: "wait=86400" });
    expect(answer.headers.get("preference-applied")).toBe("wait=60");
  });
});

describe("a job", () => {
  it("says where everything about it is", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id, urls } = await acme.accepted(CAT);
    const self = `${gateway.url}/v1/jobs/${id}`;
    expect(urls).toEqual({ get: self, cancel: self, events: `${self}/events`, files: `${self}/media` });
    const headers = { authorization: `Bearer ${acme.token}` };
    await (await fetch(urls.events, { headers })).text();
    expect((await fetch(urls.files, { headers })).status).toBe(200);
    expect(await (await fetch(urls.get, { headers })).json()).toMatchObject({ id, urls });
    expect((await fetch(urls.cancel, { method: "DELETE", headers })).status).toBe(200);
  });
});
