import type { Job } from "../../src/domain/jobs/job.ts";
import type { Ledger, NewJob } from "../../src/domain/jobs/ledger.ts";

/** A job that was just asked for, with whatever a test wants different. */
export function aJob(different: Partial<Job> = {}): Job {
  return {
    id: "000000001aaaaaaaaaa",
    user: "web:me",
    chat: null,
    surface: "web",
    address: { conversation: "me" },
    tags: { platform: "web", inAppUsername: "someone" },
    request: null,
    keyId: "key-1",
    host: "primary",
    operation: "video",
    values: {
      image: { surface: "web", id: "photo" },
      prompt: "slow zoom",
      duration: 6,
      steps: 4,
      cfg: 1,
      auto_upscale: false,
    },
    fingerprint: "slow zoom",
    mature: false,
    state: "queued",
    delivery: "none",
    serviceId: null,
    cost: null,
    balance: null,
    before: null,
    progress: null,
    result: null,
    error: null,
    awaits: null,
    receipt: null,
    createdAt: 1,
    submittedAt: null,
    lostAt: null,
    releasedAt: null,
    acceptedAt: null,
    endedAt: null,
    deliveredAt: null,
    notBefore: 0,
    attempts: 0,
    fence: 0,
    held: null,
    ...different,
  };
}

/** What is known of such a job when it is asked for. */
export function aRequest(different: Partial<NewJob> = {}): NewJob {
  const { user, chat, surface, address, tags, request, keyId, host, operation, values, fingerprint, mature } =
    aJob();
  const usual = {
    user,
    chat,
    surface,
    address,
    tags,
    request,
    keyId,
    host,
    operation,
    values,
    fingerprint,
    mature,
  };
  return { ...usual, ...different };
}

/** How a job ends: after so many seconds with a result, or without one. */
export interface End {
  /** When it was asked for, in milliseconds since 1970. */
  readonly at: number;
  readonly cost: number;
  readonly seconds?: number;
  /** When its person was told, in milliseconds since 1970; left out: they are still to be told. */
  readonly toldAt?: number;
}

/** Takes a job through its life in the ledger. Returns its id. */
export async function endedJob(
  ledger: Ledger,
  request: Partial<NewJob>,
  { at, cost, seconds, toldAt }: End,
): Promise<string> {
  let job = await ledger.add(aRequest(request), at);
  job = await ledger.apply(job, { type: "submitting", at, balance: null });
  job = await ledger.apply(job, { type: "accepted", at, serviceId: job.id, cost, balance: null });
  job = await ledger.apply(
    job,
    seconds === undefined
      ? { type: "failed", at: at + 60_000, error: { code: "job_failed", params: {} }, cost }
      : { type: "completed", at: at + seconds * 1000, result: ["r"], cost: null },
  );
  if (toldAt === undefined) return job.id;
  job = await ledger.apply(job, { type: "delivering" });
  return (await ledger.apply(job, { type: "delivered", at: toldAt })).id;
}
