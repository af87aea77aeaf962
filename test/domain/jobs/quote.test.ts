import { afterEach, describe, expect, it, vi } from "vitest";
import type { Account } from "../../../src/domain/accounts/accounts.ts";
import type { ServiceJob } from "../../../src/infrastructure/api/media-api.ts";
import type { Experience } from "../../../src/domain/jobs/experience/experience.ts";
import { learnPrices, priceOf, quoteOf, shortfall } from "../../../src/domain/jobs/quote.ts";
import type { Operation } from "../../../src/domain/operations/operation.ts";
import { operationOf } from "../../../src/domain/operations/registry.ts";
import { aJob } from "../../support/job.ts";

const { values } = aJob();
const formula = 3;
const video = { ...operationOf("video"), price: () => formula };
/** Prices by operation and size. */
const knowing = (prices: Readonly<Record<string, number>>) =>
  ({ price: (id: string, size: string) => prices[`${id} ${size}`] ?? null }) as unknown as Experience;
const nothing = knowing({});
const having = (balance: () => Promise<number | null>) =>
  ({ balance, tellsBalance: true }) as unknown as Account;
const with100 = having(async () => 100);
const size = video.size(values);

afterEach(() => void vi.useRealTimers());

describe("a quote", () => {
  it("says the contract's price, or what the same choices cost last time", async () => {
    const known = knowing({ [`video ${size}`]: 1.5 });
    expect(await quoteOf(with100, nothing, video, values)).toEqual({
      tokens: formula,
      basis: "exact",
      balance: 100,
    });
    expect(await quoteOf(with100, known, video, values)).toEqual({
      tokens: 1.5,
      basis: "learned",
      balance: 100,
    });
    expect(priceOf(known, video, values)).toBe(1.5);
    expect(priceOf(nothing, video, values)).toBe(formula);
  });

  it("says that a price is not known", async () => {
    const unpriced = { ...video, price: () => null };
    expect(await quoteOf(with100, nothing, unpriced, values)).toEqual({
      tokens: null,
      basis: "unknown",
      balance: 100,
    });
  });

  it("waits for the balance for two seconds, and does without one", async () => {
    const broken = having(() => Promise.reject(new Error("away")));
    expect((await quoteOf(broken, nothing, video, values)).balance).toBeNull();
    vi.useFakeTimers();
    const silent = quoteOf(
      having(() => new Promise(() => {})),
      nothing,
      video,
      values,
    );
    let done = false;
    void silent.then(() => (done = true));
    await vi.advanceTimersByTimeAsync(1_999);
    expect(done).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect((await silent).balance).toBeNull();
  });
});

describe("what is missing", () => {
  const quote = { tokens: 5, balance: 3, basis: "exact" } as const;

  it("is told to those who may know what is left", () => {
    expect(shortfall({ tellsBalance: true }, quote)).toMatchObject({
      code: "tokens_missing",
      params: { needed: 5, balance: 3, missing: 2 },
    });
    expect(shortfall({ tellsBalance: false }, quote)).toMatchObject({ code: "shared_tokens_missing" });
  });

  it("is nothing where the balance covers the cost, or either is not known", () => {
    for (const known of [{ balance: 5 }, { balance: 6 }, { balance: null }, { tokens: null }])
      expect(shortfall({ tellsBalance: true }, { ...quote, ...known })).toBeUndefined();
  });
});

/** An account with these past jobs, and what is learned of them. */
async function learned(
  jobs: readonly Partial<ServiceJob>[],
  operations: readonly Operation[],
  known = nothing,
) {
  const charged = vi.fn<(...args: unknown[]) => Promise<void>>(async () => {});
  const options: unknown[] = [];
  const account = {
    api: (option: unknown) => (options.push(option), { jobs: async () => ({ jobs }) }),
  } as unknown as Account;
  await learnPrices(
    account,
    { price: (...sought: [string, string]) => known.price(...sought), charged } as unknown as Experience,
    operations,
  );
  expect(options).toEqual([{ background: true }]);
  return charged.mock.calls;
}

const past = (id: string, different: Partial<ServiceJob> = {}): Partial<ServiceJob> => ({
  id,
  type: "video",
  state: "completed",
  cost: 4,
  ...different,
});

describe("what the account was charged before", () => {
  const sized = {
    ...video,
    sizeOf: async (_: unknown, { id }: ServiceJob) => (id === "odd" ? undefined : id),
  };

  it("teaches prices, of what was made and whose size is known", async () => {
    const jobs = [
      past("a"),
      past("b", { state: "failed" }),
      past("c", { type: "image" }),
      past("d", { cost: null }),
      past("odd"),
      past("e", { cost: 0 }),
    ];
    expect(await learned(jobs, [sized])).toEqual([
      ["video", "a", 4],
      ["video", "e", 0],
    ]);
    expect(await learned(jobs, [{ ...sized, listed: false }])).toEqual([]);
  });

  it("teaches nothing that is known already, and looks at eight of a kind", async () => {
    expect(await learned([past("a"), past("b")], [sized], knowing({ "video a": 3 }))).toEqual([
      ["video", "b", 4],
    ]);
    const many = Array.from({ length: 12 }, (_, nth) => past(`n${nth}`));
    expect(await learned(many, [sized])).toHaveLength(8);
  });
});
