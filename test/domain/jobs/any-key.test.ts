import { expect, it } from "vitest";
import type { Accounts, Payer } from "../../../src/domain/accounts/accounts.ts";
import { NotFound, Unauthorized } from "../../../src/infrastructure/api/media-api.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { readWithAnyKey } from "../../../src/domain/jobs/any-key.ts";
import { aJob } from "../../support/job.ts";

const job = aJob({ state: "running", serviceId: "s", keyId: "old", awaits: "key" });

/**
 * Accounts by key: what reading says under each, `undefined` for a key that is gone. Without a key, `new` pays.
 * @param pool the operator's keys, where they pay
 */
function accounts(
  reads: Readonly<Record<string, (() => Promise<string>) | undefined>>,
  pool?: readonly string[],
): Accounts {
  const of = async ({ keyId = "new" }: Payer) => {
    const read = reads[keyId];
    if (!read) throw new ReelayError("not_connected");
    return { keyId, api: () => ({ job: read }) };
  };
  const poolFor = async () =>
    pool && Promise.all(pool.map(async (keyId) => ({ account: await of({ keyId } as Payer) })));
  return { of, poolFor } as unknown as Accounts;
}

const refused = () => Promise.reject(new Unauthorized());
const unknown = () => Promise.reject(new NotFound());

it("reads a job with its own key before any other", async () => {
  const read = readWithAnyKey(job, accounts({ old: async () => "by old", new: async () => "by new" }), {});
  expect(await read).toEqual({ record: "by old", keyId: "old" });
});

it.each([
  ["refused", refused],
  ["gone", undefined],
])("reads a job with the key that pays now where its own is %s", async (_name, old) => {
  const read = readWithAnyKey(job, accounts({ old, new: async () => "by new" }), {});
  expect(await read).toEqual({ record: "by new", keyId: "new" });
});

it("says that its key is refused where the new one is another account's, which does not see the job", async () => {
  const read = readWithAnyKey(job, accounts({ old: refused, new: unknown }), {});
  await expect(read).rejects.toBeInstanceOf(Unauthorized);
});

it("tries all of the operator's keys, of which not the richest need be the one that stands in for its own", async () => {
  const reads = { old: refused, new: unknown, third: refused, stead: async () => "by its stead" };
  const read = readWithAnyKey(job, accounts(reads, ["new", "old", "third", "stead"]), {});
  expect(await read).toEqual({ record: "by its stead", keyId: "stead" });
});

it("asks with each of the operator's keys once", async () => {
  const asked: string[] = [];
  const asking = (keyId: string, says: () => Promise<string>) => () => (asked.push(keyId), says());
  const reads = { old: asking("old", refused), new: asking("new", unknown), third: asking("third", unknown) };
  const read = readWithAnyKey(job, accounts(reads, ["new", "third", "old"]), {});
  await expect(read).rejects.toBeInstanceOf(Unauthorized);
  expect(asked).toEqual(["old", "new", "third"]);
});

it("believes its own key that there is no such job, whatever another key may see", async () => {
  const read = readWithAnyKey(job, accounts({ old: unknown, new: async () => "by new" }), {});
  await expect(read).rejects.toBeInstanceOf(NotFound);
});

it("says that there is no key where there is none", async () => {
  await expect(readWithAnyKey(job, accounts({}), {})).rejects.toMatchObject({ code: "not_connected" });
});

it("takes a database that cannot be read for no missing key", async () => {
  const broken = { of: () => Promise.reject(new Error("disk I/O error")) } as unknown as Accounts;
  await expect(readWithAnyKey(job, broken, {})).rejects.toThrow("disk I/O error");
});

it("asks only once where its own key is the one that pays", async () => {
  let asked = 0;
  const of = async () => ({ keyId: "old", api: () => ({ job: () => (asked++, refused()) }) });
  const alone = { of, poolFor: async () => undefined } as unknown as Accounts;
  await expect(readWithAnyKey(job, alone, {})).rejects.toBeInstanceOf(Unauthorized);
  expect(asked).toBe(1);
});
