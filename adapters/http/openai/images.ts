import { Readable } from "node:stream";
import { ReelayError } from "../../../src/common/errors.ts";
import { cutOff } from "../../../src/infrastructure/telemetry/access-log.ts";
import { awaitedJob } from "../jobs/awaited-job.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { isOver, mediaAt } from "../resources/job.ts";
import { notesOf } from "../resources/notes.ts";
import type { OwnCall } from "../route/route.ts";
import { SHOULD_RETRY } from "./refusal.ts";
import type { ImageFormat } from "./translation.ts";

/** As long as anybody waits: OpenAI's clients hang up after ten minutes, and find the same job when they ask again. In seconds. */
const LONGEST_S = 3_600;

/** A picture, once it is made. */
export async function imageAnswer(
  parts: GatewayParts,
  call: OwnCall,
  { job, format }: { readonly job: string; readonly format: ImageFormat },
): Promise<Response> {
  const { c, user } = call;
  const body = await awaitedJob(parts, call, { id: job, seconds: LONGEST_S });
  if (!isOver(body)) {
    // Nobody waits any more, or Reelay stops: without an answer a client asks again, and finds the same job.
    cutOff(c);
    return c.body(null, 503);
  }
  const record = await parts.intake().jobs.find(user, job);
  if (body.status !== "completed") {
    // What came to nothing is not made by asking for its answer again.
    c.header(SHOULD_RETRY, "false");
    const problem = notesOf(record.receipt)?.problem ?? record.problem;
    throw new ReelayError(problem?.code ?? "not_found", problem?.params);
  }
  const file = mediaAt(record, 0);
  const created = Math.floor(record.createdAt / 1_000);
  if (format === "url") return c.json({ created, data: [{ url: body.media[0]?.link }] });
  const source = await parts.forPartners.held.open(file.file);
  const type = file.type.replace("image/", "");
  const text = Readable.from(
    wrapped(`{"created":${created},"output_format":${JSON.stringify(type)},`, source),
  );
  return c.body(Readable.toWeb(text) as ReadableStream<Uint8Array>, 200, {
    "Content-Type": "application/json",
  });
}

/** The picture as base64 in its answer, as it comes from the disk. */
async function* wrapped(head: string, source: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from(`${head}"data":[{"b64_json":"`);
  let rest = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    yield Buffer.from(bytes.toString("base64", 0, whole));
  }
  yield Buffer.from(`${rest.toString("base64")}"}]}`);
}
