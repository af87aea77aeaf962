import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { Job } from "../../src/domain/jobs/job.ts";
import { Child, hasMachines, onOwnMachine } from "../support/crash-child.ts";
import { PHOTOS, tellingRenderer } from "../support/crash-photos.ts";
import { startPostgres } from "../support/postgres.ts";
import { testSandbox, type TestSandbox } from "../support/sandbox.ts";
import { homeAt, untilSettled } from "./trial.ts";
import { mistold } from "./verdict.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const MACHINES = hasMachines();

/** What is asked for on the page: what becomes of the first nobody hears, the second is being made. */
const ASKED = [0, 1].map((nth) => ({ prompt: `slow zoom ${nth}`, photo: nth, accepted: true }));
const [LOST, MADE] = ASKED.map((one) => one.prompt);

/** From outside it looks like the first: it waits until it is known what became of that. */
const CALL = ["run", "video", "--image", "other.jpg", "--prompt", "slow zoom 0", "--duration", "6"];

/** Where a job is, and how often it was taken over. */
type LeftJob = Pick<Job, "state" | "delivery" | "fence">;

/** Nodes on one PostgreSQL, each on a machine of its own, and what they have there. */
async function cluster(sandbox: TestSandbox) {
  const home = homeAt(sandbox, { REELAY_STORE: (await server?.createDatabase()) ?? "" });
  writeFileSync(join(home.data, "other.jpg"), PHOTOS[2] ?? "");
  const jobs = async (): Promise<readonly LeftJob[]> => {
    const client = new Client({ connectionString: home.env["REELAY_STORE"] });
    await client.connect();
    const { rows } = await client.query<LeftJob>("select state, delivery, fence::int from jobs order by id");
    await client.end();
    return rows;
  };
  const start = (args: readonly string[]) =>
    new Child({ ...home, within: MACHINES ? onOwnMachine() : [] }, args);
  return {
    node: () => start(["start"]),
    call: () => start([...CALL, "--agree", "terms,consent"]),
    jobs,
  };
}

const until = (look: () => void | Promise<void>) => vi.waitFor(look, { timeout: PATIENCE_MS, interval: 150 });

/** Has a node make two videos: the service takes one, and says nothing of the other, whether it took it or not. */
async function leave(node: Child, sandbox: TestSandbox, accepted: boolean): Promise<void> {
  const ask = ({ prompt, photo }: (typeof ASKED)[number]) =>
    node.ask({ prompt, photo: PHOTOS[photo] ?? new Uint8Array(), duration: 6 });
  const [lost, made] = ASKED;
  if (lost === undefined || made === undefined) throw new Error("They are there.");
  const match = { method: "POST", path: "/api/generate" };
  const asked = async () => (await sandbox.ledger()).requests["video"] ?? 0;
  await sandbox.fault({ kind: "hang", accepted, match });
  expect(await ask(lost)).toBe(true);
  await until(async () => expect(await asked()).toBe(1));
  expect(await ask(made)).toBe(true);
  await until(async () => expect((await sandbox.ledger()).submissions).toHaveLength(accepted ? 2 : 1));
}

/** Whether everything was told once, and paid for once, by what the service has. @param calls how many of {@link CALL} came to an end */
async function judge(sandbox: TestSandbox, last: Child, calls: number): Promise<void> {
  const told = await untilSettled(last, ASKED);
  expect(await mistold(last, ASKED, told, "result")).toEqual([]);
  const { submissions, accounts, rejected } = await sandbox.ledger();
  const count = (prompt: string | undefined) => submissions.filter((one) => one.prompt === prompt).length;
  expect({ lost: count(LOST), made: count(MADE) }).toEqual({ lost: 1 + calls, made: 1 });
  const cost = submissions.reduce((sum, one) => sum + one.cost, 0);
  expect(accounts.reduce((sum, one) => sum + one.used, 0)).toBeCloseTo(cost, 2);
  expect(rejected.rate).toBe(0);
}

/** What whoever stood still finds of its database: that it waited for too long, or did nothing within a transaction for too long. */
const STOOD_STILL = /Query read timeout|idle-in-transaction timeout/;

/** Errors that it logged, but for what any process finds that stood still. */
const errorsIn = ({ output }: Child) =>
  output.split("\n").filter((line) => line.includes('"level":"error"') && !STOOD_STILL.test(line));

/** How often a call told of a result. */
const resultsOf = (call: Child) => call.output.split('"event":"result"').length - 1;

/** Waits for a call's own result, and nothing else. */
async function untilMade(call: Child): Promise<void> {
  const code = await call.ended();
  expect({ code, results: resultsOf(call), output: call.output }).toMatchObject({ code: 0, results: 1 });
}

const sandboxOf = () => testSandbox({ render: tellingRenderer, jobSeconds: [250, 350] });

describe.runIf(server)("what a node left at the service", { timeout: 4 * PATIENCE_MS }, () => {
  it.each([{ accepted: true }, { accepted: false }])(
    "stays what others made of it where the node only stood still: accepted: $accepted",
    async ({ accepted }) => {
      await using sandbox = await sandboxOf();
      const { node, call } = await cluster(sandbox);
      using paused = node();
      await leave(paused, sandbox, accepted);
      paused.pause();
      using waits = call();
      await untilMade(waits);
      paused.resume();
      await judge(sandbox, paused, 1);
      expect(errorsIn(paused)).toEqual([]);
    },
  );

  it("is told by the call that asked for it, which only stood still", async () => {
    await using sandbox = await sandboxOf();
    const { node, call, jobs } = await cluster(sandbox);
    await sandbox.fault({ kind: "hang", accepted: true, match: { method: "POST", path: "/api/generate" } });
    using paused = call();
    await until(async () => expect((await sandbox.ledger()).submissions).toHaveLength(1));
    paused.pause();
    using waits = node();
    const [first] = ASKED;
    const photo = PHOTOS[0] ?? new Uint8Array();
    expect(await waits.ask({ prompt: first?.prompt ?? "", photo, duration: 6 })).toBe(true);
    await until(async () =>
      expect(await jobs()).toMatchObject([
        { state: "completed", delivery: "due" },
        { state: "completed", delivery: "delivered" },
      ]),
    );
    paused.resume();
    await untilMade(paused);
    expect((await sandbox.ledger()).submissions).toHaveLength(2);
    expect((await jobs()).map(({ delivery }) => delivery)).toEqual(["delivered", "delivered"]);
  });
});
