import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { Child } from "../support/crash-child.ts";
import { testSandbox } from "../support/sandbox.ts";
import { homeAt, tokenOf } from "./trial.ts";
import { PATIENCE_MS } from "../support/patience.ts";

/** Pictures look alike from outside: of two none leaves while it is not known what became of the other. */
const CALL = ["run", "image", "--prompt", "lonely", "--agree", "terms"];

/** What a partner asks for, each in a request of its own. */
async function askFor(child: Child, count: number, token: string): Promise<void> {
  const url = await child.url;
  const asked = Array.from({ length: count }, async (_, nth) => {
    const authorization = `Bearer ${token}`;
    const headers = { authorization, "content-type": "application/json", "idempotency-key": `${nth}` };
    const body = JSON.stringify({ operation: "image", input: { prompt: `of a partner ${nth}` } });
    // It is killed meanwhile.
    const answer = await fetch(`${url}/v1/jobs`, { method: "POST", headers, body }).catch(() => undefined);
    if (answer && answer.status !== 202) throw new Error(`${answer.status}`);
  });
  await Promise.all(asked);
}

/** A partner's jobs as a server tells of them. */
async function statesOf(child: Child, token: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const list = await (await fetch(`${await child.url}/v1/jobs?limit=100`, { headers })).json();
  const { data } = z.object({ data: z.array(z.object({ status: z.string() })) }).parse(list);
  return data.map(({ status }) => status);
}

describe.concurrent("what a killed server left at the service", { timeout: 4 * PATIENCE_MS }, () => {
  it.each([
    { left: "a submission whose answer nobody heard", point: "posted", jobs: 3, nth: 2, seconds: [8, 20] },
    { left: "jobs that have every slot", point: "running", jobs: 12, nth: 10, seconds: [400, 500] },
  ] as const)(
    "keeps no call of the command line waiting, and is told once a server runs: $left",
    async ({ point, nth, jobs, seconds }) => {
      await using sandbox = await testSandbox({ jobSeconds: [...seconds] });
      const home = homeAt(sandbox, { REELAY_API_KEY: sandbox.keys.pro });
      const token = await tokenOf(home, "--key", sandbox.keys.pro);
      using server = new Child(home, ["start"], { point, nth });
      await askFor(server, jobs, token);
      await server.untilKilled();

      using alone = new Child(home, CALL);
      expect({ code: await alone.ended(), output: alone.output }).toMatchObject({ code: 0 });
      expect(alone.output).toContain('"event":"result"');
      expect(alone.output).not.toContain("of a partner");

      using next = new Child(home);
      await vi.waitFor(
        async () => {
          const states = await statesOf(next, token);
          expect(states).not.toEqual([]);
          // Whose record nobody can tell is told so.
          expect(["completed", "failed"]).toEqual(expect.arrayContaining([...states]));
        },
        { timeout: PATIENCE_MS, interval: 250 },
      );
      const { submissions } = await sandbox.ledger();
      expect(new Set(submissions.map(({ prompt }) => prompt)).size).toBe(submissions.length);
    },
  );
});
