import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, vi } from "vitest";
import { post } from "../adapters/web/support/client.ts";
import { Child, type Home, withClock } from "../support/crash-child.ts";
import { testSandbox, type TestSandbox } from "../support/sandbox.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { homeAt } from "./trial.ts";

const WAIT = { timeout: PATIENCE_MS, interval: 100 };

/** After a question has grown too old to be answered. */
const LATER_MS = 10 * 60_000;

/** What is on disk: jobs, and presses that are not done. */
function keptIn({ data }: Home) {
  using database = new DatabaseSync(join(data, "reelay.db"), { readOnly: true });
  const count = (of: string) => database.prepare(`select count(*) as count from ${of}`).get()?.["count"];
  return { jobs: count("jobs"), presses: count("kv where key like 'pressed:%'") };
}

/** What the page shows, by its kind or what it says. */
const shown = async (child: Child) =>
  (await child.conversation()).map(({ body }) => (body.kind === "notice" ? body.text.key : body.kind));

/** Makes a picture for each of these words. */
async function make(home: Home, child: Child, ...prompts: readonly string[]): Promise<void> {
  for (const prompt of prompts) {
    const asking = { values: { prompt }, agreed: ["terms", "consent"], draft: prompt };
    expect(await post((await child.url) ?? "", "/web/command/image", asking)).toMatchObject({ status: 202 });
  }
  await vi.waitFor(async () => {
    const made = (await child.conversation()).flatMap(({ body }) =>
      body.kind === "result" ? [body.job.values["prompt"]] : [],
    );
    expect(made).toEqual(expect.arrayContaining([...prompts]));
    using database = new DatabaseSync(join(home.data, "reelay.db"), { readOnly: true });
    expect(database.prepare("select state from jobs where delivery <> 'delivered'").all()).toEqual([]);
  }, WAIT);
}

/** Has the service be silent from now on where it is to delete something, after so many times. */
const silence = (sandbox: TestSandbox, skip?: number) =>
  sandbox.fault({
    kind: "hang",
    accepted: true,
    times: 99,
    match: { method: "DELETE", path: "/api/" },
    ...(skip !== undefined && { skip }),
  });

/** Waits until the service was asked to delete something so many times. */
const untilAsked = (sandbox: TestSandbox, child: Child, deletions: number) =>
  vi.waitFor(async () => {
    const { requests } = await sandbox.ledger();
    expect(requests["delete"] ?? 0, child.output).toBeGreaterThanOrEqual(deletions);
  }, WAIT);

/** Kills it then. */
async function killAt(sandbox: TestSandbox, child: Child, deletions: number): Promise<void> {
  await untilAsked(sandbox, child, deletions);
  child.kill();
  await child.untilKilled();
  await sandbox.clearFaults();
}

const wordsThere = async (sandbox: TestSandbox) =>
  (await sandbox.ledger()).submissions.flatMap(({ prompt }) => prompt ?? []);

describe.concurrent("in the middle of it", { timeout: 4 * PATIENCE_MS }, () => {
  it("a page that is to delete everything, and is killed twice, does so after the start, and says so; what was made since stays", async () => {
    await using sandbox = await testSandbox();
    const home = homeAt(sandbox);
    using first = new Child(home);
    await make(home, first, "a heron", "a walrus", "a zebra");
    await silence(sandbox, 1);
    void first.press(`delete-all-now:${Date.now() + 60_000}`);
    await killAt(sandbox, first, 2);
    expect(keptIn(home)).toEqual({ jobs: 2, presses: 1 });

    const later = { ...home, env: { ...home.env, ...withClock(LATER_MS) } };
    // Once more, while somebody makes something.
    await silence(sandbox);
    using next = new Child(later);
    await make(later, next, "a boat");
    await killAt(sandbox, next, 3);

    using last = new Child(later);
    await vi.waitFor(async () => expect(await shown(last), last.output).toContain("delete.done"), WAIT);
    await vi.waitFor(() => expect(keptIn(later)).toEqual({ jobs: 1, presses: 0 }), WAIT);
    const gone = Array.from({ length: 3 }, () => "job.deleted");
    expect((await shown(last)).toSorted()).toEqual(["delete.done", ...gone, "request", "result"]);
    expect(await wordsThere(sandbox)).toEqual(["a boat"]);
  });

  it.each(["killed", "asked to stop"])(
    "a page that is to forget somebody, at the service too, and is %s, does so after the start, and says so",
    async (how) => {
      await using sandbox = await testSandbox();
      const home = homeAt(sandbox);
      using first = new Child(home);
      await make(home, first, "a heron", "a walrus");
      await silence(sandbox, 1);
      void first.press(`forget-all:${Date.now() + 60_000}-0`);
      await untilAsked(sandbox, first, 2);
      if (how === "killed") first.kill();
      else first.stop();
      expect(await first.ended()).toBe(how === "killed" ? "SIGKILL" : 0);
      await sandbox.clearFaults();
      expect(keptIn(home)).toEqual({ jobs: 1, presses: 1 });

      const later = { ...home, env: { ...home.env, ...withClock(LATER_MS) } };
      using last = new Child(later);
      await vi.waitFor(async () => expect(await shown(last), last.output).toEqual(["forget.done"]), WAIT);
      await vi.waitFor(() => expect(keptIn(later)).toEqual({ jobs: 0, presses: 0 }), WAIT);
      expect(await wordsThere(sandbox)).toEqual([]);
    },
  );
});
