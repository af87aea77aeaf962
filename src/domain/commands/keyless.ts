import { isKeyRefused } from "../accounts/refused.ts";
import type { Job } from "../jobs/job.ts";
import type { MakingParts } from "./command.ts";
import { removalOf } from "./delete-job.ts";

/**
 * Whether a job could be deleted at the service if the key that takes were there; each key is looked at once.
 * @param asking asks the service whether it accepts the key, too: else only what is stored counts
 */
export function keylessAmong(
  { accounts }: Pick<MakingParts, "accounts">,
  asking: boolean,
): (job: Job) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  async function isMissing(job: Job): Promise<boolean> {
    try {
      const account = await accounts.of(job);
      if (asking) await account.api().balance();
      return false;
    } catch (error) {
      if (isKeyRefused(error)) return true;
      throw error;
    }
  }
  return async (job) => {
    if (removalOf(job) === null) return false;
    const key = JSON.stringify([job.keyId, job.chat, job.host]);
    const missing = known.get(key) ?? isMissing(job);
    known.set(key, missing);
    return await missing;
  };
}
