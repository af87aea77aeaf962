import { describe, expect, it, vi } from "vitest";
import type { JobBody } from "../../../adapters/http/resources/job.ts";
import { RATE_LIMITS } from "../../../src/common/contract.ts";
import { openGateway, type TestPartner } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const CAT = { operation: "image", input: { prompt: "a cat" } };

async function listed(partner: TestPartner, query: string): Promise<readonly JobBody[]> {
  return ((await (await partner.call(`/jobs${query}`)).json()) as { data: JobBody[] }).data;
}

describe("how long a job will go on", () => {
  it("is told by its place in the line, in the answer, the job, the list and the events", async () => {
    await using sandbox = await testSandbox();
    // No hour passes: what is more than the rate of a window waits.
    await using gateway = await openGateway(sandbox, { settings: { REELAY_RATE_WINDOW_MS: "3600000" } });
    const acme = await gateway.join("acme", { requestsPerMinute: 10_000 });
    const more = 5;
    const jobs: JobBody[] = [];
    for (let nth = 0; nth < RATE_LIMITS.image + more; nth++) jobs.push(await acme.accepted(CAT));
    const queued = await vi.waitUntil(async () => {
      const found = await listed(acme, "?status=queued&limit=100");
      return found.length === more && found;
    }, PATIENCE_MS);
    expect(queued.map(({ queue_position }) => queue_position)).toEqual([5, 4, 3, 2, 1]);
    // Of those that are asked for alone, others may stand in between.
    const after = jobs.at(-4)?.created_at ?? "";
    const some = await listed(acme, `?created_after=${after}&limit=2`);
    expect(some.map(({ queue_position }) => queue_position)).toEqual([5, 4]);
    const [last] = queued;
    const told = jobs.at(-1)?.queue_position;
    expect(told).toBeGreaterThanOrEqual(more);
    const read = (await (await acme.call(`/jobs/${last?.id}`)).json()) as JobBody;
    expect(read).toMatchObject({ status: "queued", queue_position: more, expected_at: null });
    const followed = await acme.call(`/jobs/${last?.id}/events`);
    const reader = followed.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("job.progress")) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    expect(text).toMatch(/"queue_position":\d+/);
  });

  it("is told of what the service has, once one like it has ended, and of nothing that is over", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const ended = await acme.ended((await acme.accepted(CAT)).id);
    expect(ended).toMatchObject({ status: "completed", queue_position: null, expected_at: null });
  });
});
