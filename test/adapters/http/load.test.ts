import { describe, expect, it } from "vitest";
import { openGateway } from "../../support/gateway.ts";
import { rush } from "../../support/partner-crowd.ts";
import { testPicture, testSandbox } from "../../support/sandbox.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const PARTNERS = 20;
const JOBS_EACH = 10;
const ALL = PARTNERS * JOBS_EACH;

describe("many partners at once", () => {
  it("get everything they asked for, each once, in turns", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { paid: false });
    const tokens: string[] = [];
    for (let nth = 0; nth < PARTNERS; nth++) {
      const key = sandbox.addAccount(`partner-${nth}`, "pro");
      tokens.push((await gateway.join(`Partner ${nth}`, { key })).token);
    }
    const image = await testPicture();
    const { submissions, told } = await rush({
      urls: [gateway.url],
      tokens,
      jobsEach: JOBS_EACH,
      connectionsEach: 5,
      patienceMs: PATIENCE_MS,
      // What is published for each has a rate of its own (section 8.1).
      order(partner, nth) {
        const prompt = `order ${nth} of partner ${partner}`;
        const kind = (partner + nth) % 5;
        if (kind === 0) return { operation: "video", input: { image, prompt } };
        return { operation: kind === 1 ? "image" : "h3-text", input: { prompt } };
      },
    });
    expect(new Set(submissions.map(({ status }) => status))).toEqual(new Set([202]));
    const jobs = new Set(submissions.map(({ job }) => job));
    expect(jobs.size).toBe(ALL);
    // Each was told of once, under an id of its own.
    expect(told).toHaveLength(ALL);
    expect(new Set(told.map(({ message }) => message)).size).toBe(ALL);
    expect(new Set(told.map(({ job }) => job))).toEqual(jobs);
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set(["completed"]));
    // What the service saw of it: each job once, and never more than it allows.
    const { submissions: accepted, rejected, accounts } = await sandbox.ledger();
    expect(new Set(accepted.map(({ prompt }) => prompt)).size).toBe(ALL);
    expect(accepted).toHaveLength(ALL);
    expect(rejected).toEqual({ rate: 0, slot: 0 });
    expect(accounts.every(({ running }) => running === 0)).toBe(true);
    // Everybody had a turn before anybody had all of theirs.
    const early = accepted.slice(0, ALL / 2).map(({ prompt }) => prompt?.split(" ").at(-1));
    expect(new Set(early).size).toBe(PARTNERS);
  });
});
