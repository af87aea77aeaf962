import type * as Sdk from "@aws-sdk/client-s3";
import { ConfigError } from "../../../common/config-error.ts";
import { asReelayError } from "../../../common/errors.ts";
import { scrub } from "../../telemetry/scrub.ts";
import type { FileStore } from "../files/files.ts";
import { Bucket } from "./bucket.ts";
import { bucketFiles } from "./bucket-files.ts";
import type { BucketPlace } from "./place.ts";
import type { Retries } from "./trouble.ts";

const SETTING = "REELAY_FILES";

/** How long may be waited, in milliseconds, before a connection is taken to be gone. */
const PATIENCE_MS = {
  /** For a connection. */
  connection: 5_000,
  /** While nothing goes over it, either way. */
  silence: 20_000,
} as const;

/** Connections of one process: others wait for one. */
const CONNECTIONS = 50;

/**
 * Opens a bucket as a place for files.
 * @param scratch a folder where a file is until it is there: its name is its digest
 * @throws ConfigError where it does not open, or the client is not installed
 */
export async function connectBucket(
  place: BucketPlace,
  scratch: string,
  retries?: Retries,
): Promise<FileStore> {
  const bucket = await bucketAt(place, retries);
  await bucket.check().catch((error: unknown) => {
    bucket.close();
    const { reason = "unknown" } = asReelayError(error).params;
    const found = `${addressOf(place)}, which does not open: ${reason}`;
    throw new ConfigError([{ setting: SETTING, found, wanted: "a bucket that AWS_ACCESS_KEY_ID opens" }]);
  });
  return {
    async room(room, isNeeded) {
      // A store that cannot tell of them sweeps by rules of its own.
      await bucket.sweep(`${room}/`).catch(() => {});
      return bucketFiles(bucket, { room, scratch, isNeeded });
    },
    check: () => bucket.check(),
    close: async () => bucket.close(),
  };
}

/** A bucket, without a look at whether it is there. @throws ConfigError where the client is not installed */
export async function bucketAt(place: BucketPlace, retries?: Retries): Promise<Bucket> {
  const sdk = await client();
  scrub.register(place.secretAccessKey);
  return new Bucket(sdk, new sdk.S3Client(optionsFor(place)), place, retries);
}

/** How a bucket is called where somebody reads it. */
export function addressOf({ bucket, prefix, endpoint }: BucketPlace): string {
  return `s3://${bucket}/${prefix}${endpoint === undefined ? "" : ` at ${endpoint}`}`;
}

/** How its client goes about it. */
function optionsFor(place: BucketPlace): Sdk.S3ClientConfig {
  const { region, endpoint, accessKeyId, secretAccessKey } = place;
  return {
    region,
    credentials: { accessKeyId, secretAccessKey },
    // A store of one's own has one name for all buckets.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // It cannot send a stream twice: what failed is begun anew where the file is.
    maxAttempts: 1,
    // What goes wrong is told where it is dealt with.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    // Every file is signed with its digest; not every store knows the other checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: PATIENCE_MS.connection,
      socketTimeout: PATIENCE_MS.silence,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  };
}

/** Loaded where it is used alone. */
async function client(): Promise<typeof Sdk> {
  try {
    return await import("@aws-sdk/client-s3");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")
      throw new ConfigError([
        {
          setting: SETTING,
          found: "a bucket, but not its client",
          wanted: "the client beside Reelay (npm install @aws-sdk/client-s3@3), or file:/FOLDER",
        },
      ]);
    throw error;
  }
}
