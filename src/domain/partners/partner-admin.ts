import type { Account, SharedSource } from "../accounts/accounts.ts";
import { keySchema, putOwnKey } from "../people/own-key.ts";
import type { Audit, NewEntry } from "../audit/audit.ts";
import {
  type CapChanges,
  type Caps,
  type FreshToken,
  type Partner,
  type PartnerAdmin,
  type PartnerEntry,
  type PartnerSettings,
  partnerUser,
  partnerVersion,
  type TokenInfo,
  type TokenTerms,
} from "../../seam/access/partners.ts";
import { platformOf, type UserId } from "../../seam/values.ts";
import { ReelayError } from "../../common/errors.ts";
import { mayBeKey } from "../keys/watch.ts";
import { countJobs } from "../jobs/count.ts";
import type { Ledger } from "../jobs/ledger.ts";
import { checkValues } from "../operations/fields.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";
import { changesOf } from "./changes.ts";
import type { CountBegun, PartnerBook, PartnerPage } from "./partner-book.ts";
import type { TokenUses } from "./token-uses.ts";
import { infoOf, makeToken, type StoredToken } from "./tokens.ts";
import { currentTime } from "../../common/time.ts";

/** Requests a minute where nothing else is set: ten a second, many times what polling takes. */
const REQUESTS_PER_MINUTE = 600;

/** A key that the service takes, and whose it is to be. */
type ProvenKey = Pick<Account, "user" | "keyId">;

/** What partners are looked after with. */
export interface PartnerAdminParts {
  readonly book: PartnerBook;
  readonly uses: Pick<TokenUses, "last" | "forget">;
  readonly audit: Pick<Audit, "write">;
  readonly ledger: Ledger;
  readonly vault: Vault;
  readonly countBegun: CountBegun;
  /** Whose key pays for a user who has connected none. */
  readonly sharedFor: (user: UserId) => Promise<SharedSource | null>;
  /** Tries out at the service a key that is about to be stored, which costs nothing. */
  readonly tryOut: (user: UserId, key: string) => Promise<ProvenKey>;
  /** Erases what others keep about a user: files, events, webhooks. */
  readonly forget: (user: UserId) => Promise<void>;
  /** Has nothing of what was erased stay behind in the database's files; see `Traces`. */
  readonly wipe: () => Promise<void>;
  /** Whether there is somewhere for test tokens to lead. */
  readonly hasTestMode: boolean;
  /** Who looks after them: one of those who run Reelay. */
  readonly by: UserId;
}

/** Looks after partners for whoever runs Reelay. */
export class PartnerDesk implements PartnerAdmin {
  readonly #parts: PartnerAdminParts;

  constructor(parts: PartnerAdminParts) {
    this.#parts = parts;
  }

  async add(
    name: string,
    { key, scopes, expiresAt, test, ...settings }: Parameters<PartnerAdmin["add"]>[1],
  ): Promise<PartnerEntry & { readonly fresh: FreshToken }> {
    const { book } = this.#parts;
    this.#needTestMode({ test });
    // Nobody has it yet, so that what only looks like a key can be refused, too.
    if (await mayBeKey(this.#parts.vault.known, name))
      throw new ReelayError("key_in_words", { field: "name" });
    await this.#refuseKey(settings);
    const id = await book.freeId(name);
    const storeKey = key === undefined ? undefined : await this.#tryOut(id, key);
    const now = currentTime();
    const { token, stored } = makeToken(id, { scopes, expiresAt, test }, now);
    const usual: Partner = {
      id,
      name,
      platform: id,
      createdAt: now,
      caps: {},
      userCaps: {},
      requestsPerMinute: REQUESTS_PER_MINUTE,
    };
    const page = { partner: changed(usual, settings), tokens: [stored] };
    await book.add(page);
    await this.#write(id, { act: "partner_add" });
    await this.#write(id, { act: "token_add", rule: ruleOf(stored) });
    await storeKey?.();
    if (storeKey) await this.#write(id, { act: "partner_key" });
    return { ...(await this.#entryOf(page)), fresh: { token, info: infoOf(stored) } };
  }

  /** @throws ReelayError `test_mode_missing` for a token that would lead nowhere */
  #needTestMode({ test }: Pick<TokenTerms, "test">): void {
    if (test && !this.#parts.hasTestMode) throw new ReelayError("test_mode_missing");
  }

  /** What is told with each job is no known key. @throws ReelayError `key_in_words` */
  async #refuseKey({ platform = "" }: PartnerSettings): Promise<void> {
    if (await this.#parts.vault.known.findIn(platform))
      throw new ReelayError("key_in_words", { field: "platform" });
  }

  async list(): Promise<readonly PartnerEntry[]> {
    const pages = await this.#parts.book.list();
    return Promise.all(pages.map((page) => this.#entryOf(page)));
  }

  async set(name: string, settings: PartnerSettings, seen?: string): Promise<PartnerEntry> {
    await this.#refuseKey(settings);
    const page = await this.#parts.book.change(name, async (page, transaction) => {
      if (seen !== undefined && seen !== partnerVersion(page.partner))
        throw new ReelayError("changed_meanwhile");
      const partner = changed(page.partner, settings);
      const { caps, others } = changesOf(page.partner, partner);
      if (caps) await this.#write(partner.id, { act: "caps", rule: caps }, transaction);
      await this.#parts.countBegun(transaction, page.partner, partner);
      if (others) await this.#write(partner.id, { act: "partner_change", rule: others }, transaction);
      return { ...page, partner };
    });
    return this.#entryOf(page);
  }

  async setKey(name: string, key: string): Promise<PartnerEntry> {
    const page = await this.#parts.book.find(name);
    const storeKey = await this.#tryOut(page.partner.id, key);
    await storeKey().catch((error: unknown) => {
      const isNeeded = error instanceof ReelayError && error.code === "jobs_open";
      throw isNeeded ? stillOpen(page.partner, Number(error.params["count"])) : error;
    });
    await this.#write(page.partner.id, { act: "partner_key" });
    return this.#entryOf(page);
  }

  async addToken(name: string, terms: TokenTerms): Promise<FreshToken> {
    const { book } = this.#parts;
    this.#needTestMode(terms);
    const { partner } = await book.find(name);
    const { token, stored } = makeToken(partner.id, terms, currentTime());
    await book.change(partner.id, async (page, transaction) => {
      await this.#write(partner.id, { act: "token_add", rule: ruleOf(stored) }, transaction);
      return { ...page, tokens: [...page.tokens, stored] };
    });
    return { token, info: infoOf(stored) };
  }

  async rotateToken(name: string, token: string): Promise<FreshToken> {
    const { book, uses } = this.#parts;
    const { partner, tokens } = await book.find(name);
    const fresh = makeToken(partner.id, tokenIn({ partner, tokens }, token), currentTime());
    await book.change(partner.id, async (page, transaction) => {
      // Of two that renew one, one does.
      const old = tokenIn(page, token);
      await this.#write(partner.id, { act: "token_revoke", rule: token }, transaction);
      await this.#write(partner.id, { act: "token_add", rule: ruleOf(fresh.stored) }, transaction);
      return { ...page, tokens: page.tokens.map((one) => (one === old ? fresh.stored : one)) };
    });
    await uses.forget(partner.id, token);
    return { token: fresh.token, info: infoOf(fresh.stored) };
  }

  async revokeToken(name: string, token: string): Promise<void> {
    const { book, uses } = this.#parts;
    const { partner } = await book.change(name, async (page, transaction) => {
      const old = tokenIn(page, token);
      const tokens = page.tokens.filter((one) => one !== old);
      await this.#write(page.partner.id, { act: "token_revoke", rule: token }, transaction);
      return { ...page, tokens };
    });
    await uses.forget(partner.id, token);
  }

  async remove(name: string): Promise<void> {
    const { audit, book, by, forget, ledger, uses, vault, wipe } = this.#parts;
    const { tokens: revoked } = await book.find(name);
    // First nothing may begin any more, last the name goes: stopped half-way, it can be done again.
    const { partner } = await book.change(name, async ({ partner }, transaction) => {
      const count = await countJobs(transaction, { user: partnerUser(partner.id), goingOn: true });
      if (count > 0) throw stillOpen(partner, count);
      return { partner: { ...partner, caps: { atOnce: 0 } }, tokens: [] };
    });
    const user = partnerUser(partner.id);
    await forget(user);
    await ledger.forget(user);
    await vault.remove(user);
    for (const { id } of revoked) await uses.forget(partner.id, id);
    await book.remove(partner.id);
    await wipe();
    // Every other line has lost the name by now; this one says that it was done, and to whom.
    await audit.write({ act: "partner_remove", by, surface: platformOf(by), rule: user });
  }

  /** @returns stores a key that the service takes */
  async #tryOut(id: string, given: string): Promise<() => Promise<void>> {
    const { key } = checkValues(keySchema, { key: given });
    await this.#parts.vault.known.remember(key);
    const proven = await this.#parts.tryOut(partnerUser(id), key);
    return () => putOwnKey(this.#parts, proven, key);
  }

  async #entryOf({ partner, tokens }: PartnerPage): Promise<PartnerEntry> {
    const { uses } = this.#parts;
    const used = tokens.map(async (token) => {
      const lastUsedAt = (await uses.last(partner.id, token.id)) ?? null;
      return { ...infoOf(token), lastUsedAt };
    });
    return { partner, tokens: await Promise.all(used), paidBy: await this.#paidBy(partner) };
  }

  /** Writes down what was done about a partner, by whoever runs Reelay. */
  async #write(
    id: string,
    entry: Pick<NewEntry, "act" | "rule">,
    transaction?: Pick<Database, "kysely">,
  ): Promise<void> {
    const { audit, by } = this.#parts;
    await audit.write({ ...entry, user: partnerUser(id), by, surface: platformOf(by) }, transaction);
  }

  /** One with a key that cannot be read is paid for by nobody else. */
  async #paidBy({ id }: Partner): Promise<PartnerEntry["paidBy"]> {
    const { sharedFor, vault } = this.#parts;
    const user = partnerUser(id);
    try {
      return (await vault.get(user)) ? "own" : await sharedFor(user);
    } catch (error) {
      if (error instanceof ReelayError && error.code === "key_unreadable") return "unreadable";
      throw error;
    }
  }
}

/** @throws ReelayError `token_unknown` */
function tokenIn({ partner, tokens }: PartnerPage, id: string): StoredToken {
  const found = tokens.find((one) => one.id === id);
  if (!found) throw new ReelayError("token_unknown", { name: partner.id, token: id });
  return found;
}

/** What is written down of a token: its id and what it is good for, nothing that opens anything. */
function ruleOf({ id, scopes, expiresAt, test }: TokenInfo): string {
  const until = expiresAt === undefined ? [] : [`until ${new Date(expiresAt).toISOString()}`];
  return [id, ...(test ? ["test"] : []), scopes.join(","), ...until].join(" ");
}

function changed(
  { asksPeople, mature: hasMature, origins: before = [], ...partner }: Partner,
  { caps = {}, userCaps = {}, ...others }: PartnerSettings,
): Partner {
  const { platform = partner.platform, requestsPerMinute = partner.requestsPerMinute } = others;
  const { gates = asksPeople ? "asked" : "vouched", mature = hasMature, origins = before } = others;
  return {
    ...partner,
    platform,
    requestsPerMinute,
    caps: changedCaps(partner.caps, caps),
    userCaps: changedCaps(partner.userCaps, userCaps),
    ...(gates === "asked" && { asksPeople: true }),
    ...(mature && { mature: true }),
    ...(origins.length > 0 && { origins: [...new Set(origins)] }),
  };
}

function changedCaps(caps: Caps, changes: CapChanges): Caps {
  const given = Object.entries(changes).filter(([, max]) => max !== undefined);
  return Object.fromEntries(
    Object.entries({ ...caps, ...Object.fromEntries(given) }).filter(([, max]) => max !== null),
  );
}

/** What is said to whoever runs Reelay: the jobs are not theirs, so that none of their own commands shows them. */
function stillOpen({ id }: Pick<Partner, "id">, count: number): ReelayError {
  return new ReelayError("partner_jobs_open", { name: id, count });
}
