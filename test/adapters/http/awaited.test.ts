import { describe, expect, it, vi } from "vitest";
import type { JobBody } from "../../../adapters/http/resources/job.ts";
import { translator } from "../../../src/common/i18n.ts";
import { between } from "../../support/between.ts";
import { openGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

describe("a partner's job whose file is not there yet", () => {
  it("says why it does not go on, to those who read it and those who listen; the log says it without a trace", async () => {
    await using sandbox = await testSandbox();
    await using service = await between(sandbox);
    let isThere = false;
    service.answer = ({ path }) => (path.startsWith("/results/") && !isThere ? { status: 404 } : undefined);
    await using gateway = await openGateway(service);
    const acme = await gateway.join("acme");
    const { id, phase_detail: first } = await acme.accepted({
      operation: "image",
      input: { prompt: "a cat" },
    });
    expect(first).toBeNull();
    const read = async () => (await (await acme.call(`/jobs/${id}`)).json()) as JobBody;
    const waiting = await vi.waitFor(
      async () => {
        const job = await read();
        if (job.phase !== "awaiting_file") throw new Error(`It is ${job.phase}.`);
        return job;
      },
      { timeout: PATIENCE_MS, interval: 50 },
    );
    const sentence = translator("en")("view.phase.awaiting_file");
    expect(waiting).toMatchObject({ status: "running", phase_detail: sentence, error: null });
    // It is made, and not over: whoever goes by the time of its end would take it for one without a file.
    expect(waiting.ended_at).toBeNull();
    await vi.waitFor(() => expect(gateway.lines.join()).toContain("A delivery failed"), PATIENCE_MS);
    isThere = true;
    const told = await (await acme.call(`/jobs/${id}/events`)).text();
    expect(told).toContain(`"phase_detail":${JSON.stringify(sentence)}`);
    expect(await read()).toMatchObject({
      status: "completed",
      phase_detail: null,
      ended_at: expect.any(String),
    });
    const failed = gateway.lines
      .map((line) => JSON.parse(line) as { readonly msg: string })
      .filter(({ msg }) => msg === "A delivery failed");
    for (const line of failed) {
      expect(line).toMatchObject({ job: id, code: expect.stringMatching(/^(not_found|result_late)$/) });
      expect(line).toMatchObject({ host: expect.stringMatching(/:\d+$/), reason: expect.any(String) });
      expect(line).not.toHaveProperty("err");
    }
  });
});
