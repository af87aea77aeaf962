import { describe, expect, it, vi } from "vitest";
import type { JobBody } from "../../adapters/http/resources/job.ts";
import type { TracePoint } from "../../src/domain/jobs/trace.ts";
import { Child } from "../support/crash-child.ts";
import { testPicture, testSandbox } from "../support/sandbox.ts";
import { readEvents } from "../support/sse.ts";
import { receiver } from "../domain/webhooks/harness.ts";
import { homeAt, tokenOf } from "./trial.ts";
import { PATIENCE_MS } from "../support/patience.ts";

/** Sends a request as a careful client does: again with the same key, as long as the line breaks. */
async function submit(child: Child, token: string, body: string): Promise<JobBody | undefined> {
  const url = await child.url;
  if (url === undefined) return undefined;
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "idempotency-key": "once",
  };
  const answer = await fetch(`${url}/v1/jobs`, { method: "POST", headers, body }).catch(() => undefined);
  if (!answer) return undefined;
  if (answer.status !== 202) throw new Error(`${answer.status}: ${await answer.text()}`);
  // It may be killed between the head of an answer and its body.
  return (await answer.json().catch(() => undefined)) as JobBody | undefined;
}

describe.concurrent("a partner's job, with Reelay killed", { timeout: 3 * PATIENCE_MS }, () => {
  // Every other point is tried with the page (crash.test.ts): from there on all platforms go the same way.
  it.each<TracePoint>(["queued", "posted", "completed", "deliver", "delivered"])(
    "at %s, is made once, charged once, kept, and told once by webhook",
    async (point) => {
      await using sandbox = await testSandbox();
      await using hook = await receiver();
      const plain = homeAt(sandbox);
      const home = { ...plain, env: { ...plain.env, REELAY_PRIVATE_HOSTS: "127.0.0.1" } };
      const token = await tokenOf(home, "--key", sandbox.keys.ultra);
      const image = await testPicture();
      const body = JSON.stringify({ operation: "video", input: { image, prompt: "x" }, webhook: hook.url });

      using first = new Child(home, ["start"], { point });
      await submit(first, token, body);
      await first.untilKilled();
      using second = new Child(home);
      const job = await submit(second, token, body);
      if (!job) throw new Error(`Not accepted:\n${second.output}`);
      const url = (await second.url) ?? "";
      const headers = { authorization: `Bearer ${token}` };
      const events = await readEvents(await fetch(`${url}/v1/jobs/${job.id}/events`, { headers }));

      expect(events.filter(({ event }) => event !== "job.progress").map(({ event }) => event)).toEqual([
        "job.completed",
      ]);
      const list = await (await fetch(`${url}/v1/jobs`, { headers })).json();
      expect(list).toMatchObject({ data: [{ id: job.id, status: "completed" }], next_cursor: null });
      const { submissions } = await sandbox.ledger();
      expect(submissions).toMatchObject([{ cost: (list as { data: JobBody[] }).data[0]?.cost }]);
      const file = await fetch(`${url}/v1/jobs/${job.id}/media`, { headers });
      expect((await file.arrayBuffer()).byteLength).toBe(Number(file.headers.get("content-length")));
      // What was on its way to somebody when Reelay was killed goes out again as soon as that is certain.
      await vi.waitFor(() => expect(hook.arrived).not.toEqual([]), PATIENCE_MS);
      expect(new Set(hook.arrived.map(({ id }) => id)).size).toBe(1);
      expect(JSON.parse(hook.arrived[0]?.body ?? "")).toMatchObject({
        type: "job.completed",
        data: { id: job.id, status: "completed" },
      });
    },
  );
});
