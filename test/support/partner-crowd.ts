import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { sleep } from "../../src/common/time.ts";

/** What partners' programs do. */
export interface RushOptions {
  /** Where the gateway's nodes are, each without a slash at the end: partners are spread over them. */
  readonly urls: readonly string[];
  /** One for each partner. */
  readonly tokens: readonly string[];
  /** How many jobs each of them wants. */
  readonly jobsEach: number;
  /** What is sent as the nth job of a partner, beside the address of their webhook. */
  readonly order: (partner: number, nth: number) => object;
  /** How many connections each of them keeps open. */
  readonly connectionsEach: number;
  /** How long an answer is waited for, and then the next webhook, in milliseconds. */
  readonly patienceMs: number;
  /** Whether the answers are all that is waited for. */
  readonly answersOnly?: boolean;
}

/** A request for a job, and its answer. */
interface Submission {
  readonly partner: number;
  readonly status: number;
  /** Undefined where none was accepted. */
  readonly job: string | undefined;
  /** From the moment at which everybody began, in milliseconds: waiting for a connection counts. */
  readonly tookMs: number;
  /** How often it was sent again because the connection broke. */
  readonly repeated: number;
}

/** A message that came to a partner's webhook. */
export interface Told {
  readonly partner: number;
  /** `webhook-id`. */
  readonly message: string;
  readonly job: string;
  readonly status: string;
  /** From the moment at which everybody began, in milliseconds. */
  readonly atMs: number;
}

/** What came of it. */
export interface Rush {
  readonly submissions: readonly Submission[];
  readonly told: readonly Told[];
}

/** How often somebody whose connection breaks tries again. */
const MAX_REPEATS = 3;

const LOOK_EVERY_MS = 50;

/** Many partners ask for all their jobs at the same moment, and wait until they were told the end of each. */
export async function rush(options: RushOptions): Promise<Rush> {
  const { urls, tokens, jobsEach, order, connectionsEach, patienceMs, answersOnly = false } = options;
  const told: Told[] = [];
  let begun = performance.now();
  const since = () => performance.now() - begun;
  const receivers = await Promise.all(
    tokens.map((_, partner) => receiver((message) => told.push({ ...message, partner, atMs: since() }))),
  );
  const agents = tokens.map(() => new Agent({ keepAlive: true, maxSockets: connectionsEach }));
  try {
    begun = performance.now();
    const submissions = await Promise.all(
      tokens.flatMap((token, partner) =>
        Array.from({ length: jobsEach }, async (_, nth): Promise<Submission> => {
          const body = JSON.stringify({ ...order(partner, nth), webhook: receivers[partner]?.url });
          const url = urls[partner % urls.length] ?? "";
          const answer = await submit({ url, token, body, agent: agents[partner], timeout: patienceMs });
          return { ...answer, partner, tookMs: since() };
        }),
      ),
    );
    if (answersOnly) return { submissions, told };
    const jobs = submissions.flatMap(({ job }) => job ?? []);
    const missing = () => {
      const ended = new Set(told.map(({ job }) => job));
      return jobs.some((job) => !ended.has(job));
    };
    const answered = since();
    const silentMs = () => since() - Math.max(answered, told.at(-1)?.atMs ?? 0);
    while (missing() && silentMs() < patienceMs) await sleep(LOOK_EVERY_MS);
    return { submissions, told };
  } finally {
    for (const agent of agents) agent.destroy();
    for (const one of receivers) one.close();
  }
}

/**
 * How fairly jobs were finished: what the partner with the fewest had, when this share of all was done, of what an
 * equal share would have been.
 * @param share 0 to 1
 */
export function leastShare(told: readonly Told[], partners: number, share: number): number {
  const done = told.slice(0, Math.round(share * told.length));
  const counts = Map.groupBy(done, ({ partner }) => partner);
  const least = Math.min(...Array.from({ length: partners }, (_, nth) => counts.get(nth)?.length ?? 0));
  return least / (done.length / partners);
}

/** A server of one partner that takes webhooks. */
async function receiver(
  onMessage: (message: Pick<Told, "message" | "job" | "status">) => void,
): Promise<{ readonly url: string; close(): void }> {
  const take = async (asked: IncomingMessage, answer: ServerResponse) => {
    const { data } = (await json(asked)) as { data: { id: string; status: string } };
    onMessage({ message: String(asked.headers["webhook-id"]), job: data.id, status: data.status });
    answer.writeHead(204).end();
  };
  const server = createServer((asked, answer) => void take(asked, answer)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** One request for a job, as it is sent. */
interface Post {
  readonly url: string;
  readonly token: string;
  readonly body: string;
  readonly agent: Agent | undefined;
  readonly timeout: number;
}

/** Asks for a job; only where the connection breaks, again, and as the same request. */
async function submit(post: Post): Promise<Pick<Submission, "status" | "job" | "repeated">> {
  const key = randomUUID();
  for (let repeated = 0; ; repeated++) {
    try {
      const { status, id: job } = await send(post, key);
      return { status, job, repeated };
    } catch (error) {
      if (repeated === MAX_REPEATS) throw error;
    }
  }
}

async function send(
  { url, token, body, ...options }: Post,
  key: string,
): Promise<{ status: number; id?: string }> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "idempotency-key": key,
  };
  const asked = request(`${url}/v1/jobs`, { method: "POST", headers, ...options });
  asked.on("timeout", () => asked.destroy(new Error("No answer came in time.")));
  asked.end(body);
  const [answer]: IncomingMessage[] = await once(asked, "response");
  if (!answer) throw new Error("There is no answer.");
  const { id } = (await json(answer)) as { id?: string };
  return { status: answer.statusCode ?? 0, ...(answer.statusCode === 202 && id !== undefined && { id }) };
}
