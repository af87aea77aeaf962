import { describe, expect, it } from "vitest";
import type { JobBody } from "../../../adapters/http/resources/job.ts";
import { openGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { readEvents } from "../../support/sse.ts";

const CAT = { operation: "image", input: { prompt: "a cat" } };

describe("a job's events", () => {
  it("come as it goes on, each with the job as it was then, and end with it", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted(CAT);
    const answer = await acme.call(`/jobs/${id}/events`);
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const events = await readEvents(answer);
    expect(events.length).toBeGreaterThan(1);
    expect(events.slice(0, -1).every(({ event }) => event === "job.progress")).toBe(true);
    expect(events.at(-1)?.event).toBe("job.completed");
    const ids = events.map((event) => Number(event.id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const last = JSON.parse(events.at(-1)?.data ?? "") as JobBody;
    expect(last).toMatchObject({ id, status: "completed", media: [{ kind: "image" }] });
    // What is read right after the end is not behind it, and the result is there.
    const [read, file] = await Promise.all([acme.call(`/jobs/${id}`), acme.call(`/jobs/${id}/media`)]);
    expect(await read.json()).toEqual(last);
    expect(file.status).toBe(200);
    await file.arrayBuffer();
  });

  it("are told again from where the line broke, without a gap or a repetition", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted(CAT);
    const [first] = await readEvents(await acme.call(`/jobs/${id}/events`), 1);
    const rest = await readEvents(
      await acme.call(`/jobs/${id}/events`, { headers: { "last-event-id": first?.id ?? "" } }),
    );
    const all = await readEvents(await acme.call(`/jobs/${id}/events`));
    expect([first, ...rest]).toEqual(all);
    // Whoever has heard the end hears nothing more, and does not wait for it.
    const end = all.at(-1)?.id ?? "";
    expect(
      await readEvents(await acme.call(`/jobs/${id}/events`, { headers: { "last-event-id": end } })),
    ).toEqual([]);
    // The numbers of before a backup was restored say nothing.
    const ahead = String(Number(end) + 1_000);
    expect(
      await readEvents(await acme.call(`/jobs/${id}/events`, { headers: { "last-event-id": ahead } })),
    ).toEqual(all.slice(-1));
  });

  it("outlive a restart", async () => {
    await using sandbox = await testSandbox();
    const first = await openGateway(sandbox);
    const acme = await first.join();
    const { id } = await acme.accepted(CAT);
    await acme.ended(id);
    const events = await readEvents(await acme.call(`/jobs/${id}/events`));
    await first[Symbol.asyncDispose]();
    await using second = await openGateway(sandbox, { data: first.data });
    const answer = await fetch(`${second.url}/v1/jobs/${id}/events`, {
      headers: { authorization: `Bearer ${acme.token}` },
    });
    expect(await readEvents(answer)).toEqual(events);
  });

  it("say why a job came to nothing, and what it cost", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { id } = await acme.accepted(CAT);
    const end = (await readEvents(await acme.call(`/jobs/${id}/events`))).at(-1);
    expect(end?.event).toBe("job.failed");
    expect(JSON.parse(end?.data ?? "")).toMatchObject({
      status: "failed",
      media: [],
      error: { code: "job_failed", detail: expect.stringMatching(/\w/) },
    });
  });

  it("end with the job when it is cancelled", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { settings: { REELAY_RATE_WINDOW_MS: "3600000" } });
    const acme = await gateway.join();
    const asked = await Promise.all(Array.from({ length: 35 }, () => acme.accepted(CAT)));
    // The newest goes last, after more than one window takes (section 8.1).
    const waiting =
      asked
        .map(({ id }) => id)
        .toSorted()
        .at(-1) ?? "";
    const events = acme.call(`/jobs/${waiting}/events`).then((answer) => readEvents(answer));
    const gone = await acme.call(`/jobs/${waiting}`, { method: "DELETE" });
    expect(await gone.json()).toEqual({ id: waiting, outcome: "cancelled" });
    expect((await events).at(-1)).toMatchObject({ event: "job.cancelled" });
    expect(await (await acme.call(`/jobs/${waiting}`)).json()).toMatchObject({
      status: "cancelled",
      cost: 0,
    });
  });
});
