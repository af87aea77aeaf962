import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the contract leaves open, and this service does its own way. Times are milliseconds. */
export interface Liberties {
  /** How far its timestamps are from UTC (they have no zone, section 2.1). */
  readonly zoneMs?: number;
  /** What `/settings` shows of a prompt (section 2.7). */
  readonly promptShown?: (prompt: string) => string | null;
  /** How long after its acceptance the list shows a job; Infinity: never. */
  readonly listedAfterMs?: number;
  /** Whether records say when they were made. */
  readonly stamped?: boolean;
  /** Whether the answer to a submission says what is left (section 2.3: not every one does). */
  readonly tellsRemaining?: boolean;
  /** Whether the account has made a video before. */
  readonly hasPast?: boolean;
  /** What it calls a job (section 2.1: UUIDs). */
  readonly idOf?: () => string;
  /** How its jobs end; left out, they run on. */
  readonly ends?: "FAILED";
  /** What becomes of the POST whose answer is lost: accepted after so long, or null for never. */
  readonly lostAcceptedAfterMs?: number | null;
}

/** A job as this service has it. */
interface LooseJob {
  readonly id: string;
  readonly type: string;
  readonly prompt: string;
  readonly cost: number;
  readonly acceptedAt: number;
  readonly status: string;
}

const PRICE = 2.7;

/** The least of the service that a video needs, for tests of what its contract does not promise. */
export interface LooseService extends AsyncDisposable {
  readonly url: string;
  readonly keys: { readonly ultra: string };
  readonly price: number;
  /** What was accepted under the key, without what was there before. */
  accepted(): readonly LooseJob[];
  /** Loses the answer to the next submission. */
  loseNext(): void;
  /** Somebody makes a video on the service's own pages. */
  makeElsewhere(prompt: string, cost?: number): void;
  /** What all submissions took from the balance. */
  spent(): number;
}

/** Starts one. */
export async function looseService({
  zoneMs = 0,
  promptShown = (prompt) => prompt,
  listedAfterMs = 0,
  stamped = true,
  tellsRemaining = true,
  hasPast = true,
  idOf = randomUUID,
  ends,
  lostAcceptedAfterMs = 0,
}: Liberties = {}): Promise<LooseService> {
  const past: LooseJob = {
    id: randomUUID(),
    type: "video",
    prompt: "an older one",
    cost: PRICE,
    acceptedAt: Date.now() - 26 * 3_600_000,
    status: "COMPLETED",
  };
  const jobs: LooseJob[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let losing = false;
  const tokens = () => 1_000 - jobs.reduce((sum, { cost }) => sum + cost, 0);
  const stamp = (time: number) => new Date(time + zoneMs).toISOString().slice(0, 19);
  const accept = (prompt: string, cost = PRICE) => {
    const id = idOf();
    jobs.push({ id, type: "video", prompt, cost, acceptedAt: Date.now(), status: ends ?? "IN_PROGRESS" });
    return id;
  };
  const shown = ({ id, type, cost, acceptedAt, status }: LooseJob) => ({
    id,
    type,
    status,
    created_at: stamped ? stamp(acceptedAt) : null,
    token_cost: cost,
  });
  const all = () => [...jobs.toReversed(), ...(hasPast ? [past] : [])];
  const answers: Record<string, () => unknown> = {
    "/api/user/balance": () => ({ tokens: tokens(), subscription_active: true, can_generate: true }),
    "/api/stats": () => ({
      total_jobs: all().length,
      failed_jobs: 0,
      tokens_remaining: tokens(),
      breakdown: { video: { total: all().length, completed: 1, failed: 0, pending: jobs.length } },
    }),
    "/api/jobs": () => {
      const listed = all().filter(({ acceptedAt }) => Date.now() - acceptedAt >= listedAfterMs);
      const pagination = { page: 1, pages: 1, per_page: 100, total: listed.length, has_next: false };
      return { jobs: listed.map(shown), pagination };
    },
  };
  const one = (path: string): unknown => {
    const asked = decodeURIComponent(path.split("/")[3] ?? "");
    const job = all().find(({ id }) => id === asked);
    if (!job || !path.endsWith("/settings")) return job && shown(job);
    return { success: true, settings: { prompt: promptShown(job.prompt), duration: 6, auto_upscale: false } };
  };
  const post = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await textOf(request)) as { prompt: string };
    if (!losing) {
      const job_id = accept(body.prompt);
      const left = tellsRemaining ? { remaining_tokens: tokens() } : {};
      return reply(response, { job_id, status: "submitted", token_cost: PRICE, ...left });
    }
    losing = false;
    if (lostAcceptedAfterMs !== null) timers.add(setTimeout(() => accept(body.prompt), lostAcceptedAfterMs));
    return request.socket.destroy();
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://host");
    if (request.method === "POST") return void post(request, response);
    if (request.method === "DELETE") {
      const id = decodeURIComponent(pathname.split("/").at(-1) ?? "");
      return reply(response, { success: jobs.some((job) => job.id === id) });
    }
    const answer = answers[pathname]?.() ?? one(pathname);
    return reply(response, answer ?? { error: "Not found", code: 404 }, answer ? 200 : 404);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    keys: { ultra: "a-key-for-tests" },
    price: PRICE,
    accepted: () => jobs,
    loseNext: () => void (losing = true),
    makeElsewhere: (prompt, cost) => void accept(prompt, cost),
    spent: () => 1_000 - tokens(),
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

function reply(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
