import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import type * as Sdk from "@aws-sdk/client-s3";
import { digestOf } from "../files/hashed.ts";
import type { FileOnDisk, FileRange } from "../files/files.ts";
import type { BucketPlace } from "./place.ts";
import { errorOf, type Retries, retried } from "./trouble.ts";

/** Files from this size on, in bytes, are sent in parts, of which one that fails is sent anew alone. */
const PARTS_FROM = 32 * 2 ** 20;

/** The size of a part in bytes: stores take 5 MiB at the least, but for the last, and 10,000 of them. */
const PART_BYTES = 16 * 2 ** 20;

/** Parts that were left behind are older: of a process that was killed, or that could not say that it gave up. */
const LEFT_BEHIND_MS = 24 * 3_600_000;

/** How long may be waited for a request that carries no file, in milliseconds. */
const ANSWER_MS = 10_000;

/**
 * How long is tried to erase a file, in milliseconds: whoever does may keep a place in the database meanwhile, which is taken away
 * after four seconds, and nothing is to be erased that somebody has put there since.
 */
const ERASE_MS = 3_000;

/** What is read, with how much there is of it. */
interface Opened {
  readonly body: Readable;
  readonly bytes: number;
}

/** An object, as a list tells of it. */
interface Listed {
  readonly name: string;
  /** Milliseconds since 1970, by the store's clock. */
  readonly at: number;
}

/** What is done with an S3-compatible store; names are below the place's prefix. */
export class Bucket {
  readonly #sdk: typeof Sdk;
  readonly #client: Sdk.S3Client;
  readonly #place: BucketPlace;
  readonly #retries: Retries | undefined;
  /** SHA-256 of what is being sent, in hex. */
  readonly #digests = new WeakMap<object, string>();
  #aheadMs = 0;

  constructor(sdk: typeof Sdk, client: Sdk.S3Client, place: BucketPlace, retries?: Retries) {
    this.#sdk = sdk;
    this.#client = client;
    this.#place = place;
    this.#retries = retries;
    // A signature holds for one file alone: what else arrives the store refuses.
    client.middlewareStack.add(
      (next) => (args) => {
        const { input, request } = args;
        const digest = "Body" in input && input.Body ? this.#digests.get(input.Body as object) : undefined;
        if (digest !== undefined && typeof request === "object" && request !== null && "headers" in request)
          Object.assign(request.headers as object, { "x-amz-content-sha256": digest });
        return next(args);
      },
      { step: "build", name: "digest" },
    );
    client.middlewareStack.add(
      (next) => async (args) => {
        const done = await next(args);
        this.#noteTime(done.response);
        return done;
      },
      { step: "deserialize", name: "time", priority: "low" },
    );
  }

  /** By how much the store's clock was ahead when it last answered, in milliseconds: to a second, which is what it tells. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** Makes sure that the bucket is there and opens, by what says why where it does not. @throws ReelayError `storage_down` */
  async check(): Promise<void> {
    const { ListObjectsV2Command } = this.#sdk;
    const { bucket: Bucket, prefix: Prefix } = this.#place;
    await this.#asking((abortSignal) =>
      this.#client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }), { abortSignal }),
    );
  }

  /** Keeps a file of the disk under a name; what else arrives there than its digest says, the store refuses. */
  async put(name: string, file: FileOnDisk): Promise<void> {
    if (file.bytes >= PARTS_FROM) return this.#putParts(name, file);
    const { PutObjectCommand } = this.#sdk;
    const object = { ...this.#object(name), ContentLength: file.bytes };
    await this.#sent(
      file.digest,
      () => createReadStream(file.path),
      (Body) => this.#client.send(new PutObjectCommand({ ...object, Body })),
    );
  }

  /** @throws ReelayError `media_gone`, `storage_down` */
  async open(name: string, range?: Partial<FileRange>): Promise<Opened> {
    const { GetObjectCommand } = this.#sdk;
    const Range = range && `bytes=${range.start ?? 0}-${range.end ?? ""}`;
    const { Body, ContentLength } = await this.#retried(() =>
      this.#client.send(new GetObjectCommand({ ...this.#object(name), Range })),
    );
    return { body: Body as Readable, bytes: ContentLength ?? 0 };
  }

  /** @throws ReelayError `media_gone`, `storage_down` */
  async stat(name: string): Promise<{ bytes: number }> {
    const { HeadObjectCommand } = this.#sdk;
    const ask = () =>
      this.#asking((abortSignal) =>
        this.#client.send(new HeadObjectCommand(this.#object(name)), { abortSignal }),
      );
    const { ContentLength } = await ask().catch(async () => {
      // An answer without a body does not say what was wrong: whether it is the file that is not there, or the bucket.
      await this.check();
      return ask();
    });
    return { bytes: ContentLength ?? 0 };
  }

  /** Erases what has a name, if anything has. @throws ReelayError `storage_down` */
  async remove(name: string): Promise<void> {
    const { DeleteObjectCommand } = this.#sdk;
    const abortSignal = AbortSignal.timeout(ERASE_MS);
    await this.#retried(
      () => this.#client.send(new DeleteObjectCommand(this.#object(name)), { abortSignal }),
      abortSignal,
    );
  }

  /** What there is whose name begins so. */
  async *list(begin: string): AsyncGenerator<Listed> {
    const { ListObjectsV2Command } = this.#sdk;
    const { bucket: Bucket, prefix } = this.#place;
    for (let ContinuationToken: string | undefined; ;) {
      const command = { Bucket, Prefix: prefix + begin, ContinuationToken };
      const { Contents = [], NextContinuationToken } = await this.#asking((abortSignal) =>
        this.#client.send(new ListObjectsV2Command(command), { abortSignal }),
      );
      for (const { Key, LastModified } of Contents)
        if (Key !== undefined && LastModified)
          yield { name: Key.slice(prefix.length), at: LastModified.getTime() };
      if (NextContinuationToken === undefined) return;
      ContinuationToken = NextContinuationToken;
    }
  }

  /** Erases the parts of files that nobody sends any more: they are in no list, and are paid for all the same. */
  async sweep(begin: string): Promise<void> {
    const { ListMultipartUploadsCommand, AbortMultipartUploadCommand } = this.#sdk;
    const { bucket: Bucket, prefix } = this.#place;
    const { Uploads = [] } = await this.#asking((abortSignal) =>
      this.#client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix + begin }), { abortSignal }),
    );
    for (const { Key, UploadId, Initiated } of Uploads)
      if (Initiated && Initiated.getTime() < Date.now() - LEFT_BEHIND_MS)
        await this.#asking((abortSignal) =>
          this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal }),
        );
  }

  close(): void {
    this.#client.destroy();
  }

  async #putParts(name: string, { path, bytes }: FileOnDisk): Promise<void> {
    const { CreateMultipartUploadCommand, CompleteMultipartUploadCommand, AbortMultipartUploadCommand } =
      this.#sdk;
    const object = this.#object(name);
    const { UploadId } = await this.#asking((abortSignal) =>
      this.#client.send(new CreateMultipartUploadCommand(object), { abortSignal }),
    );
    try {
      const Parts: Sdk.CompletedPart[] = [];
      for (let start = 0; start < bytes; start += PART_BYTES) {
        const part = { start, end: Math.min(start + PART_BYTES, bytes) - 1 };
        Parts.push(await this.#putPart({ ...object, UploadId, PartNumber: Parts.length + 1 }, path, part));
      }
      const MultipartUpload = { Parts };
      // Joining them may take as long as sending one.
      await this.#retried(() =>
        this.#client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload })),
      );
    } catch (error) {
      // They were joined, and the answer was lost: what is there under this name is this file.
      if (nameOf(error) === "NoSuchUpload" && (await this.stat(name)).bytes === bytes) return;
      // Should that fail as well, it is swept away later.
      await this.#client.send(new AbortMultipartUploadCommand({ ...object, UploadId })).catch(() => {});
      throw error;
    }
  }

  async #putPart(
    part: Omit<Sdk.UploadPartCommandInput, "Body" | "ContentLength">,
    path: string,
    { start, end }: FileRange,
  ): Promise<Sdk.CompletedPart> {
    const { UploadPartCommand } = this.#sdk;
    const open = () => createReadStream(path, { start, end });
    const { ETag } = await this.#sent(await digestOf(open()), open, (Body) =>
      this.#client.send(new UploadPartCommand({ ...part, Body, ContentLength: end - start + 1 })),
    );
    return { ETag, PartNumber: part.PartNumber };
  }

  #noteTime(response: unknown): void {
    const { headers } = response as { readonly headers?: { readonly date?: string } };
    const at = Date.parse(headers?.date ?? "");
    if (!Number.isNaN(at)) this.#aheadMs = at - Date.now();
  }

  #object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#place.bucket, Key: this.#place.prefix + name };
  }

  /** Sends what is opened anew for each try, and closed however that ends. */
  #sent<T>(digest: string, open: () => Readable, send: (body: Readable) => Promise<T>): Promise<T> {
    return this.#retried(async () => {
      const body = open();
      this.#digests.set(body, digest);
      try {
        return await send(body);
      } finally {
        body.destroy();
      }
    });
  }

  #asking<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#retried(() => ask(AbortSignal.timeout(ANSWER_MS)));
  }

  #retried<T>(task: () => Promise<T>, until?: AbortSignal): Promise<T> {
    return retried(task, this.#retries, until).catch((error: unknown) => {
      throw errorOf(error);
    });
  }
}

/** What the store called it. */
function nameOf(error: unknown): string | undefined {
  return error instanceof Error && error.cause instanceof Error ? error.cause.name : undefined;
}
