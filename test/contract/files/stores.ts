import { onTestFinished } from "vitest";
import { connectBucket } from "../../../src/infrastructure/media/bucket/connect.ts";
import { readBucketAddress } from "../../../src/infrastructure/media/bucket/place.ts";
import { type FileStore, folderStore } from "../../../src/infrastructure/media/files/files.ts";
import { KEYS, type S3Options, TestS3 } from "../../support/s3/store.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

/** What keeps files. */
export interface Driver {
  readonly name: string;
  /** Makes an empty store, and opens it for two nodes, until the test has finished. */
  open(): Promise<readonly [FileStore, FileStore]>;
}

/** Nobody waits in a test. */
const AT_ONCE = { pause: async () => {} };

/** How a store of tests is opened; whatever the contract leaves open varies by the time of day, as a page's length. */
export async function testS3(options: S3Options = { page: 1 + (Date.now() % 3) }): Promise<TestS3> {
  const store = await TestS3.start(options);
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

/** Opens such a store, as one of its nodes. */
export async function openedAt(
  store: TestS3,
  scratch = temporaryFolder(),
  keys: Partial<typeof KEYS> = {},
): Promise<FileStore> {
  const address = readBucketAddress(store.setting);
  if (!address) throw new Error("no address of a bucket");
  const opened = await connectBucket({ ...address, ...KEYS, ...keys }, scratch, AT_ONCE);
  onTestFinished(() => opened.close());
  return opened;
}

export const DRIVERS: readonly Driver[] = [
  {
    name: "a folder",
    async open() {
      const folder = temporaryFolder();
      return [folderStore(folder), folderStore(folder)];
    },
  },
  {
    name: "a bucket",
    async open() {
      const store = await testS3();
      return [await openedAt(store), await openedAt(store)];
    },
  },
];
