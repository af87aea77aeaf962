import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { testPicture } from "../support/sandbox.ts";

const answerBody = z.record(z.string(), z.json());

/** A JSON answer of the service. */
interface Answer {
  readonly status: number;
  readonly body: z.infer<typeof answerBody>;
}

/** A text out of an answer. */
export function textOf(value: unknown): string {
  return z.string().parse(value);
}

/** Calls the service the way a client does. */
export type Call = (method: string, path: string, body?: object | FormData) => Promise<Answer>;

/** @param url base URL of a host */
export function caller(url: string, key: string | undefined): Call {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key !== undefined && { "x-api-key": key }),
        ...(body && !(body instanceof FormData) && { "content-type": "application/json" }),
      },
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: answerBody.parse(await response.json()) };
  };
}

/** Submits a job that is accepted; returns its id. */
export async function submitTo(call: Call, path: string, fields: object | FormData): Promise<string> {
  const { status, body } = await call("POST", path, fields);
  if (status >= 300) throw new Error(JSON.stringify(body));
  return textOf(body["job_id"]);
}

/** Submits a video that is accepted; returns the job's id. */
export async function submit(call: Call, fields: object = {}): Promise<string> {
  return submitTo(call, "/generate/video", {
    image_base64: await testPicture(),
    prompt: "slow zoom",
    ...fields,
  });
}

const jobRecord = z.looseObject({
  status: z.string(),
  progress: z.int(),
  created_at: z.string(),
  completed_at: z.string().nullable(),
  video_url: z.string().default(""),
});

/** A job's record. */
export type JobRecord = z.infer<typeof jobRecord>;

/** Reads a job's record once. */
export async function read(call: Call, jobId: string): Promise<JobRecord> {
  return jobRecord.parse((await call("GET", `/job/${jobId}`)).body);
}

/** Reads a record, wherever it is, until its job has ended. */
export async function endedAt(call: Call, path: string): Promise<Answer["body"]> {
  for (let reads = 0; reads < 2000; reads += 1) {
    const { body } = await call("GET", path);
    if (body["status"] === "COMPLETED" || body["status"] === "FAILED") return body;
    await sleep(30);
  }
  throw new Error("the job did not end");
}

/** Reads a job until it has ended. */
export async function ended(call: Call, jobId: string, everyMs = 30): Promise<JobRecord> {
  for (let reads = 0; reads < 2000; reads += 1) {
    const record = await read(call, jobId);
    if (record.status === "COMPLETED" || record.status === "FAILED") return record;
    await sleep(everyMs);
  }
  throw new Error("the job did not end");
}
