import { createHash, randomUUID } from "node:crypto";
import { S3Error } from "./error.ts";

/** The least size of a part but the last, in bytes ("Amazon S3 multipart upload limits"). */
const LEAST_PART = 5 * 2 ** 20;

/** What is kept under a name. */
export interface Kept {
  readonly content: Buffer;
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface Upload {
  readonly key: string;
  readonly at: number;
  readonly parts: Map<number, Kept>;
}

const etagOf = (content: Buffer) => `"${createHash("md5").update(content).digest("hex")}"`;

/** What is in a bucket. */
export class Objects {
  readonly kept = new Map<string, Kept>();
  readonly uploads = new Map<string, Upload>();

  put(key: string, content: Buffer, at: number): Kept {
    const one = { content, etag: etagOf(content), at };
    this.kept.set(key, one);
    return one;
  }

  get(key: string): Kept {
    const one = this.kept.get(key);
    if (!one) throw new S3Error(404, "NoSuchKey");
    return one;
  }

  begin(key: string, at: number): string {
    const id = randomUUID();
    this.uploads.set(id, { key, at, parts: new Map() });
    return id;
  }

  upload(key: string, id: string): Upload {
    const upload = this.uploads.get(id);
    if (upload?.key !== key) throw new S3Error(404, "NoSuchUpload");
    return upload;
  }

  putPart(key: string, id: string, number: number, content: Buffer, at: number): Kept {
    if (!Number.isInteger(number) || number < 1 || number > 10_000) throw new S3Error(400, "InvalidArgument");
    const one = { content, etag: etagOf(content), at };
    this.upload(key, id).parts.set(number, one);
    return one;
  }

  /** @param named numbers and etags of the parts, as they were sent */
  complete(key: string, id: string, named: readonly { number: number; etag: string }[], at: number): Kept {
    const { parts } = this.upload(key, id);
    if (named.length === 0) throw new S3Error(400, "MalformedXML");
    if (named.some(({ number }, index) => index > 0 && number <= (named[index - 1]?.number ?? 0)))
      throw new S3Error(400, "InvalidPartOrder");
    const joined = named.map(({ number, etag }, index) => {
      const part = parts.get(number);
      if (part?.etag !== etag) throw new S3Error(400, "InvalidPart");
      if (index < named.length - 1 && part.content.length < LEAST_PART)
        throw new S3Error(400, "EntityTooSmall");
      return part.content;
    });
    this.uploads.delete(id);
    return this.put(key, Buffer.concat(joined), at);
  }

  /** Names in their order, by their bytes. */
  names(prefix: string): readonly string[] {
    return [...this.kept.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  }
}
