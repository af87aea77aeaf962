import { describe, expect, it } from "vitest";
import type { Account, Accounts } from "../../../../src/domain/accounts/accounts.ts";
import type { AccountReading } from "../../../../src/domain/accounts/reading.ts";
import type { Experience } from "../../../../src/domain/jobs/experience/experience.ts";
import type { Job } from "../../../../src/domain/jobs/job.ts";
import type { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { type Compared, gather } from "../../../../src/domain/jobs/reconciling/gather.ts";
import { Network, NotFound, ServiceFailure } from "../../../../src/infrastructure/api/transport/errors.ts";
import { aJob } from "../../../support/job.ts";

const SENT = 1_000_000_000;
const job = aJob({ state: "unsure", submittedAt: SENT });
const signal = new AbortController().signal;

interface Shown {
  readonly id: string;
  readonly createdAt: number | null;
}
const numbered = (count: number, createdAt: (index: number) => number | null = () => null): Shown[] =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, createdAt: createdAt(index) }));

/** What is gathered where the service shows and says this, and what it was asked. */
async function gathered(
  shown: readonly Shown[],
  different: Partial<{
    readonly compared: Compared;
    readonly duration: number;
    readonly numbers: Partial<AccountReading> | Error;
    readonly balance: number | null;
    readonly ours: readonly Job[];
    readonly last: readonly Job[];
    readonly readable: ReadonlyMap<string, number>;
    readonly total: number;
    readonly isEndless: boolean;
    /** Ends the process while the clock is asked for. */
    readonly stop: AbortController;
    readonly setBackAt: number;
  }> = {},
) {
  const asked = {
    pages: 0,
    compared: [] as string[],
    clocks: [] as string[],
    ages: [] as unknown[],
    calls: [] as unknown[],
  };
  const api = {
    jobs: async ({ page, perPage = 20 }: { page: number; perPage?: number }) => {
      asked.pages += 1;
      const jobs = shown.slice((page - 1) * perPage, page * perPage).map(({ id, createdAt }) => ({
        id,
        createdAt,
        type: "video",
        cost: 4,
        state: "running",
      }));
      return {
        jobs,
        total: different.total ?? shown.length,
        hasNext: different.isEndless ?? shown.length > page * perPage,
      };
    },
    jobSettings: async (id: string) => {
      asked.compared.push(id);
      return {
        prompt: "slow zoom",
        lora_template: null,
        sub_template: null,
        duration: different.duration ?? 6,
        raw: { auto_upscale: false },
      };
    },
    job: async (id: string) => {
      asked.clocks.push(id);
      different.stop?.abort(new Error("It stops"));
      const createdAt = different.readable?.get(id);
      if (createdAt === undefined) throw new Error("It was deleted");
      return { createdAt };
    },
  };
  const numbers: AccountReading = { from: SENT, to: SENT, tokens: 10, totals: { video: 1 }, failed: 0 };
  const account = {
    api: (options: unknown) => {
      asked.calls.push(options);
      return api;
    },
    numbers: async (maxAgeMs: number) => {
      asked.ages.push(maxAgeMs);
      if (different.numbers instanceof Error) throw different.numbers;
      return { ...numbers, ...different.numbers };
    },
    balance: async (maxAgeMs: number) => {
      asked.ages.push(maxAgeMs);
      return different.balance === undefined ? 10 : different.balance;
    },
  } as unknown as Account;
  const { ours = [], last = [] } = different;
  const ledger = {
    othersSince: async () => ours,
    acceptedLast: async (_host: string, count: number) => last.slice(0, count),
  } as unknown as Ledger;
  const accounts = { of: async () => account } as unknown as Accounts;
  const experience = { price: () => null } as unknown as Experience;
  const clockSetBackAt = async () => different.setBackAt ?? 0;
  const sources = {
    ledger,
    accounts,
    experience,
    clockSetBackAt,
    signal: different.stop?.signal ?? signal,
  };
  const compared: Compared = different.compared ?? new Map();
  const evidence = await gather(job, SENT + 120_000, account, compared, sources);
  return { evidence, compared, asked };
}

describe("the list", () => {
  it("is read to its end, and no further than ten pages", async () => {
    const short = await gathered(numbered(250));
    expect([short.asked.pages, short.evidence.listTotal, short.evidence.list.length]).toEqual([3, 250, 250]);
    const long = await gathered(numbered(1_100));
    expect([long.asked.pages, long.evidence.listTotal, long.evidence.list.length]).toEqual([
      10, 1_100, 1_000,
    ]);
  });

  it("is read no further than to an empty page, whatever is said to come", async () => {
    const endless = await gathered(numbered(150), { isEndless: true });
    expect([endless.asked.pages, endless.evidence.list.length]).toEqual([3, 150]);
  });

  it("is read no further than to what is too old, where it goes back in time", async () => {
    const HOUR = 3_600_000;
    const back = await gathered(numbered(500, (index) => SENT - (index * HOUR) / 8));
    expect([back.asked.pages, back.evidence.listTotal]).toEqual([2, 500]);
    const last = 99;
    // To the very millisecond.
    const just = (age: number) => gathered(numbered(150, (index) => (index === last ? SENT - age : SENT)));
    expect((await just(13 * HOUR)).asked.pages).toBe(2);
    expect((await just(13 * HOUR + 1)).asked.pages).toBe(1);
    const forth = await gathered(numbered(250, (index) => SENT - 100 * HOUR + index));
    expect(forth.asked.pages).toBe(3);
    // What has no time of its own is in no order.
    const some = await gathered(numbered(250, (index) => (index % 2 ? null : SENT - 100 * HOUR - index)));
    expect(some.asked.pages).toBe(1);
  });

  it("lacks something where it shows fewer than it counts, or one twice", async () => {
    expect((await gathered(numbered(3), { total: 4 })).evidence.listTotal).toBeNull();
    const twice = [...numbered(3), { id: "r0", createdAt: null }];
    expect((await gathered(twice)).evidence.listTotal).toBeNull();
  });
});

describe("what a record shows", () => {
  it("counts at once, and is asked once for each", async () => {
    const { evidence, compared, asked } = await gathered(numbered(2));
    expect(evidence.list.map(({ likeness }) => likeness)).toEqual(["same", "same"]);
    expect(asked.compared).toEqual(["r0", "r1"]);
    const again = await gathered(numbered(2), { compared });
    expect(again.asked.compared).toEqual([]);
    expect(again.evidence.list.map(({ likeness }) => likeness)).toEqual(["same", "same"]);
    const other = await gathered(numbered(1), { duration: 8 });
    expect(other.evidence.list.map(({ likeness }) => likeness)).toEqual(["other"]);
  });

  it("is asked of twelve, first of those without a time, then of the newest", async () => {
    const shown = [...numbered(14, (index) => SENT + index), { id: "timeless", createdAt: null }];
    const { evidence, asked } = await gathered(shown);
    const newest = Array.from({ length: 11 }, (_, index) => `r${13 - index}`);
    expect(asked.compared).toEqual(["timeless", ...newest]);
    expect(evidence.list.filter(({ likeness }) => likeness === "possible").map(({ id }) => id)).toEqual([
      "r0",
      "r1",
      "r2",
    ]);
  });
});

describe("the numbers", () => {
  it.each([
    [10, 10, 10],
    [10.004, 10, 10],
    [null, 10, 10],
    [10, null, 10],
  ])("count where the statistics say %s tokens and the balance %s", async (tokens, balance, known) => {
    const { now } = (await gathered([], { numbers: { tokens }, balance })).evidence;
    expect(now).toMatchObject({ tokens: known, totals: { video: 1 }, failed: 0 });
  });

  it("are read anew for each look, however lately they were", async () => {
    expect((await gathered([])).asked.ages).toEqual([0, 0]);
  });

  it("are of another moment where the statistics say other tokens than the balance", async () => {
    const { now } = (await gathered([], { numbers: { tokens: 10.01 } })).evidence;
    expect(now).toMatchObject({ tokens: 10, totals: null, failed: null });
  });

  it.each([new NotFound(), new ServiceFailure()])(
    "are not waited for where they fail: %s",
    async (numbers) => {
      const { now } = (await gathered([], { numbers })).evidence;
      expect(now).toMatchObject({ tokens: 10, totals: null, failed: null });
    },
  );

  it("are read again where the service was not reached", async () => {
    await expect(gathered([], { numbers: new Network() })).rejects.toThrow(Network);
  });
});

const accepted = (serviceId: string) =>
  aJob({ serviceId, submittedAt: SENT - 2_000, acceptedAt: SENT - 1_000 });

describe("the service's clock", () => {
  it("is told by ours that the list shows", async () => {
    const shown = [{ id: "ours", createdAt: SENT + 7_000 }];
    const { evidence, asked } = await gathered(shown, { ours: [accepted("ours")], last: [accepted("last")] });
    expect(evidence.clock).toEqual({ least: 6_000, most: 11_000 });
    expect(evidence.list).toMatchObject([{ id: "ours", taken: true }]);
    expect(asked.clocks).toEqual([]);
  });

  it("is left untold where the process stops meanwhile, and nothing is judged", async () => {
    const stop = new AbortController();
    await expect(gathered([], { last: [accepted("last")], stop })).rejects.toThrow("It stops");
  });

  it("is told by the last two of ours that can be read where the list shows none", async () => {
    const last = ["deleted", "last", "older"].map(accepted);
    const readable = new Map([
      ["last", SENT + 7_000],
      ["older", SENT],
    ]);
    const { evidence, asked } = await gathered([], { last, readable });
    expect(asked.clocks).toEqual(["deleted", "last"]);
    // What people wait for goes first.
    expect(asked.calls).toEqual([{ signal }, { signal, background: true }, { signal, background: true }]);
    expect(evidence.clock).toEqual({ least: 6_000, most: 11_000 });
    expect((await gathered([], { last: [accepted("deleted")] })).evidence.clock).toBeUndefined();
  });

  it("is not told by what was sent before ours was set back", async () => {
    const ours = [accepted("ours")];
    const at = async (setBackAt: number) =>
      (await gathered([{ id: "ours", createdAt: SENT + 7_000 }], { ours, last: ours, setBackAt })).evidence;
    expect((await at(SENT - 2_000)).clock).toBeUndefined();
    expect((await at(SENT - 2_001)).clock).toEqual({ least: 6_000, most: 11_000 });
  });
});
