import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { vi } from "vitest";
import type { TracePoint } from "../../src/domain/jobs/trace.ts";
import type { MediaRef } from "../../src/seam/values.ts";
import { testCore, type TestCore } from "../support/core.ts";
import { FailingFolder, type FolderFault } from "../support/failing-folder.ts";
import { testSandbox } from "../support/sandbox.ts";
import { person } from "../support/surface.ts";
import { lastOf, type Outcome, outcomeOf, PATIENCE } from "./trial.ts";

/** When it begins to fail: what has just happened that is to be written next, or was. */
export const FOLDER_STEPS: readonly { readonly title: string; readonly from: TracePoint | "asked" }[] = [
  { title: "as it is asked for", from: "asked" },
  { title: "as its progress is shown", from: "queued" },
  { title: "as it leaves", from: "post" },
  { title: "once the service has accepted it", from: "posted" },
  { title: "while it is made", from: "running" },
  { title: "once it is made", from: "completed" },
  { title: "as it is posted", from: "deliver" },
  { title: "once it is posted", from: "delivered" },
];

/** For how long, in milliseconds: shorter and longer than what could not be written waits to be written again. */
const FAILING_MS = { once: 100, lasting: 2_500 } as const;

/** What became of a job meanwhile. */
export interface FolderOutcome extends Outcome {
  /** Messages that tell of it beside the one that does. */
  readonly repeated: number;
}

/** Makes one video while the data folder fails, from a step on: for a moment, or for long. */
export async function folderTrial(
  photo: MediaRef,
  from: (typeof FOLDER_STEPS)[number]["from"],
  fault: FolderFault,
  lasts: boolean,
): Promise<FolderOutcome> {
  await using sandbox = await testSandbox();
  await using folder = new FailingFolder(fault);
  await using core = await testCore(sandbox, { sync: folder.sync });
  await folder.hold(core.database);
  const { surface } = core;
  const failed = Promise.withResolvers<void>();
  let hasFailed = false;
  const fail = () => {
    if (!hasFailed) failed.resolve(folder.fail());
    hasFailed = true;
  };
  const reading = new DatabaseSync(core.config.store, { readOnly: true });
  const isOurs = reading.prepare("select 1 from jobs where id = ?");
  const hear = (message: unknown) => {
    const { point, id } = message as { readonly point: TracePoint; readonly id: string };
    if (point === from && isOurs.get(id)) fail();
  };
  subscribe("reelay:job", hear);
  try {
    if (from === "asked") fail();
    const ask = () => surface.intake.command(person("ann"), "video", { image: photo, prompt: "slow zoom" });
    const asked = ask();
    await failed.promise;
    await sleep(lasts ? FAILING_MS.lasting : FAILING_MS.once);
    folder.mend();
    const isBegun = await asked;
    // Who was told that it was not begun asks again.
    if (!isBegun) await ask();
    const end = await vi.waitUntil(() => lastOf(surface, isBegun ? 0 : 1), PATIENCE);
    await vi.waitUntil(async () => !(await isOpen(core)), PATIENCE);
    return {
      ...(await outcomeOf(sandbox, surface, end, lasts)),
      repeated: surface.messages.length - (isBegun ? 1 : 2),
    };
  } finally {
    unsubscribe("reelay:job", hear);
    reading.close();
  }
}

/** Whether anything is still to come of any job. */
async function isOpen({ database: { kysely } }: TestCore): Promise<boolean> {
  const open = kysely.selectFrom("jobs").select("id").where("going_on", "=", 1);
  return (await open.executeTakeFirst()) !== undefined;
}
