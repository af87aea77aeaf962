import { Readable } from "node:stream";
import { ReelayError } from "../../../common/errors.ts";
import { noteUnfetched } from "../../../common/unfetched.ts";
import { NotWhole, FileReading } from "./reading.ts";
import { HEAD_BYTES, recognise } from "./rules.ts";

/** A file on its way. */
interface Download {
  readonly stream: Readable;
  /** Its MIME type, as its sender announced it. */
  readonly type: string;
  readonly bytes?: number | undefined;
  /** Where it comes from. */
  readonly host?: string;
}

/**
 * Lets a finished file through while it is what was to be made: a video or picture that can be read, as long as was said, and
 * not cut off. Nothing of it is held but its first bytes; whoever wants it whole takes it for good when its stream has ended.
 * @returns its type is by its first bytes, where those tell; its stream fails with `result_late`, too
 * @throws ReelayError `result_late` for what is something else, or comes to nothing
 */
export async function wholeFile(download: Download, kind: "video" | "image"): Promise<Download> {
  const pieces = piecesOf(download);
  const head: Buffer[] = [];
  try {
    for (let bytes = 0; bytes < HEAD_BYTES;) {
      const { value, done } = await pieces.next();
      if (done) break;
      head.push(value);
      bytes += value.length;
    }
    const { type, rules } = recognise(Buffer.concat(head).subarray(0, HEAD_BYTES), kind, download.type);
    const whole = checked(head, pieces, new FileReading(rules()), download);
    const stream = Readable.from(whole, { objectMode: false });
    return { ...download, type, stream };
  } catch (error) {
    download.stream.destroy();
    throw late(error, download);
  }
}

/** What comes, as long as its sender said. */
async function* piecesOf({ stream, bytes }: Download): AsyncGenerator<Buffer, void> {
  let came = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    came += piece.length;
    yield piece;
  }
  if (bytes !== undefined && bytes !== came) throw new NotWhole(`${came} of ${bytes} bytes came.`);
}

async function* checked(
  head: readonly Buffer[],
  rest: AsyncGenerator<Buffer, void>,
  reading: FileReading,
  from: Pick<Download, "host">,
): AsyncGenerator<Buffer, void> {
  try {
    for (const piece of head) {
      reading.push(piece);
      yield piece;
    }
    for await (const piece of rest) {
      reading.push(piece);
      yield piece;
    }
    reading.end();
  } catch (error) {
    throw late(error, from);
  } finally {
    // Nobody may have wanted more than its beginning.
    await rest.return();
  }
}

/** Whoever gives a download up hears of their own reason. */
function late(cause: unknown, { host = "" }: Pick<Download, "host">): unknown {
  if (cause instanceof Error && cause.name === "AbortError") return cause;
  return noteUnfetched(new ReelayError("result_late", {}, { cause }), { host });
}
