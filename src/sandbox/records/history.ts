import type { Account } from "./accounts.ts";
import type { Jobs } from "./jobs.ts";
import { videoPrice } from "./prices.ts";

const HOUR = 3_600_000;

/**
 * Gives an account completed jobs from the days before, one for each duration with default choices, so that
 * prices can be learned from the list and the settings. Their results have expired: downloads answer 404.
 */
export function addHistory(jobs: Jobs, account: Account): void {
  if (jobs.of(account).length > 0 || jobs.accepted() > 0) return;
  // A part of it, as a full disk would leave it, would be taken for the whole by the next start.
  jobs.together(() => addTo(jobs, account));
}

function addTo(jobs: Jobs, account: Account): void {
  for (const duration of [3, 4, 5, 6, 7, 8]) {
    const request = {
      prompt: "slow cinematic zoom",
      orientation: "portrait",
      duration,
      steps: 4,
      cfg: 1,
      seed: -1,
      video_quality: "legacy",
      result_type: "url",
      auto_upscale: false,
    } as const;
    const at = account.created_at - duration * 7 * HOUR;
    jobs.addPast(account, { type: "video", operation: "video", cost: videoPrice(request), request }, at);
  }
}
