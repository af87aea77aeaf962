import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { Authenticator } from "../../../src/domain/partners/authenticator.ts";
import { PartnerBook } from "../../../src/domain/partners/partner-book.ts";
import { TokenUses } from "../../../src/domain/partners/token-uses.ts";
import type { TokenMode } from "../../../src/seam/access/partners.ts";
import { makeToken } from "../../../src/domain/partners/tokens.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const NOW = Date.UTC(2026, 0, 30, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const shop = {
  id: "shop",
  name: "Shop",
  platform: "shop",
  createdAt: NOW,
  caps: {},
  userCaps: {},
  requestsPerMinute: 600,
};

/** A partner with a token that expires in a day and one that does not, and a clock that stands still. */
async function harness() {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  let time = NOW;
  const now = () => time;
  const book = new PartnerBook(database);
  const ending = makeToken("shop", { scopes: ["jobs:read"], expiresAt: NOW + DAY }, NOW);
  const lasting = makeToken("shop", { scopes: ["jobs:read"] }, NOW);
  await book.add({ partner: shop, tokens: [ending.stored, lasting.stored] });
  const uses = new TokenUses(database, now);
  const audit = await Audit.open(database, "digest");
  const log = makeLogger({ level: "silent" });
  const authenticator = (mode: TokenMode = "live") =>
    new Authenticator({ mode, book, uses, audit, log, now });
  return {
    book,
    audit,
    ending,
    lasting,
    authenticator,
    lastUse: () => uses.last("shop", lasting.stored.id),
    later: (ms: number) => void (time += ms),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe("a token", () => {
  it("opens the one side that it was made for, and neither when it is written as the other's", async () => {
    await using at = await harness();
    const { token, stored } = makeToken("shop", { scopes: ["jobs:read"], test: true }, NOW);
    await at.book.change("shop", (page) => ({ ...page, tokens: [...page.tokens, stored] }));
    const [live, test] = [at.authenticator(), at.authenticator("test")];
    expect(await live.authenticate(at.lasting.token)).toMatchObject({ partner: shop });
    expect(await test.authenticate(token)).toMatchObject({ token: { test: true } });
    expect(await test.authenticate(at.lasting.token)).toBeUndefined();
    expect(await live.authenticate(token)).toBeUndefined();
    for (const door of [live, test]) {
      expect(await door.authenticate(token.replace("rlytest_", "rly_"))).toBeUndefined();
      expect(await door.authenticate(at.lasting.token.replace("rly_", "rlytest_"))).toBeUndefined();
    }
  });

  it("is good until the moment when it expires, and then says so", async () => {
    await using at = await harness();
    const door = at.authenticator();
    const caller = await door.authenticate(at.ending.token);
    expect(caller).toMatchObject({ partner: shop, token: { expiresAt: NOW + DAY } });
    if (!caller) return;
    at.later(DAY - 1);
    expect(await door.authenticate(at.ending.token)).toEqual(caller);
    expect(await door.isGood(caller)).toBe(true);
    at.later(1);
    await expect(door.authenticate(at.ending.token)).rejects.toMatchObject({
      code: "token_expired",
      params: { at: NOW + DAY },
    });
    expect(await door.isGood(caller)).toBe(false);
    at.later(1000 * DAY);
    expect(await door.authenticate(at.lasting.token)).toBeDefined();
  });

  it("that has expired tells nobody so who does not have it", async () => {
    await using at = await harness();
    at.later(DAY);
    const wrong = `${at.ending.token.slice(0, -1)}${at.ending.token.endsWith("x") ? "y" : "x"}`;
    expect(await at.authenticator().authenticate(wrong)).toBeUndefined();
  });

  it("that has expired is written down where it is used, once a day", async () => {
    await using at = await harness();
    const door = at.authenticator();
    at.later(DAY);
    for (let count = 0; count < 3; count++) await door.authenticate(at.ending.token).catch(() => {});
    at.later(DAY);
    await door.authenticate(at.ending.token).catch(() => {});
    const lines = await at.audit.read({ limit: 10 });
    expect(lines.map(({ act, user, rule }) => [act, user, rule])).toEqual(
      Array.from({ length: 2 }, () => ["token_expired", "http:shop", at.ending.stored.id]),
    );
  });

  it("is good no more once it is revoked or its partner is gone, whoever does that", async () => {
    await using at = await harness();
    const door = at.authenticator();
    const caller = await door.authenticate(at.lasting.token);
    if (!caller) throw new Error("Nobody was let in.");
    expect(await door.isGood(caller)).toBe(true);
    await at.book.change("shop", (page) => ({ ...page, tokens: [] }));
    expect(await door.isGood(caller)).toBe(false);
    expect(await door.authenticate(at.lasting.token)).toBeUndefined();
    await at.book.remove("shop");
    expect(await door.isGood(caller)).toBe(false);
  });

  it("is known to be used, to the minute, with one write a minute", async () => {
    await using at = await harness();
    const door = at.authenticator();
    const use = async () => {
      await door.authenticate(at.lasting.token);
      // Nobody waits for what is written meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      return at.lastUse();
    };
    expect(await at.lastUse()).toBeUndefined();
    expect(await use()).toBe(NOW);
    at.later(MINUTE - 1);
    expect(await use()).toBe(NOW);
    at.later(1);
    expect(await use()).toBe(NOW + MINUTE);
  });
});
