import { expect, it } from "vitest";
import { pooledCore } from "../../support/pool.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

const PEOPLE = 6;
/** Of each, so that it takes three windows of the address. */
const EACH = 15;

const inOrder = (prompts: readonly unknown[]) => prompts.map(String).toSorted((a, b) => a.localeCompare(b));

it("three keys under load keep every window of each and of the address, while one is revoked and one runs empty", async () => {
  // Which of the two ways the service counts by is drawn with everything else that is open. Jobs take so long that they stand in each
  // other's way however slow this machine is: the small key has its turn where eight are under way.
  await using sandbox = await testSandbox({ seed: String(Date.now() % 100), jobSeconds: [100, 150] });
  const thrifty = sandbox.addAccount("thrifty", "pro", 4);
  const { pro, ultra } = sandbox.keys;
  await using core = await pooledCore(
    sandbox,
    { key: pro, weight: 2 },
    { big: { key: ultra, weight: 3, tier: "ultra" }, small: { key: thrifty } },
  );
  const { surface } = core;
  const accounts = async () => {
    const { submissions } = await sandbox.ledger();
    return submissions.map(({ account }) => account);
  };
  const asked: string[] = [];
  const ask = async () => {
    for (let who = 0; who < PEOPLE; who++) {
      const prompt = `p${who} ${asked.length}`;
      asked.push(prompt);
      await surface.intake.command(person(`p${who}`), "image", { prompt, width: 64, height: 64 });
    }
  };
  for (let nth = 0; nth < EACH; nth++) await ask();
  /** On a machine so slow that none has to wait, all may have been sent before a key had its turn: more are asked for then. */
  const becomes = async <T>(found: () => Promise<T>, wanted: T) => {
    const next = async () => {
      if ((await accounts()).length === asked.length) await ask();
      return found();
    };
    await expect.poll(next).toBe(wanted);
  };
  const state = async (name: string) => (await core.desk.list()).find((key) => key.name === name)?.state;
  await becomes(async () => new Set(await accounts()).size, 3);
  await sandbox.fault({ kind: "401", match: { account: "pro" }, times: 1_000_000 });
  await becomes(() => state("REELAY_API_KEY"), "refused");
  await becomes(() => state("small"), "empty");
  await sandbox.clearFaults();
  await surface.results(asked.length);
  const { rejected, submissions } = await sandbox.ledger();
  expect(rejected.rate).toBe(0);
  expect(surface.showing("problem")).toEqual([]);
  expect(inOrder(submissions.map(({ prompt }) => prompt))).toEqual(inOrder(asked));
  expect(inOrder(surface.showing("result").map(({ job }) => job.values["prompt"]))).toEqual(inOrder(asked));
});
