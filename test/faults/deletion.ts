import { vi } from "vitest";
import { Ledger } from "../../src/domain/jobs/ledger.ts";
import type { MediaRef } from "../../src/seam/values.ts";
import { testCore, type TestCore } from "../support/core.ts";
import { testSandbox, type TestSandbox } from "../support/sandbox.ts";
import { person } from "../support/surface.ts";
import type { Fault, Step } from "./cells.ts";
import { FOR_GOOD, PATIENCE, patienceFor, sentence } from "./trial.ts";

/** What became of a deletion. */
export interface Deletion {
  /** What its person reads when they delete while the fault lasts; "" where it does not last. */
  readonly meanwhile: string;
  /** What they read once it struck, or when they delete again after it was mended. */
  readonly end: string;
  /** Whether each said that the job is deleted was true, here and at the service, and each said that it is not, too. */
  readonly isTrue: boolean;
  readonly charged: number;
}

/** Makes a video, and deletes it while something goes wrong: once, or until somebody has mended it. */
export async function deletionTrial(
  photo: MediaRef,
  step: Step,
  fault: Fault,
  lasts: boolean,
): Promise<Deletion> {
  const { title: _, ...kind } = fault;
  await using sandbox = await testSandbox();
  await using core = await testCore(sandbox, patienceFor(step, fault));
  const { surface } = core;
  await surface.intake.command(person("ann"), "video", { image: photo, prompt: "slow zoom" });
  await vi.waitUntil(() => surface.showing("result")[0], PATIENCE);
  const [result] = await surface.results(1);
  await vi.waitUntil(async () => (await left(core, sandbox)).delivered, PATIENCE);
  const press = async () => {
    await surface.intake.act(person("ann"), `delete-now:${result?.job.id}`);
    const said = surface.messages.at(-1)?.views.at(-1);
    if (!said) throw new Error("Nothing was said.");
    const { here, there } = await left(core, sandbox);
    // That it is not deleted is said with a way on from there, too.
    const isDeleted = said.kind === "notice" && said.text.key !== "delete.no_key";
    const isTrue = isDeleted ? !here && !there : here;
    return { said: sentence(said), isTrue };
  };
  await sandbox.fault({ ...kind, match: step.match, times: lasts ? FOR_GOOD : 1 });
  const first = await press();
  await sandbox.clearFaults();
  const { here } = await left(core, sandbox);
  const last = lasts && here ? await press() : first;
  const { submissions } = await sandbox.ledger();
  return {
    meanwhile: lasts ? first.said : "",
    end: last.said,
    isTrue: first.isTrue && last.isTrue,
    charged: submissions.length,
  };
}

/** Where the job still is. */
async function left({ database }: TestCore, sandbox: TestSandbox) {
  const ledger = new Ledger(database, "looking");
  const count = (goingOn?: true) => ledger.count({ user: "web:ann", ...(goingOn && { goingOn }) });
  const { url, keys } = sandbox;
  const made = (await sandbox.ledger()).submissions[0]?.job_id;
  const { ok: there } = await fetch(`${url}/job/${made}`, { headers: { "x-api-key": keys.ultra } });
  return { here: (await count()) > 0, there, delivered: (await count(true)) === 0 };
}
