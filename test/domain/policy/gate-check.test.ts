import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Account } from "../../../src/domain/accounts/accounts.ts";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { type Partner, partnersPerson, partnerUser } from "../../../src/seam/access/partners.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import { readConfig } from "../../../src/app/config.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { Groups } from "../../../src/domain/groups/groups.ts";
import { PartnerBook } from "../../../src/domain/partners/partner-book.ts";
import { People, speakerFor } from "../../../src/domain/people/people.ts";
import { Blocks } from "../../../src/domain/policy/blocks.ts";
import { type Asked, Gate } from "../../../src/domain/policy/gate.ts";
import { NO_TRAITS } from "../../../src/domain/jobs/traits.ts";
import type { Moderated } from "../../../src/domain/policy/moderation/moderator.ts";
import type { ModerationVerdict } from "../../../src/domain/policy/moderation/verdict.ts";
import { UsageCounter } from "../../../src/domain/policy/usage-counter.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { aJob } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const SHOP = partnerUser("shop");
const ann: Origin = {
  platform: "telegram",
  user: "telegram:1",
  address: {},
  locale: "en",
  audience: "private",
};
const inGroup: Origin = { ...ann, chat: "telegram:-2", audience: "group", room: "r1" };
const ofShop: Origin = { ...ann, platform: "http", user: SHOP, audience: "partner" };
const wording = { text: "a lake", avoided: "blurry", photos: false, mature: false };
const stated: Origin = { ...ann, agreed: ["terms"] };

let database: Database;
let audit: Audit;
let blocks: Blocks;
let people: People;
let groups: Groups;
let book: PartnerBook;

beforeEach(async () => {
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  audit = await Audit.open(database, "digest");
  blocks = new Blocks(memory(database, "blocks"), []);
  people = new People(memory(database, "people"));
  groups = new Groups(memory(database, "groups"));
  book = new PartnerBook(database);
});
afterEach(() => database.close());

/** A gate with these settings, and what its moderator is shown. */
function gateWith(settings: Readonly<Record<string, string>> = {}, verdict?: ModerationVerdict) {
  const shown: Moderated[] = [];
  const gate = new Gate({
    policy: readConfig(settings).policy,
    database,
    people,
    groups,
    blocks,
    audit,
    inSandbox: false,
    reports: { isWithheld: async (id) => id === "withheld" },
    moderator: verdict && { examine: async (what) => (shown.push(what), verdict) },
    openMedia: async ({ id }) => Readable.from([id]),
  });
  return { gate, shown };
}

const asked = (origin: Origin, different: Partial<Asked> = {}): Asked => ({
  origin,
  account: { source: "own", keyId: "k" } as Account,
  tags: { platform: "shop", inAppUsername: "ann" },
  operation: { id: "video" },
  values: {},
  wording,
  pictures: [],
  known: NO_TRAITS,
  ...different,
});

const lines = async () =>
  (await audit.read({ limit: 100 })).toReversed().map(({ act, rule, user, username, chat, operation }) => ({
    act,
    rule,
    user,
    username,
    chat,
    operation,
  }));

const register = (different: Partial<Partner> = {}) =>
  book.add({
    partner: {
      id: "shop",
      name: "shop",
      platform: "shop",
      createdAt: 1,
      caps: {},
      userCaps: {},
      requestsPerMinute: 60,
      ...different,
    },
    tokens: [],
  });

describe("whoever comes", () => {
  it("is let in unless they are kept out, or others alone are invited", async () => {
    await expect(gateWith().gate.admit(ann)).resolves.toBeUndefined();
    const { gate } = gateWith({ REELAY_ALLOWED: "telegram:7" });
    await expect(gate.admit(ann)).rejects.toMatchObject({ code: "not_invited" });
    await blocks.add({ subject: ann.user, at: 1 });
    await expect(gate.admit(ann)).rejects.toMatchObject({ code: "blocked" });
  });

  it("makes what may be made there", async () => {
    const { gate } = gateWith({ REELAY_OPERATIONS_OFF: "faceswap" });
    await expect(gate.admitOperation(inGroup, "video")).resolves.toBeUndefined();
    await expect(gate.admitOperation(inGroup, "faceswap")).rejects.toMatchObject({
      code: "operation_off",
      params: { operation: "faceswap" },
    });
    await groups.update("telegram:-2", { rooms: ["r2"] });
    await expect(gate.admitOperation(inGroup, "video")).rejects.toMatchObject({ code: "room_not_allowed" });
    await expect(gate.admitOperation(ann, "video")).resolves.toBeUndefined();
  });
});

describe("a request", () => {
  it("is asked for statements, which count from then on and are written down once", async () => {
    const { gate } = gateWith();
    expect(await gate.check(asked(ann))).toEqual({ kind: "ask", statement: "terms" });
    expect(await gate.check(asked(stated))).toEqual({ kind: "allow" });
    expect(await gate.check(asked(stated))).toEqual({ kind: "allow" });
    expect(await gate.check(asked(ann))).toEqual({ kind: "allow" });
    expect((await lines()).map(({ act, rule }) => [act, rule])).toEqual([
      ["ask", "terms"],
      ["agree", "terms 1"],
    ]);
    expect(await people.of(ann.user)).toMatchObject({
      declared: { terms: { version: "1", surface: "telegram", at: expect.any(Number) } },
    });
  });

  it("is written down each time where something is said each time", async () => {
    const { gate } = gateWith();
    await gate.agree(ann, ["faces"]);
    await gate.agree(ann, ["faces"]);
    expect(await lines()).toHaveLength(2);
  });

  it("is refused with the rule and who asked where it is refused", async () => {
    const { gate } = gateWith({ REELAY_OPERATIONS_OFF: "video" });
    const origin = { ...inGroup, agreed: ["terms"] as const };
    expect(await gate.check(asked(origin))).toMatchObject({ kind: "refuse", code: "operation_off" });
    expect((await lines()).at(-1)).toEqual({
      act: "refuse",
      rule: "operation_off",
      user: ann.user,
      username: null,
      chat: "telegram:-2",
      operation: "video",
    });
  });

  it("is refused of whoever is kept out, not invited, and of what the group does not allow", async () => {
    await groups.update("telegram:-2", { operations: ["image"] });
    const origin = { ...inGroup, agreed: ["terms"] as const };
    expect(await gateWith().gate.check(asked(origin))).toMatchObject({ code: "operation_not_allowed" });
    expect(await gateWith({ REELAY_ALLOWED: "telegram:7" }).gate.check(asked(stated))).toMatchObject({
      code: "not_invited",
    });
    await blocks.add({ subject: ann.user, at: 1 });
    expect(await gateWith().gate.check(asked(stated))).toMatchObject({ code: "blocked" });
  });

  it("is refused where a cap of the day is reached", async () => {
    const { gate } = gateWith({ REELAY_DAILY_CAP: "1" });
    const account = { source: "operator", keyId: "k" } as Account;
    expect(await gate.check(asked(stated, { account }))).toEqual({ kind: "allow" });
    await new UsageCounter(database).begin([{ by: ann.user, payer: "operator", period: "day", max: 1 }], "j");
    expect(await gate.check(asked(stated, { account }))).toMatchObject({
      code: "daily_cap",
      params: { max: 1 },
    });
  });

  it("is refused for good, not until tomorrow, where nobody may use the key that others pay with", async () => {
    const account = { source: "operator", keyId: "k" } as Account;
    const { gate } = gateWith({ REELAY_DAILY_CAP: "0" });
    expect(await gate.check(asked(stated, { account }))).toMatchObject({
      code: "shared_key_off",
      params: {},
    });
    const { gate: none } = gateWith({ REELAY_CHAT_DAILY_CAP: "0" });
    const inRoom: Origin = { ...inGroup, agreed: ["terms"] };
    expect(await none.check(asked(inRoom, { account }))).toMatchObject({ code: "shared_key_off" });
  });

  it("needs a place for what is mature, in the words and in the pictures", async () => {
    const mature = { wording: { ...wording, mature: true } };
    const agreed: Origin = { ...ann, agreed: ["terms", "adult"] };
    expect(await gateWith().gate.check(asked(agreed, mature))).toMatchObject({ kind: "refuse" });
    const on = gateWith({ REELAY_MATURE: "on" }).gate;
    expect(await on.check(asked(agreed, mature))).toEqual({ kind: "allow" });
    expect(await on.hasMature(ann)).toBe(true);
    expect(await on.hasMature(inGroup)).toBe(false);
    expect(await on.hasMature(ofShop)).toBe(false);
    await register({ mature: true });
    expect(await on.hasMature(ofShop)).toBe(true);
    expect(await on.check(asked(ofShop, mature))).toEqual({ kind: "allow" });
    const known = { ...NO_TRAITS, mature: true };
    expect(await gateWith().gate.check(asked(agreed, { known }))).toMatchObject({ code: "mature_picture" });
  });
});

describe("a partner's person", () => {
  it("states nothing here unless their partner has them asked, and then each for themselves", async () => {
    await register();
    const { gate } = gateWith();
    expect(await gate.check(asked(ofShop))).toEqual({ kind: "allow" });
    expect(await gate.check(asked(ofShop, { wording: { ...wording, mature: true } }))).toMatchObject({
      kind: "refuse",
    });
    await book.change("shop", (page) => ({ ...page, partner: { ...page.partner, asksPeople: true } }));
    expect(await gate.check(asked(ofShop))).toEqual({ kind: "ask", statement: "terms" });
    expect(await gate.check(asked({ ...ofShop, agreed: ["terms"] }))).toEqual({ kind: "allow" });
    expect(await people.of(speakerFor(SHOP, "ann"))).toMatchObject({ declared: { terms: {} } });
    expect(await people.of(SHOP)).toEqual({});
    const ben = { platform: "shop", inAppUsername: "ben" };
    expect(await gate.check(asked(ofShop, { tags: ben }))).toMatchObject({ kind: "ask" });
    expect((await lines()).at(-2)).toMatchObject({ act: "agree", user: SHOP, username: "ann" });
    expect((await lines()).at(-1)).toMatchObject({ act: "ask", user: SHOP, username: "ben" });
  });

  it("is kept out by their name", async () => {
    await register();
    const { gate } = gateWith();
    await blocks.add({ subject: partnersPerson(SHOP, "ann"), at: 1, by: "partner" });
    expect(await gate.check(asked(ofShop))).toEqual({
      kind: "refuse",
      code: "user_blocked",
      params: { name: "ann" },
    });
    expect(await gate.check(asked(ofShop, { tags: { platform: "shop", inAppUsername: "ben" } }))).toEqual({
      kind: "allow",
    });
    // Of several reasons that of everybody there is told.
    await blocks.add({ subject: SHOP, at: 1 });
    expect(await gate.check(asked(ofShop))).toMatchObject({ code: "blocked" });
  });
});

describe("the operator's moderation", () => {
  const url = { REELAY_MODERATION_URL: "https://m.example/v1" };
  const flagged = { kind: "flagged", words: ["hate"], pictures: [], rest: { kind: "passed" } } as const;

  it("sees all words and pictures of what nothing else refuses", async () => {
    const pictures = [{ surface: "telegram", id: "p1" } as const];
    const { gate, shown } = gateWith(url, { kind: "passed" });
    expect(await gate.check(asked(stated, { pictures }))).toEqual({ kind: "allow" });
    const [one] = shown;
    expect(one?.text).toBe("a lake\nblurry");
    expect(await (await one?.pictures[0]?.())?.toArray()).toEqual(["p1"]);
    await gate.check(asked(stated, { wording: { ...wording, avoided: "" } }));
    expect(shown[1]).toMatchObject({ text: "a lake", pictures: [] });
    await gate.check(asked({ ...stated, user: "telegram:9", agreed: [] }));
    expect(shown).toHaveLength(2);
  });

  it("refuses what it flags, and is written down", async () => {
    const { gate } = gateWith(url, flagged);
    expect(await gate.check(asked(stated))).toEqual({
      kind: "refuse",
      code: "moderation_refused",
      params: { categories: "hate" },
    });
    expect((await lines()).at(-1)).toMatchObject({ act: "refuse", rule: "moderation_refused" });
  });

  it("is asked nothing where it is not set", async () => {
    expect(await gateWith({}, flagged).gate.check(asked(stated))).toEqual({ kind: "allow" });
  });

  it("lets pass in an outage what the operator lets pass", async () => {
    const down = { kind: "down" } as const;
    expect(await gateWith(url, down).gate.check(asked(stated))).toMatchObject({ code: "moderation_down" });
    const open = { ...url, REELAY_MODERATION_DOWN: "open" };
    expect(await gateWith(open, down).gate.check(asked(stated))).toEqual({ kind: "allow" });
  });
});

describe("what begins", () => {
  const cost = { price: null, dearest: 105.6 };
  const job = aJob();

  it("is written down with its job, within what writes it", async () => {
    const { gate } = gateWith();
    const accepted = await gate.accept(asked(stated), cost, async (within) => {
      await within(database, job);
      return job;
    });
    expect(accepted).toEqual({ job, warnings: [] });
    expect(await audit.read({ limit: 1 })).toMatchObject([{ act: "allow", job: job.id, rule: null }]);
  });

  it("is refused in the audit where it could not begin, but for a second press and our own mistakes", async () => {
    const { gate } = gateWith();
    const failing = (error: Error) =>
      gate.accept(asked(stated), cost, async () => {
        throw error;
      });
    await expect(failing(new ReelayError("daily_cap"))).rejects.toThrow("daily_cap");
    expect((await lines()).map(({ act, rule }) => [act, rule])).toEqual([["refuse", "daily_cap"]]);
    await expect(failing(new ReelayError("already_begun"))).rejects.toThrow("already_begun");
    await expect(failing(new Error("broken"))).rejects.toThrow("broken");
    expect(await lines()).toHaveLength(1);
  });

  it("counts under the caps of whoever asks", async () => {
    const { gate } = gateWith({ REELAY_DAILY_CAP: "1" });
    const account = { source: "operator", keyId: "k" } as Account;
    const begin = () =>
      gate.accept(asked(stated, { account }), cost, async (within) => {
        await within(database, job);
        return job;
      });
    await begin();
    await expect(begin()).rejects.toMatchObject({ code: "daily_cap" });
  });
});

describe("a result", () => {
  it.each([
    ["mature", true, true],
    ["mature", false, false],
    ["always", false, true],
    ["never", true, false],
  ])("is covered as the operator says: %s, mature %s", async (setting, mature, spoiler) => {
    const { gate } = gateWith({ REELAY_SPOILER: setting });
    expect(await gate.release({ id: "j", mature })).toEqual({ kind: "deliver", spoiler });
    expect(await gate.release({ id: "withheld", mature })).toEqual({ kind: "withheld" });
  });
});
