import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { S3Error } from "./error.ts";
import { Objects } from "./objects.ts";
import { checkSignature, type S3Keys } from "./signature.ts";

/** What goes wrong with the next request of its kind. */
export type S3Trouble =
  /** Refused: too much at once. */
  | "slow-down"
  /** Done, but the connection breaks before the answer. */
  | "lost-answer"
  /** A download breaks off half-way. */
  | "cut-download"
  /** The connection breaks half-way through what is sent. */
  | "cut-upload"
  /** An answer that begins as a success and then tells of a failure, as of joining parts. */
  | "failure-in-200";

/** How a store is. */
export interface S3Options {
  /** By how much its clock is ahead, in milliseconds. */
  readonly aheadMs?: number;
  /** How many names a list has at most, whatever is asked for: stores may send fewer. */
  readonly page?: number;
}

export const BUCKET = "reelay-files";

export const KEYS: S3Keys = {
  region: "eu-test-1",
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

/** A store with one bucket that refuses what the real one refuses, reached by paths. */
export class TestS3 implements AsyncDisposable {
  readonly objects = new Objects();
  /** What was asked of it: method, name within the bucket, query. */
  readonly log: string[] = [];
  readonly #troubles: { readonly method: string; readonly trouble: S3Trouble }[] = [];
  readonly #options: S3Options;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(options: S3Options) {
    this.#options = options;
  }

  static async start(options: S3Options = {}): Promise<TestS3> {
    const store = new TestS3(options);
    store.#server.listen(0, "127.0.0.1");
    await once(store.#server, "listening");
    return store;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The setting that leads here. */
  get setting(): string {
    return `s3://${BUCKET}/some/prefix?endpoint=${this.endpoint}&region=${KEYS.region}`;
  }

  /** What it is opened with. */
  get env() {
    return {
      REELAY_FILES: this.setting,
      AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    };
  }

  /** The next requests of a method (COMPLETE: those that join parts) go wrong, each in one of these ways. */
  trouble(method: string, ...troubles: readonly S3Trouble[]): void {
    this.#troubles.push(...troubles.map((trouble) => ({ method, trouble })));
  }

  /** Whether no more trouble is to come. */
  get untroubled(): boolean {
    return this.#troubles.length === 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const now = Date.now() + (this.#options.aheadMs ?? 0);
    response.setHeader("Date", new Date(now).toUTCString());
    response.sendDate = false;
    try {
      await this.#serve(request, response, now);
    } catch (error) {
      if (!(error instanceof S3Error)) return void response.destroy();
      request.resume();
      // What is answered to HEAD has no body, and so no reason.
      const body = request.method === "HEAD" ? "" : errorXml(error.code);
      response.writeHead(error.status, { "Content-Type": "application/xml" }).end(body);
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse, now: number): Promise<void> {
    const { method = "" } = request;
    const url = new URL(request.url ?? "/", "http://store");
    const [, bucket = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
    const key = rest.join("/");
    this.log.push([method, key, url.search].filter(Boolean).join(" "));
    const isJoining = method === "POST" && url.searchParams.has("uploadId");
    const trouble = this.#next(isJoining ? "COMPLETE" : method);
    if (trouble === "cut-upload") return cut(request, response);
    const digest = checkSignature(request, KEYS, now);
    if (trouble === "slow-down") throw new S3Error(503, "SlowDown");
    if (bucket !== BUCKET) throw new S3Error(404, "NoSuchBucket");
    const takesBody = method === "PUT" || method === "POST";
    if (takesBody && request.headers["content-length"] === undefined && !url.searchParams.has("uploads"))
      throw new S3Error(411, "MissingContentLength");
    const body = await buffer(request);
    if (digest !== undefined && createHash("sha256").update(body).digest("hex") !== digest)
      throw new S3Error(400, "XAmzContentSHA256Mismatch");
    if (trouble === "failure-in-200")
      return void response
        .writeHead(200, { "Content-Type": "application/xml" })
        .end(errorXml("InternalError"));
    const done = this.#do(request, { method, key, query: url.searchParams, body, now });
    if (trouble === "lost-answer") return void response.destroy();
    response.writeHead(done.status ?? 200, {
      ...done.headers,
      "Content-Length": done.body?.length ?? done.length ?? 0,
    });
    if (trouble === "cut-download") {
      const half = done.body?.subarray(0, Math.ceil(done.body.length / 2));
      return void response.write(half, () => response.destroy());
    }
    response.end(method === "HEAD" ? undefined : done.body);
  }

  #next(method: string): S3Trouble | undefined {
    const index = this.#troubles.findIndex((one) => one.method === method);
    return index < 0 ? undefined : this.#troubles.splice(index, 1)[0]?.trouble;
  }

  #do(request: IncomingMessage, { method, key, query, body, now }: Ask): Done {
    const { objects } = this;
    const upload = query.get("uploadId");
    if (key === "") return this.#ofBucket(method, query);
    if (method === "PUT" && upload !== null)
      return {
        headers: { ETag: objects.putPart(key, upload, Number(query.get("partNumber")), body, now).etag },
      };
    if (method === "PUT") return { headers: { ETag: objects.put(key, body, now).etag } };
    if (method === "POST" && query.has("uploads")) {
      const id = objects.begin(key, now);
      return xml(
        "InitiateMultipartUploadResult",
        `<Bucket>${BUCKET}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId>`,
      );
    }
    if (method === "POST" && upload !== null) {
      const { etag } = objects.complete(key, upload, partsIn(body.toString()), now);
      return xml(
        "CompleteMultipartUploadResult",
        `<Key>${key}</Key><ETag>${etag.replaceAll('"', "&quot;")}</ETag>`,
      );
    }
    if (method === "DELETE" && upload !== null) {
      objects.upload(key, upload);
      objects.uploads.delete(upload);
      return { status: 204 };
    }
    if (method === "DELETE") {
      objects.kept.delete(key);
      return { status: 204 };
    }
    if (method === "HEAD") return { length: objects.get(key).content.length };
    if (method === "GET") return partOf(objects.get(key).content, request.headers.range);
    throw new S3Error(405, "MethodNotAllowed");
  }

  #ofBucket(method: string, query: URLSearchParams): Done {
    if (method === "HEAD") return {};
    if (method !== "GET") throw new S3Error(405, "MethodNotAllowed");
    const prefix = query.get("prefix") ?? "";
    if (query.has("uploads"))
      return xml(
        "ListMultipartUploadsResult",
        [...this.objects.uploads]
          .filter(([, { key }]) => key.startsWith(prefix))
          .map(
            ([id, { key, at }]) =>
              `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${iso(at)}</Initiated></Upload>`,
          )
          .join(""),
      );
    if (query.get("list-type") !== "2") throw new S3Error(501, "NotImplemented");
    const most = Math.min(Number(query.get("max-keys") ?? 1000), this.#options.page ?? 1000);
    // A token says where to go on, in words of the store's own.
    const after = Buffer.from(query.get("continuation-token") ?? "", "base64").toString();
    const names = this.objects.names(prefix).filter((name) => name > after);
    const page = names.slice(0, most);
    const next = names.length > most ? Buffer.from(page.at(-1) ?? "").toString("base64") : undefined;
    const contents = page.map((name) => {
      const { at, content } = this.objects.get(name);
      return `<Contents><Key>${name}</Key><LastModified>${iso(at)}</LastModified><Size>${content.length}</Size></Contents>`;
    });
    const more = next === undefined ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`;
    return xml(
      "ListBucketResult",
      `<IsTruncated>${next !== undefined}</IsTruncated>${more}${contents.join("")}`,
    );
  }
}

interface Ask {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly now: number;
}

interface Done {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Of a body that is not sent. */
  readonly length?: number;
}

const iso = (at: number) => new Date(at).toISOString();

const errorXml = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

const xml = (name: string, content: string): Done => ({
  headers: { "Content-Type": "application/xml" },
  body: Buffer.from(`<?xml version="1.0"?><${name}>${content}</${name}>`),
});

function partsIn(text: string): readonly { number: number; etag: string }[] {
  return [...text.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: (/<ETag>(.*?)</.exec(part)?.[1] ?? "").replaceAll("&quot;", '"'),
  }));
}

function partOf(content: Buffer, range: string | undefined): Done {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
  if (first === undefined) return { body: content };
  if (Number(first) >= content.length) throw new S3Error(416, "InvalidRange");
  const end = last ? Math.min(Number(last), content.length - 1) : content.length - 1;
  const headers = { "Content-Range": `bytes ${first}-${end}/${content.length}` };
  return { status: 206, headers, body: content.subarray(Number(first), end + 1) };
}

/** Reads the beginning, and ends the connection. */
function cut(request: IncomingMessage, response: ServerResponse): void {
  request.once("data", () => response.destroy());
  request.once("end", () => response.destroy());
}
