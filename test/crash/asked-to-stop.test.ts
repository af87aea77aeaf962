import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { connectTo } from "../adapters/http/mcp/harness.ts";
import { jobOf } from "../adapters/http/mcp/results.ts";
import { Child } from "../support/crash-child.ts";
import { testPicture, testSandbox } from "../support/sandbox.ts";
import { homeAt, tokenOf } from "./trial.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const jobs = z.object({ data: z.array(z.object({ id: z.string() })) });

describe.concurrent("a server that is asked to stop", { timeout: 3 * PATIENCE_MS }, () => {
  it.each(["token", "test token"])(
    "answers whoever waits for a job with a %s by what it is now, and ends in order",
    async (kind) => {
      // Its jobs do not end meanwhile; those of test tokens are made in a sandbox of their own, and may.
      await using sandbox = await testSandbox({ timeScale: 100 });
      const home = homeAt(sandbox);
      const isLive = kind === "token";
      const token = await tokenOf(home, ...(isLive ? ["--key", sandbox.keys.ultra] : ["--test"]));
      using child = new Child(home);
      const url = (await child.url) ?? "";
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const waits = { ...headers, "idempotency-key": "once", prefer: "wait=60" };
      const body = JSON.stringify({
        operation: "video",
        input: { image: await testPicture(), prompt: "x" },
      });
      const asked = fetch(`${url}/v1/jobs`, { method: "POST", headers: waits, body });
      // It may fail while something else is waited for.
      asked.catch(() => undefined);
      const [job] = await vi.waitFor(async () => {
        const { data } = jobs.parse(await (await fetch(`${url}/v1/jobs`, { headers })).json());
        expect(data).toHaveLength(1);
        return data;
      }, PATIENCE_MS);
      const agent = await connectTo(url, token);
      const waiting = Promise.withResolvers<void>();
      const call = { name: "wait", arguments: { job: job?.id, seconds: 50 } };
      const told = agent.callTool(call, {
        timeout: PATIENCE_MS,
        onprogress: () => waiting.resolve(),
      });
      await Promise.race([waiting.promise, told]);

      child.stop();

      const answer = await asked;
      expect(answer.status).toBeOneOf(isLive ? [202] : [202, 200]);
      expect(await answer.json()).toMatchObject({ id: job?.id });
      expect(jobOf(await told)).toMatchObject({ id: job?.id });
      expect(await child.ended()).toBe(0);
      expect(child.output).not.toContain('"level":"error"');
    },
  );

  it("ends in order where the service is silent about a submission, which the next start settles", async () => {
    await using sandbox = await testSandbox();
    await sandbox.fault({ kind: "hang", accepted: true, match: { method: "POST", path: "/api/generate" } });
    const home = homeAt(sandbox);
    const token = await tokenOf(home, "--key", sandbox.keys.ultra);
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": "once",
    };
    const input = { image: await testPicture(), prompt: "slow zoom" };
    const body = JSON.stringify({ operation: "video", input });
    {
      using child = new Child(home);
      const url = (await child.url) ?? "";
      expect((await fetch(`${url}/v1/jobs`, { method: "POST", headers, body })).status).toBe(202);
      await vi.waitFor(async () => expect((await sandbox.ledger()).submissions).toHaveLength(1), PATIENCE_MS);
      child.stop();
      expect(await child.ended()).toBe(0);
      expect(child.output).not.toContain('"level":"error"');
    }
    using next = new Child(home);
    const url = (await next.url) ?? "";
    await vi.waitFor(async () => {
      const told = (await (await fetch(`${url}/v1/jobs`, { headers })).json()) as { data: unknown[] };
      expect(told.data).toMatchObject([{ status: "completed" }]);
    }, PATIENCE_MS);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
  });
});
