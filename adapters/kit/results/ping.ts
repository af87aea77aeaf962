import type { Memory } from "../../../src/common/memory.ts";
import type { JobSummary } from "../../../src/seam/views.ts";
import { ownAction } from "../../../src/seam/text/actions.ts";

/** The mark of the button that has somebody called when their job is done. */
export const PING = "n";

/** Longer than any job takes, in milliseconds. */
const WANTED_MS = 3 * 24 * 3_600_000;

const wantedKey = (job: string) => `ping:${job}`;

/** Has whoever asked for a job called when it is done: nobody is by an edit. */
export const pingAction = ({ id }: JobSummary, user: string) =>
  ownAction(PING, `${id}:${user}`, { key: "ping.label" });

/** Notes that whoever asked for a job wants to be called. */
export async function wantPing(memory: Memory, job: string): Promise<void> {
  await memory.set(wantedKey(job), true, WANTED_MS);
}

/** Whether they wanted it: once. */
export async function takePing(memory: Memory, job: string): Promise<boolean> {
  if ((await memory.get<boolean>(wantedKey(job))) !== true) return false;
  await memory.delete(wantedKey(job));
  return true;
}
