/** Where a bucket of an S3-compatible store is, and what opens it. */
export interface BucketPlace {
  readonly bucket: string;
  /** How the names of everything in it that is ours begin: "" or ending in a slash. */
  readonly prefix: string;
  readonly region: string;
  /** The store's address; undefined: that of AWS in the region. */
  readonly endpoint: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** What an address tells of it: keys are never in one. */
export type BucketAddress = Omit<BucketPlace, "accessKeyId" | "secretAccessKey">;

/** What stores take as a bucket's name. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Names that need no escaping anywhere. */
const PREFIX = /^(?:[\w.-]+\/)*$/;

/** Where nothing else is said; stores that have no regions take it, too. */
const REGION = "us-east-1";

/**
 * Reads `s3://bucket/prefix?endpoint=https://store.internal&region=eu-central-1`.
 * @returns undefined for what is none, and for one with more in it, such as a key
 */
export function readBucketAddress(text: string): BucketAddress | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "s3:" || !BUCKET.test(url.hostname) || url.hostname.includes("..")) return undefined;
  if (url.username || url.password || url.port || url.hash) return undefined;
  const prefix = url.pathname.replace(/^\//, "").replace(/(?<=[^/])$/, "/");
  const { endpoint, region = REGION, ...others } = Object.fromEntries(url.searchParams);
  if (!PREFIX.test(prefix) || !/^[\w-]+$/.test(region) || Object.keys(others).length > 0) return undefined;
  if (endpoint === undefined) return { bucket: url.hostname, prefix, region, endpoint };
  const store = URL.parse(endpoint);
  if (!store || !/^https?:$/.test(store.protocol) || store.username || store.password) return undefined;
  if (store.search || store.hash) return undefined;
  return { bucket: url.hostname, prefix, region, endpoint: store.href.replace(/\/$/, "") };
}
