import { describe, expect, it } from "vitest";
import { lookAtKey } from "../../src/app/doctor-service.ts";
import { MediaApi } from "../../src/infrastructure/api/media-api.ts";
import { readBalance, readStats, readTokenUse } from "../../src/infrastructure/api/records/account.ts";
import { readJob, readSubmitted } from "../../src/infrastructure/api/records/jobs.ts";
import { USUAL } from "../../src/sandbox/liberties/liberties.ts";
import { openGateway } from "../support/gateway.ts";
import { testSandbox } from "../support/sandbox.ts";

/** A number that floating point has left a tail of. */
const TAIL = /\d\.\d*?(?:0{6}|9{6})\d+/;

describe("a service whose amounts have the tails of floating point", () => {
  it("has its amounts told as they are meant: of jobs, of quotes, and by the doctor", async () => {
    await using sandbox = await testSandbox({ liberties: { ...USUAL, amounts: "noisy" } });
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const cat = { operation: "image", input: { prompt: "a cat" } };
    const { id } = await acme.accepted(cat);
    expect((await acme.ended(id)).cost).toBeGreaterThan(0);
    const quoted = await acme.call("/quotes", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(cat),
    });
    const told = [
      await (await acme.call(`/jobs/${id}`)).text(),
      await (await acme.call("/usage")).text(),
      await (await acme.call("/partner")).text(),
      await quoted.text(),
    ];
    expect(told.map((text) => TAIL.exec(text)?.[0])).toEqual(told.map(() => undefined));
    const { check } = await lookAtKey(new MediaApi({ baseUrl: sandbox.url, key: sandbox.keys.ultra }));
    expect(check.found).toMatch(/^valid: .*\d tokens$/);
    expect(check.found).not.toMatch(TAIL);
  });

  it("has nothing else of them changed: what stands in more places than cents is left, to a millionth", () => {
    for (const [said, meant] of [
      [0.400_000_000_000_000_7, 0.4],
      [5000.750_000_000_004, 5000.75],
      [249.799_999_999_999_98, 249.8],
      [0.123_456, 0.123_456],
      ["1.2345678", 1.234_568],
      [-0.000_000_1, 0],
      [7, 7],
      [9_007_199_254_740_991, 9_007_199_254_740_991],
      [null, null],
      ["much", null],
    ] as const) {
      expect(readBalance({ tokens: said }).tokens).toBe(meant);
      expect(readTokenUse({ total_tokens_used: said }).totalUsed).toBe(meant);
      expect(readStats({ tokens_remaining: said }).tokensRemaining).toBe(meant);
      const job = { job_id: "a", token_cost: said, pre_token_cost: said, remaining_tokens: said };
      expect(readJob(job)).toMatchObject({ cost: meant, preCost: meant });
      expect(readSubmitted(job)).toMatchObject({ cost: meant, remaining: meant });
    }
  });
});
