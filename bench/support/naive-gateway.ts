import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { RATE_LIMITS, type RateGroup } from "../../src/common/contract.ts";
import { sleep } from "../../src/common/time.ts";

/** What the process is told, as JSON in its first argument. */
export interface NaiveOptions {
  readonly port: number;
  /** The service. */
  readonly baseUrl: string;
  /** The window in which the service counts, in milliseconds. */
  readonly windowMs: number;
}

/** What a partner asks for. */
interface Order {
  readonly operation: keyof typeof SENT_TO;
  readonly input: Readonly<Record<string, unknown>>;
  readonly webhook: string;
}

interface Job extends Order {
  readonly id: string;
  /** The partner's service key; it is their token, too. */
  readonly key: string;
}

/** Where each operation is sent, and under which rate. */
const SENT_TO = {
  video: { path: "generate/video", group: "video" },
  image: { path: "generate/image", group: "image" },
  "h3-text": { path: "generate/vendor-h3", group: "videoAudio" },
} as const;

/** Evenly spaced requests arrive unevenly: with this much more between them no window has too many. */
const SLACK = 1.1;

const { port, baseUrl, windowMs }: NaiveOptions = JSON.parse(process.argv[2] ?? "");

// The least that a gateway can be: whoever asked first is served first. It sends and asks evenly, about as often as is
// published; what is refused, and what is not done yet, goes to the end of its queue.
const toSend = {
  video: queue("video", submit),
  image: queue("image", submit),
  videoAudio: queue("videoAudio", submit),
};
const toRead = queue<Job & { readonly serviceId: string }>("status", read);

createServer((asked, answer) => void accept(asked, answer)).listen(port, "127.0.0.1");
process.once("SIGTERM", () => process.exit());

async function accept(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  if (asked.method === "POST") {
    const key = asked.headers.authorization?.slice("Bearer ".length) ?? "";
    const id = randomUUID();
    const order = (await json(asked)) as Order;
    toSend[SENT_TO[order.operation].group].push({ ...order, id, key });
    answer.writeHead(202).write(JSON.stringify({ id }));
  }
  answer.end();
}

/** A queue whose first entry is taken as often as a rate allows; one that fails comes last. */
function queue<T>(group: RateGroup, take: (entry: T) => Promise<void>): T[] {
  const entries: T[] = [];
  const run = async () => {
    for (;;) {
      const entry = entries.shift();
      if (entry) void take(entry).catch(() => entries.push(entry));
      await sleep((windowMs / RATE_LIMITS[group]) * SLACK);
    }
  };
  void run();
  return entries;
}

async function submit(job: Job): Promise<void> {
  const { image: image_base64, ...input } = job.input;
  const headers = { "x-api-key": job.key, "content-type": "application/json" };
  const body = JSON.stringify({ ...input, image_base64 });
  const url = `${baseUrl}/${SENT_TO[job.operation].path}`;
  const answer = await fetch(url, { method: "POST", headers, body });
  const { job_id: serviceId } = (await answer.json()) as { job_id?: string };
  if (serviceId === undefined) throw new Error(`The service answered ${answer.status}.`);
  toRead.push({ ...job, serviceId });
}

async function read({ id, key, webhook, serviceId }: Job & { readonly serviceId: string }): Promise<void> {
  const headers = { "x-api-key": key };
  const answer = await fetch(`${baseUrl}/job/${serviceId}`, { headers });
  const { status, video_url, image_url } = (await answer.json()) as Record<string, string | undefined>;
  if (status !== "COMPLETED") throw new Error(`The job is ${status}.`);
  await (await fetch(video_url ?? image_url ?? "", { headers })).arrayBuffer();
  const body = JSON.stringify({ type: "job.completed", data: { id, status: "completed" } });
  await fetch(webhook, { method: "POST", headers: { "webhook-id": id }, body });
}
