import { describe, expect, it } from "vitest";
import type { JobBody } from "../../../../adapters/http/resources/job.ts";
import { openGateway, type TestPartner } from "../../../support/gateway.ts";
import { testSandbox } from "../../../support/sandbox.ts";
import { readEvents } from "../../../support/sse.ts";

const CAT = { operation: "image", input: { prompt: "a cat" } };
/** More than may be sent in a window (section 8.1): the last of them wait. */
const MORE_THAN_LEAVE = 35;

const gone = (partner: TestPartner, id: string) => partner.call(`/jobs/${id}`, { method: "DELETE" });
const outcomeOf = async (answer: Response) => ({
  status: answer.status,
  ...((await answer.json()) as object),
});

describe("deleting a job", () => {
  it("is refused as long as its result is fetched, so that its end is told", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    await sandbox.fault({ kind: "hang", match: { path: "/results" } });
    const { id } = await acme.accepted(CAT);
    const read = async () => (await (await acme.call(`/jobs/${id}`)).json()) as JobBody;
    await expect.poll(async () => (await read()).phase).toBe("sending");
    expect(await outcomeOf(await gone(acme, id))).toMatchObject({ status: 409, code: "job_busy" });
    expect((await read()).id).toBe(id);
  });

  it("twice at once takes it out of the queue once, and whoever follows it hears so", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { settings: { REELAY_RATE_WINDOW_MS: "3600000" } });
    const acme = await gateway.join();
    const asked = await Promise.all(Array.from({ length: MORE_THAN_LEAVE }, () => acme.accepted(CAT)));
    const waiting = asked
      .map(({ id }) => id)
      .toSorted()
      .slice(-4);
    const ends = await Promise.all(
      waiting.map(async (id) => {
        const events = await acme.call(`/jobs/${id}/events`);
        const answers = await Promise.all([gone(acme, id), gone(acme, id), gone(acme, id)]);
        for (const answer of answers) expect(answer.status).toBe(200);
        const outcomes = await Promise.all(answers.map(outcomeOf));
        // What comes after the end was told erases it.
        expect(outcomes).toContainEqual({ status: 200, id, outcome: "cancelled" });
        return (await readEvents(events)).at(-1)?.event;
      }),
    );
    expect(ends).toEqual(waiting.map(() => "job.cancelled"));
    // Once that is told, it may go.
    for (const id of waiting) await expect.poll(async () => (await gone(acme, id)).status).toBe(404);
  });
});
