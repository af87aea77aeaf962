import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Account } from "../../../src/domain/accounts/accounts.ts";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { type Caps, type Partner, partnerUser } from "../../../src/seam/access/partners.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import { readConfig } from "../../../src/app/config.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { Groups } from "../../../src/domain/groups/groups.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { PartnerBook } from "../../../src/domain/partners/partner-book.ts";
import { People } from "../../../src/domain/people/people.ts";
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
  async accept(partner: string, username: string, request: string | null = null) {
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
      const { id } = await this.#gate.accept(asked, (within) => this.ledger.add(job, Date.now(), within));
      return { id };
    } catch (error) {
      if (!(error instanceof ReelayError)) throw error;
      return { code: error.code, ...error.params };
    }
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

const refused = (whose: string, period: string, max: number) => ({ code: "partner_cap", whose, period, max });

/** How many may begin in a moment, of 50 at most. */
const least = (of: Caps) => Math.min(of.day ?? 50, of.month ?? 50, of.atOnce ?? 50);

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
