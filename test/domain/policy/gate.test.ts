import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Account } from "../../../src/domain/accounts/accounts.ts";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { type Caps, type Partner, partnerUser, usernameNamed } from "../../../src/seam/access/partners.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import { readConfig } from "../../../src/app/config.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { Groups } from "../../../src/domain/groups/groups.ts";
import { Ledger, type Within } from "../../../src/domain/jobs/ledger.ts";
import { PartnerBook } from "../../../src/domain/partners/partner-book.ts";
import { People } from "../../../src/domain/people/people.ts";
import { partnerStates } from "../../../src/domain/policy/budgets.ts";
import { Blocks } from "../../../src/domain/policy/blocks.ts";
import { Gate } from "../../../src/domain/policy/gate.ts";
import { NO_TRAITS } from "../../../src/domain/jobs/traits.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { aRequest } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

/** The partner's own key pays: their caps hold all the same. */
const account = { source: "own", keyId: "k1" } as Account;

const wording = { text: "", avoided: "", photos: false, mature: false };

/** A process that accepts jobs for partners. */
class Till implements AsyncDisposable {
  readonly ledger: Ledger;
  readonly book: PartnerBook;
  readonly #gate: Gate;
  readonly #database: Database;

  private constructor(database: Database, audit: Audit) {
    this.#database = database;
    this.ledger = new Ledger(database, "one");
    this.book = new PartnerBook(database);
    this.#gate = new Gate({
      policy: readConfig({}).policy,
      database,
      people: new People(memory(database, "people")),
      groups: new Groups(memory(database, "groups")),
      blocks: new Blocks(memory(database, "blocks"), []),
      audit,
      inSandbox: false,
      reports: { isWithheld: async () => false },
      moderator: undefined,
      openMedia: () => Promise.reject(new Error("no pictures")),
    });
  }

  static async open(path: string): Promise<Till> {
    const database = await openDatabase(path);
    return new Till(database, await Audit.open(database, "digest"));
  }

  async addPartner(id: string, caps: Caps, userCaps: Caps = {}): Promise<void> {
    const partner: Partner = {
      id,
      name: id,
      platform: id,
      createdAt: 1,
      caps,
      userCaps,
      requestsPerMinute: 60,
    };
    await this.book.add({ partner, tokens: [] });
  }

  /** @returns the job's id, or what refused it */
  async accept(
    partner: string,
    username: string,
    request: string | null = null,
    price: number | null = null,
  ) {
    const user = partnerUser(partner);
    const origin: Origin = { platform: "http", user, address: {}, locale: "en", audience: "partner" };
    const tags = { platform: partner, inAppUsername: username };
    try {
      const asked = {
        origin,
        account,
        tags,
        operation: { id: "video" },
        values: {},
        wording,
        pictures: [],
        known: NO_TRAITS,
      };
      const job = aRequest({ user, tags, request });
      const write = (within: Within) => this.ledger.add(job, Date.now(), within);
      const accepted = await this.#gate.accept(asked, { price, dearest: 105.6 }, write);
      return { id: accepted.job.id };
    } catch (error) {
      if (!(error instanceof ReelayError)) throw error;
      return { code: error.code, ...error.params };
    }
  }

  async set(id: string, caps: Caps): Promise<void> {
    await this.book.change(id, (page) => ({ ...page, partner: { ...page.partner, caps } }));
  }

  /** Tokens of the day that were spent by some of a partner's people, and by all together. */
  async spent(partner: string, names: readonly string[]): Promise<readonly number[]> {
    const of = async (name: string) =>
      (await partnerStates(this.#database, partnerUser(partner), name, Date.now(), false)).map(
        ({ spent }) => spent,
      );
    const each = await Promise.all(names.map(async (name) => (await of(name))[0] ?? Number.NaN));
    return [...each, (await of(names[0] ?? ""))[1] ?? Number.NaN];
  }

  async end(id: string): Promise<void> {
    const job = await this.ledger.find(id);
    if (!job) throw new Error("There is no such job.");
    const cancelled = await this.ledger.apply(job, { type: "cancelled", at: Date.now() });
    const delivering = await this.ledger.apply(cancelled, { type: "delivering" });
    await this.ledger.apply(delivering, { type: "delivered", at: Date.now() });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database.close();
  }
}

const refused = (whose: string, period: string, max: number) =>
  period === "at_once"
    ? { code: "partner_cap", whose, period, max }
    : { code: "partner_period_cap", whose, period, max, until: expect.any(Number) };

/** How many may begin in a moment, of 50 at most. */
const least = (of: Caps) => Math.min(of.day ?? 50, of.month ?? 50, of.atOnce ?? 50);

const spentUp = (whose: string, during: string, budget: number, spent: number) => ({
  code: "budget_spent",
  whose,
  during,
  budget,
  spent,
  until: expect.any(Number),
});

describe("a partner's budgets", () => {
  let till: Till;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2030, 0, 30, 12) });
    till = await Till.open(join(temporaryFolder(), "reelay.db"));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await till[Symbol.asyncDispose]();
  });

  const begin = (name: string, price: number | null) => till.accept("shop", name, null, price);

  it("hold for each of their people and for all together, and free what was cancelled", async () => {
    await till.addPartner("shop", { dayTokens: 25, monthTokens: 40 }, { dayTokens: 20 });
    await begin("ann", 15);
    expect(await begin("ann", 10)).toEqual(spentUp("user", "day", 20, 15));
    const ben = await begin("ben", 10);
    expect(await begin("cat", 0.01)).toEqual(spentUp("partner", "day", 25, 25));
    if ("id" in ben) await till.end(ben.id);
    expect(await begin("cat", 10.01)).toEqual(spentUp("partner", "day", 25, 15));
    expect(await begin("cat", 10)).toHaveProperty("id");
    vi.setSystemTime(Date.UTC(2030, 0, 31));
    expect(await begin("ann", 15.01)).toEqual(spentUp("partner", "month", 40, 25));
    vi.setSystemTime(Date.UTC(2030, 1, 1));
    expect(await begin("ann", 15.01)).toHaveProperty("id");
  });

  it("hold for a person however the name is written", async () => {
    await till.addPartner("shop", {}, { dayTokens: 10 });
    await begin("Zo\u00e9".normalize("NFC"), 10);
    // The door of the gateway makes one name of both forms; see `inAppUsername`.
    expect(await begin(usernameNamed("Zoe\u0301"), 1)).toEqual(spentUp("user", "day", 10, 10));
  });

  it("take all that is left for a price that nobody knows", async () => {
    await till.addPartner("shop", { dayTokens: 25 });
    const first = await begin("ann", null);
    expect(await begin("ann", null)).toEqual({ code: "budget_reserved", whose: "partner", during: "day" });
    if ("id" in first) await till.end(first.id);
    expect(await begin("ann", 25)).toHaveProperty("id");
  });

  it("let through as much as is covered of 40 at once, whatever each costs", async () => {
    await till.addPartner("shop", { dayTokens: 99.99 }, { dayTokens: 50 });
    const asked = Array.from({ length: 40 }, (_, nth) => ({ nth, price: (nth % 7) + 0.37 }));
    const answers = await Promise.all(
      asked.map(({ nth, price }) => till.accept("shop", nth % 3 ? "ann" : "ben", null, price)),
    );
    const of = (name: string) =>
      asked
        .filter(
          ({ nth }) => "id" in (answers[nth] ?? {}) && (name === "" || (nth % 3 ? "ann" : "ben") === name),
        )
        .reduce((sum, { price }) => sum + Math.round(price * 100), 0) / 100;
    const states = await till.spent("shop", ["ann", "ben"]);
    expect(states).toEqual([of("ann"), of("ben"), of("")]);
    expect(of("")).toBeLessThanOrEqual(99.99);
    expect(Math.max(of("ann"), of("ben"))).toBeLessThanOrEqual(50);
    // Whatever was refused would not have been covered by then, nor would be now.
    const left = 99.99 - of("");
    const refusedOnes = asked.filter(({ nth }) => "code" in (answers[nth] ?? {}));
    const covered = refusedOnes.filter(
      ({ nth, price }) => price <= left && price + of(nth % 3 ? "ann" : "ben") <= 50,
    );
    expect(covered.map(({ nth }) => answers[nth])).toEqual([]);
  });

  it("change at once, also below what is spent", async () => {
    await till.addPartner("shop", { dayTokens: 10 });
    await begin("ann", 10);
    expect(await begin("ann", 1)).toEqual(spentUp("partner", "day", 10, 10));
    await till.set("shop", { dayTokens: 11 });
    expect(await begin("ann", 1)).toHaveProperty("id");
    await till.set("shop", { dayTokens: 5 });
    expect(await begin("ann", 1)).toEqual(spentUp("partner", "day", 5, 11));
    await till.set("shop", {});
    expect(await begin("ann", 1)).toHaveProperty("id");
  });
});

describe("a partner's caps", () => {
  let till: Till;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2030, 0, 30, 12) });
    till = await Till.open(join(temporaryFolder(), "reelay.db"));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await till[Symbol.asyncDispose]();
  });

  const accepted = { id: expect.any(String) };

  it("hold for a day, whoever of their users asks", async () => {
    await till.addPartner("shop", { day: 2 });
    expect(await till.accept("shop", "ann")).toEqual(accepted);
    expect(await till.accept("shop", "ben")).toEqual(accepted);
    expect(await till.accept("shop", "cat")).toEqual(refused("partner", "day", 2));
    vi.setSystemTime(Date.UTC(2030, 0, 31));
    expect(await till.accept("shop", "cat")).toEqual(accepted);
  });

  it("hold for a month over all its days, and are another partner's business in no way", async () => {
    await till.addPartner("shop", { month: 2 });
    await till.addPartner("club", { month: 1 });
    await till.accept("shop", "ann");
    vi.setSystemTime(Date.UTC(2030, 0, 31));
    await till.accept("shop", "ann");
    expect(await till.accept("shop", "ann")).toEqual(refused("partner", "month", 2));
    expect(await till.accept("club", "ann")).toEqual(accepted);
    vi.setSystemTime(Date.UTC(2030, 1, 1));
    expect(await till.accept("shop", "ann")).toEqual(accepted);
  });

  it("hold at once until a job has ended and was told", async () => {
    await till.addPartner("shop", { atOnce: 1 });
    const first = await till.accept("shop", "ann");
    expect(await till.accept("shop", "ben")).toEqual(refused("partner", "at_once", 1));
    await till.end(String("id" in first && first.id));
    expect(await till.accept("shop", "ben")).toEqual(accepted);
  });

  it("hold for each of their users apart", async () => {
    await till.addPartner("shop", { day: 10 }, { day: 2, month: 3, atOnce: 1 });
    const first = await till.accept("shop", "ann");
    expect(await till.accept("shop", "ann")).toEqual(refused("user", "at_once", 1));
    expect(await till.accept("shop", "ben")).toEqual(accepted);
    await till.end(String("id" in first && first.id));
    const second = await till.accept("shop", "ann");
    await till.end(String("id" in second && second.id));
    expect(await till.accept("shop", "ann")).toEqual(refused("user", "day", 2));
  });

  it("let nothing begin at 0, and count nothing that was refused", async () => {
    await till.addPartner("shop", { day: 1 }, { atOnce: 0 });
    expect(await till.accept("shop", "ann")).toEqual(refused("user", "at_once", 0));
    await till.book.change("shop", (page) => ({ ...page, partner: { ...page.partner, userCaps: {} } }));
    expect(await till.accept("shop", "ann")).toEqual(accepted);
    expect(await till.accept("shop", "ann")).toEqual(refused("partner", "day", 1));
  });

  it("count a request that is repeated once", async () => {
    await till.addPartner("shop", { day: 2, atOnce: 2 });
    const first = await till.accept("shop", "ann", "http:shop:1");
    for (let nth = 0; nth < 3; nth++) expect(await till.accept("shop", "ann", "http:shop:1")).toEqual(first);
    expect(await till.accept("shop", "ann", "http:shop:2")).toEqual(accepted);
    expect(await till.accept("shop", "ann", "http:shop:3")).toMatchObject({ code: "partner_cap" });
  });

  it("let nobody in who is no partner any more", async () => {
    expect(await till.accept("shop", "ann")).toEqual({ code: "not_invited" });
  });

  it("are never exceeded, however many submit at the same moment", async () => {
    let nth = 0;
    const some = fc.option(fc.nat({ max: 12 }), { nil: undefined });
    const someCaps = fc.record({ day: some, month: some, atOnce: some });
    const names = fc.array(fc.constantFrom("ann", "ben", "cat"), { minLength: 1, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(someCaps, someCaps, names, async (caps, userCaps, asking) => {
        const id = `p${(nth += 1)}`;
        await till.addPartner(id, caps, userCaps);
        const answers = await Promise.all(asking.map((name) => till.accept(id, name)));
        const begun = asking.filter((_, index) => "id" in (answers[index] ?? {}));
        const mayBegin = (name: string) =>
          Math.min(least(userCaps), asking.filter((one) => one === name).length);
        const users = [...new Set(asking)];
        for (const name of users)
          expect(begun.filter((one) => one === name).length).toBeLessThanOrEqual(mayBegin(name));
        // As many as may: none is refused for nothing.
        const wanted = users.reduce((sum, name) => sum + mayBegin(name), 0);
        expect(begun).toHaveLength(Math.min(least(caps), wanted));
        expect(await till.ledger.count({ user: partnerUser(id), goingOn: true })).toBe(begun.length);
      }),
      { numRuns: 25 },
    );
  });
});
