import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { createHash } from "node:crypto";
import { request } from "node:http";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { testS3 } from "../../../contract/files/stores.ts";
import { BUCKET as Bucket, KEYS, type TestS3 } from "../../../support/s3/store.ts";

// What the store of the tests takes and refuses is held against the official client, as it comes.

function clientOf(store: TestS3, keys: Partial<typeof KEYS> = {}): S3Client {
  const { region, ...credentials } = { ...KEYS, ...keys };
  const client = new S3Client({
    endpoint: store.endpoint,
    forcePathStyle: true,
    region,
    credentials,
    maxAttempts: 1,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  onTestFinished(() => client.destroy());
  return client;
}

/** A client that changes each request once it is signed. */
function tampering(
  store: TestS3,
  change: (request: { headers: Record<string, string>; path: string }) => void,
) {
  const client = clientOf(store);
  // After everything of its own.
  client.middlewareStack.add(
    (next) => (args) => {
      change(args.request as Parameters<typeof change>[0]);
      return next(args);
    },
    { step: "finalizeRequest", priority: "low" },
  );
  return client;
}

const code = async (sent: Promise<unknown>) =>
  sent.then(
    () => "taken",
    (error: unknown) => (error as Error).name,
  );

const sha256 = (content: Buffer | string) => createHash("sha256").update(content).digest("hex");

const put = (client: S3Client) =>
  code(client.send(new PutObjectCommand({ Bucket, Key: "x", Body: "y", Metadata: { a: "b" } })));

describe("the store of the tests", () => {
  it("takes what the official client signs, whatever is in a name", async () => {
    const client = clientOf(await testS3());
    for (const Key of ["plain", "a/b c/d", "ü+&=(1)!*'~", "100%"]) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body: `about ${Key}` }));
      const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket, Key }));
      expect(await Body?.transformToString()).toBe(`about ${Key}`);
      expect(ContentLength).toBe(Buffer.byteLength(`about ${Key}`));
    }
    await client.send(new HeadBucketCommand({ Bucket }));
    const { Contents, IsTruncated } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: "pl" }));
    expect([Contents?.map(({ Key }) => Key), IsTruncated]).toEqual([["plain"], false]);
    const part = await client.send(new GetObjectCommand({ Bucket, Key: "plain", Range: "bytes=2-4" }));
    expect([await part.Body?.transformToString(), part.ContentRange]).toEqual(["out", "bytes 2-4/11"]);
    expect(await code(client.send(new GetObjectCommand({ Bucket, Key: "plain", Range: "bytes=11-" })))).toBe(
      "InvalidRange",
    );
  });

  it("refuses who has another key, another region or another time, and what was changed on the way", async () => {
    const store = await testS3();
    expect(await put(clientOf(store))).toBe("taken");
    expect(await put(clientOf(store, { secretAccessKey: "another" }))).toBe("SignatureDoesNotMatch");
    expect(await put(clientOf(store, { accessKeyId: "nobody" }))).toBe("InvalidAccessKeyId");
    expect(await put(clientOf(store, { region: "another" }))).toBe("AuthorizationHeaderMalformed");
    expect(await put(tampering(store, (one) => (one.headers["x-amz-meta-a"] = "c")))).toBe(
      "SignatureDoesNotMatch",
    );
    expect(await put(tampering(store, (one) => (one.headers["x-amz-meta-c"] = "d")))).toBe("AccessDenied");
    expect(await put(tampering(store, (one) => (one.path = `/${Bucket}/z`)))).toBe("SignatureDoesNotMatch");
    expect(await put(tampering(store, (one) => delete one.headers["authorization"]))).toBe("AccessDenied");
    const late = await testS3({ aheadMs: 16 * 60_000 });
    expect(await put(clientOf(late))).toBe("RequestTimeTooSkewed");
    expect([...store.objects.kept.keys()]).toEqual(["x"]);
  });

  it("refuses a body of another digest, of no length, and such as is cut off", async () => {
    const store = await testS3();
    const client = clientOf(store);
    client.middlewareStack.add(
      (next) => (args) => {
        (args.request as { headers: Record<string, string> }).headers["x-amz-content-sha256"] =
          sha256("else");
        return next(args);
      },
      { step: "build" },
    );
    expect(await code(client.send(new PutObjectCommand({ Bucket, Key: "x", Body: "12345" })))).toBe(
      "XAmzContentSHA256Mismatch",
    );
    const unmeasured = new PutObjectCommand({
      Bucket,
      Key: "x",
      Body: Readable.from([Buffer.from("12345")]),
    });
    expect(await code(clientOf(store).send(unmeasured))).toBe("MissingContentLength");
    const cut = request(`${store.endpoint}/${Bucket}/x`, {
      method: "PUT",
      headers: { "content-length": 10 },
    });
    cut.write("123");
    cut.on("error", () => {});
    setImmediate(() => cut.destroy());
    await new Promise((resolve) => cut.once("close", resolve));
    expect(store.objects.kept.size).toBe(0);
  });

  it("says whether it is the bucket or the file that is not there, but for HEAD", async () => {
    const client = clientOf(await testS3());
    expect(await code(client.send(new GetObjectCommand({ Bucket, Key: "x" })))).toBe("NoSuchKey");
    expect(await code(client.send(new GetObjectCommand({ Bucket: "none", Key: "x" })))).toBe("NoSuchBucket");
    expect(await code(client.send(new HeadObjectCommand({ Bucket, Key: "x" })))).toBe("NotFound");
    expect(await code(client.send(new HeadObjectCommand({ Bucket: "none", Key: "x" })))).toBe("NotFound");
    expect(await code(client.send(new DeleteObjectCommand({ Bucket, Key: "x" })))).toBe("taken");
  });

  it("joins parts of 5 MiB and a last one in their order, and nothing else", async () => {
    const store = await testS3();
    const client = clientOf(store);
    const Key = "film";
    const begin = async () =>
      (await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))).UploadId ?? "";
    const send = async (UploadId: string, PartNumber: number, Body: Buffer) => ({
      PartNumber,
      ETag: (await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))).ETag,
    });
    const join = (UploadId: string, Parts: { PartNumber: number; ETag: string | undefined }[]) =>
      code(
        client.send(
          new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
        ),
      );
    const [large, small] = [Buffer.alloc(5 * 2 ** 20, "a"), Buffer.from("end")];
    const id = await begin();
    const parts = [await send(id, 1, large), await send(id, 2, small)];
    const third = await send(id, 3, small);
    expect(await join(id, [...parts, third])).toBe("EntityTooSmall");
    expect(await join(id, parts.toReversed())).toBe("InvalidPartOrder");
    expect(await join(id, [{ PartNumber: 1, ETag: '"else"' }])).toBe("InvalidPart");
    expect(await join(id, parts)).toBe("taken");
    expect(await join(id, parts)).toBe("NoSuchUpload");
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(sha256((await Body?.transformToString()) ?? "")).toBe(sha256(Buffer.concat([large, small])));
    const other = await begin();
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId: other }));
    expect(await code(send(other, 1, small))).toBe("NoSuchUpload");
  });

  it("tells the official client of a failure in an answer that began as a success", async () => {
    const store = await testS3();
    const client = clientOf(store);
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: "x" }));
    store.trouble("COMPLETE", "failure-in-200");
    const Parts = [{ PartNumber: 1, ETag: "x" }];
    const joining = new CompleteMultipartUploadCommand({
      Bucket,
      Key: "x",
      UploadId,
      MultipartUpload: { Parts },
    });
    expect(await code(client.send(joining))).toBe("InternalError");
  });

  it("answers nobody without a signature", async () => {
    const store = await testS3();
    const answer = await fetch(`${store.endpoint}/${Bucket}/x`);
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining("<Code>AccessDenied</Code>"),
    ]);
  });
});
