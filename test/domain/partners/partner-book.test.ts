import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as fc from "fast-check";
import { type Partner, SCOPES } from "../../../src/seam/access/partners.ts";
import { PartnerBook } from "../../../src/domain/partners/partner-book.ts";
import { makeToken } from "../../../src/domain/partners/tokens.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const shop: Partner = {
  id: "my-shop",
  name: "My Shop",
  platform: "shop",
  createdAt: 1,
  caps: { day: 5 },
  userCaps: {},
  requestsPerMinute: 60,
};

describe("the book of partners", () => {
  let path: string;
  let database: Database;
  let book: PartnerBook;
  beforeEach(async () => {
    path = join(temporaryFolder(), "reelay.db");
    database = await openDatabase(path);
    book = new PartnerBook(database);
  });
  afterEach(() => database.close());

  /** A partner with one token, which is returned. */
  async function added(partner = shop) {
    const { token, stored } = makeToken(partner.id, { scopes: ["jobs:read"] }, 2);
    await book.add({ partner, tokens: [stored] });
    return { token, id: stored.id };
  }

  it("knows whose a token is and what it may do", async () => {
    const { token, id } = await added();
    expect(token).toMatch(/^rly_my-shop_[0-9a-f]{8}_[\w-]{43}$/);
    expect(await book.authenticate(token)).toEqual({
      partner: shop,
      token: { id, scopes: ["jobs:read"], createdAt: 2 },
    });
    expect(await book.ofUser("http:my-shop")).toEqual(shop);
  });

  it("keeps nothing that a token could be made of", async () => {
    const { token } = await added();
    const rows = JSON.stringify(await database.kysely.selectFrom("kv").selectAll().execute());
    expect(rows).toContain("my-shop");
    // The secret itself may have underscores.
    expect(rows).not.toContain(token.slice(-43));
  });

  it("takes no other token, however alike", async () => {
    const { token } = await added();
    const other = { ...shop, id: "other" };
    const { token: others } = await added(other);
    const wrong = [
      "",
      token.slice(0, -1),
      `${token}A`,
      ` ${token}`,
      token.toUpperCase(),
      token.replace("my-shop", "other"),
      token.replace("my-shop", "nobody"),
      others.slice(0, -43) + token.slice(-43),
      token.replace(/_[0-9a-f]{8}_/, "_00000000_"),
    ];
    for (const one of wrong) expect(await book.authenticate(one), one).toBeUndefined();
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 42 }),
        fc.constantFrom("A", "Z", "a", "z", "0", "9", "-", "_"),
        async (at, letter) => {
          const place = token.length - 43 + at;
          const changed = token.slice(0, place) + letter + token.slice(place + 1);
          expect((await book.authenticate(changed)) !== undefined).toBe(changed === token);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("hears at once what another process revokes", async () => {
    const { token, id } = await added();
    const elsewhere = await openDatabase(path);
    await new PartnerBook(elsewhere).change("My Shop", (page) => ({ ...page, tokens: [] }));
    await elsewhere.close();
    expect(await book.authenticate(token)).toBeUndefined();
    expect((await book.find("my-shop")).tokens.map((one) => one.id)).not.toContain(id);
  });

  it("loses no change of several at the same moment", async () => {
    await added();
    const tokens = Array.from({ length: 8 }, () => makeToken(shop.id, { scopes: SCOPES }, 3).stored);
    await Promise.all(
      tokens.map((stored) => book.change(shop.id, (page) => ({ ...page, tokens: [...page.tokens, stored] }))),
    );
    expect((await book.find(shop.id)).tokens).toHaveLength(9);
  });

  it.each([
    ["My Shop", "my-shop"],
    ["  Café №1!  ", "cafe-no1"],
    ["A".repeat(80), "a".repeat(40)],
    [`${"a".repeat(39)} b`, "a".repeat(39)],
  ])("makes an id of the name %j", async (name, id) => {
    expect(await book.freeId(name)).toBe(id);
  });

  it("adds nobody twice, and nobody without an id", async () => {
    await added();
    for (const name of ["My Shop", "my shop", "MY-SHOP"])
      await expect(book.freeId(name)).rejects.toMatchObject({ code: "partner_exists" });
    await expect(book.add({ partner: shop, tokens: [] })).rejects.toMatchObject({ code: "partner_exists" });
    await expect(book.freeId("日本")).rejects.toMatchObject({ code: "partner_name" });
    await expect(book.find("nobody")).rejects.toMatchObject({ code: "partner_unknown" });
  });
});
