import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { Child, type Home, PATIENCE_MS } from "../support/crash-child.ts";
import { testPicture, testSandbox } from "../support/sandbox.ts";
import { homeAt } from "./trial.ts";

const jobs = z.object({ data: z.array(z.object({ id: z.string() })) });

/** A partner's token, made on the command line as an operator does. */
async function tokenIn(home: Home, ...flags: string[]): Promise<string> {
  using child = new Child(home, ["partner", "add", "Acme", ...flags]);
  expect(await child.ended()).toBe(0);
  return z.object({ token: z.string() }).parse(JSON.parse(child.output)).token;
}

describe.concurrent("a server that is asked to stop", { timeout: 3 * PATIENCE_MS }, () => {
  it.each([
    ["token", []],
    ["test token", ["--test"]],
  ])("answers whoever waits for a job with a %s by what it is now, and ends in order", async (_, flags) => {
    await using sandbox = await testSandbox();
    const home = homeAt(sandbox);
    const token = await tokenIn(home, ...flags, ...(flags.length > 0 ? [] : ["--key", sandbox.keys.ultra]));
    await sandbox.fault({ kind: "hang", accepted: true, match: { method: "POST", path: "/api/generate" } });
    using child = new Child(home);
    const url = await child.url;
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": "once",
      prefer: "wait=60",
    };
    const body = JSON.stringify({ operation: "video", input: { image: await testPicture(), prompt: "x" } });
    const asked = fetch(`${url}/v1/jobs`, { method: "POST", headers, body });
    asked.catch(() => undefined);
    const [job] = await vi.waitFor(async () => {
      const { data } = jobs.parse(await (await fetch(`${url}/v1/jobs`, { headers })).json());
      expect(data).toHaveLength(1);
      return data;
    }, PATIENCE_MS);

    child.stop();

    const answer = await asked;
    expect(answer.status).toBe(202);
    expect(await answer.json()).toMatchObject({ id: job?.id });
    expect(await child.ended()).toBe(0);
    expect(child.output).not.toContain('"level":"error"');
  });
});
