import { setTimeout as sleep } from "node:timers/promises";

/** How a simple bot follows its jobs. */
export interface Habits {
  readonly intervalMs: number;
  /** What a 429 to a status read means to it. */
  readonly on429: "lost" | "wait";
}

/** What became of a job: when its end was known, in milliseconds since 1970; null where it was lost. */
export interface Followed {
  readonly serviceId: string;
  readonly knownAt: number | null;
}

/** Submits a job and asks for it at a fixed interval, as simple bots do; a refused submission is tried again. */
export async function follow(
  baseUrl: string,
  key: string,
  order: { readonly image_base64: string; readonly prompt: string },
  { intervalMs, on429 }: Habits,
): Promise<Followed> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const body = JSON.stringify(order);
  let submitted: Response;
  for (;;) {
    submitted = await fetch(`${baseUrl}/generate/video`, { method: "POST", headers, body });
    const { status } = submitted;
    if (status === 200) break;
    await submitted.body?.cancel();
    if (status !== 429) throw new Error(`The service answered ${status} to a submission.`);
    await sleep(intervalMs);
  }
  const { job_id: serviceId } = (await submitted.json()) as { job_id: string };
  for (;;) {
    await sleep(intervalMs);
    const answer = await fetch(`${baseUrl}/job/${serviceId}`, { headers });
    const job = (await answer.json()) as { status?: string; video_url?: string };
    if (answer.status === 429 && on429 === "lost") return { serviceId, knownAt: null };
    if (job.status !== "COMPLETED") continue;
    const knownAt = Date.now();
    await (await fetch(job.video_url ?? "")).arrayBuffer();
    return { serviceId, knownAt };
  }
}
