import { ReelayError } from "../../common/errors.ts";
import { UNSEEN } from "../../common/unseen.ts";
import { currentTime } from "../../common/time.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { exclusive } from "../../infrastructure/storage/exclusive.ts";
import type { KnownKeys } from "../../infrastructure/vault/known-keys.ts";
import {
  LINK_MS,
  MAX_OPERATOR_NAME,
  type OperatorEntry,
  type OperatorLink,
  type OperatorRole,
  type Operators,
  TERMINAL_OWNER,
} from "../../seam/access/operators.ts";
import { platformOf, type UserId } from "../../seam/values.ts";
import type { Audit, NewEntry } from "../audit/audit.ts";
import { mayBeKey } from "../keys/watch.ts";
import { isSecret, makeLink, makeOperatorId, NO_LINK, readLink } from "./links.ts";
import { may } from "./roles.ts";

/** How exactly it is known when somebody was here, in milliseconds. */
const SEEN_EVERY_MS = 60_000;

/** Whoever has the terminal: in no row, so that no change of one takes them away. */
const OWNER: OperatorEntry = {
  id: TERMINAL_OWNER,
  role: "owner",
  name: null,
  invitedAt: null,
  invitedBy: null,
  seenAt: null,
  removedAt: null,
  linkUntil: null,
};

/** What those who run Reelay are kept with. */
export interface OperatorBookParts {
  readonly database: Pick<Database, "kysely" | "reads" | "bell">;
  readonly audit: Pick<Audit, "write">;
  readonly known: Pick<KnownKeys, "findIn">;
  /** Whether the page asks who comes; where it does not, anybody there is {@link TERMINAL_OWNER}. */
  readonly asksLogin: boolean;
}

/** Those who run Reelay, in the database: what one process changes holds in every other. */
export class OperatorBook implements Operators {
  readonly #parts: OperatorBookParts;
  readonly #listeners = new Set<() => void>();
  readonly may = may;

  constructor(parts: OperatorBookParts) {
    this.#parts = parts;
  }

  async find(id: UserId): Promise<OperatorEntry | undefined> {
    return (await this.#current()).find((one) => one.id === id);
  }

  async list(): Promise<readonly OperatorEntry[]> {
    const { kysely, reads } = this.#parts.database;
    const invited = await reads.get("operators", "all", async () =>
      (await kysely.selectFrom("operators").selectAll().orderBy("invited_at").orderBy("id").execute()).map(
        entryOf,
      ),
    );
    return [OWNER, ...invited];
  }

  async named(who: string): Promise<OperatorEntry> {
    const found = (await this.#current()).find(({ id, name }) => id === who || same(name, who));
    if (!found) throw new ReelayError("operator_unknown", { name: who });
    return found;
  }

  async invite(role: OperatorRole, by: UserId): Promise<OperatorLink> {
    this.#refuseOpenPage();
    const id = makeOperatorId();
    const { token, link } = makeLink(id, currentTime() + LINK_MS);
    const row = { id, role, name: null, invited_at: currentTime(), invited_by: by, ...link };
    return this.#change(by, true, async (within) => {
      await within.insertInto("operators").values(row).execute();
      await this.#write(within, by, { act: "operator_invite", rule: `${id} ${role}` });
      return { operator: await this.#row(within, id), token };
    });
  }

  async link(id: UserId, by: UserId): Promise<OperatorLink> {
    this.#refuseOpenPage();
    const { token, link } = makeLink(id, currentTime() + LINK_MS);
    return this.#change(by, id !== by, async (within) => {
      await this.#row(within, id);
      await within.updateTable("operators").set(link).where("id", "=", id).execute();
      await this.#write(within, by, { act: "operator_link", rule: id });
      return { operator: await this.#row(within, id), token };
    });
  }

  async enter(token: string, name: string | undefined): Promise<OperatorEntry> {
    // Before anything is said of a name: a link that is over needs none.
    await openedBy(this.#parts.database.kysely, token);
    const chosen = name === undefined ? undefined : await this.#checkedName(name);
    return this.#alone(async (within) => {
      const row = await openedBy(within, token);
      const id = row.id as UserId;
      const called = row.name ?? chosen;
      if (called === undefined) throw new ReelayError("operator_name", { max: MAX_OPERATOR_NAME });
      if (row.name === null) await refuseTaken(within, called);
      const entered = { name: called, seen_at: currentTime(), ...NO_LINK };
      await within.updateTable("operators").set(entered).where("id", "=", id).execute();
      await this.#write(within, id, { act: "operator_enter" });
      return this.#row(within, id);
    });
  }

  async setRole(
    id: UserId,
    { from, to }: { readonly from: OperatorRole; readonly to: OperatorRole },
    by: UserId,
  ): Promise<OperatorEntry> {
    return this.#change(by, true, async (within) => {
      const { role } = await this.#row(within, id);
      if (role !== from) throw new ReelayError("changed_meanwhile");
      await within.updateTable("operators").set({ role: to }).where("id", "=", id).execute();
      await this.#write(within, by, { act: "operator_role", rule: `${id} ${from} → ${to}` });
      return this.#row(within, id);
    });
  }

  async remove(id: UserId, by: UserId): Promise<void> {
    await this.#change(by, true, async (within) => {
      await this.#row(within, id);
      const gone = { removed_at: currentTime(), ...NO_LINK };
      await within.updateTable("operators").set(gone).where("id", "=", id).execute();
      await this.#write(within, by, { act: "operator_remove", rule: id });
    });
  }

  async signOut(id: UserId, by: UserId): Promise<void> {
    await this.#change(by, true, async (within) => {
      // Whoever has the terminal comes in again by it.
      if (id !== TERMINAL_OWNER) await this.#row(within, id);
      await this.#write(within, by, { act: "operator_sign_out", rule: id });
    });
  }

  async seen({ id, seenAt }: OperatorEntry): Promise<void> {
    const now = currentTime();
    if (id === TERMINAL_OWNER || Math.abs(now - (seenAt ?? 0)) < SEEN_EVERY_MS) return;
    const { kysely } = this.#parts.database;
    await kysely.updateTable("operators").set({ seen_at: now }).where("id", "=", id).execute();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    const deaf = this.#parts.database.bell.on("operators", listener);
    return () => {
      this.#listeners.delete(listener);
      deaf();
    };
  }

  async #current(): Promise<readonly OperatorEntry[]> {
    return (await this.list()).filter(({ removedAt }) => removedAt === null);
  }

  /** A link would lead to a page that lets in whoever reaches it, and asks nobody's role. */
  #refuseOpenPage(): void {
    if (!this.#parts.asksLogin) throw new ReelayError("no_login");
  }

  /** @throws ReelayError `operator_name`, `key_in_words` */
  async #checkedName(given: string): Promise<string> {
    const name = given.normalize("NFC").trim();
    const isName = name !== "" && name.length <= MAX_OPERATOR_NAME && !UNSEEN.test(name);
    if (!isName) throw new ReelayError("operator_name", { max: MAX_OPERATOR_NAME });
    if (await mayBeKey(this.#parts.known, name)) throw new ReelayError("key_in_words", { field: "name" });
    return name;
  }

  /**
   * Changes something about those who run Reelay, in one step with whatever the change reads.
   * @param by who does it
   * @param manages whether only who may say who is an operator may do it
   */
  async #change<T>(
    by: UserId,
    manages: boolean,
    work: (within: Database["kysely"]) => Promise<T>,
  ): Promise<T> {
    const done = await this.#alone(async (within) => {
      // Asked here, too: they may have been removed since their request was let in.
      if (manages && !may((await this.#actor(within, by)).role, "manage-operators"))
        throw new ReelayError("role_may_not");
      return work(within);
    });
    for (const listener of this.#listeners) listener();
    this.#parts.database.bell.ring("operators", "");
    return done;
  }

  #alone<T>(work: (within: Database["kysely"]) => Promise<T>): Promise<T> {
    return exclusive(this.#parts.database.kysely, ["operators"], work);
  }

  /** @throws ReelayError `role_may_not` for whoever is none of them any more */
  async #actor(within: Database["kysely"], by: UserId): Promise<OperatorEntry> {
    if (by === TERMINAL_OWNER || platformOf(by) === "cli") return OWNER;
    const row = await rowsIn(within).where("id", "=", by).executeTakeFirst();
    if (!row) throw new ReelayError("role_may_not");
    return entryOf(row);
  }

  /** @throws ReelayError `operator_unknown`, `terminal_owner` */
  async #row(within: Database["kysely"], id: UserId): Promise<OperatorEntry> {
    if (id === TERMINAL_OWNER) throw new ReelayError("terminal_owner");
    const row = await rowsIn(within).where("id", "=", id).executeTakeFirst();
    if (!row) throw new ReelayError("operator_unknown", { name: id });
    return entryOf(row);
  }

  #write(within: Database["kysely"], user: UserId, entry: Pick<NewEntry, "act" | "rule">): Promise<void> {
    return this.#parts.audit.write({ ...entry, user, surface: platformOf(user) }, { kysely: within });
  }
}

/** Those who were not removed. */
const rowsIn = (db: Database["kysely"]) =>
  db.selectFrom("operators").selectAll().where("removed_at", "is", null);

type Row = Awaited<ReturnType<ReturnType<typeof rowsIn>["executeTakeFirstOrThrow"]>>;

/** Whom a link lets in. @throws ReelayError `link_over` */
async function openedBy(db: Database["kysely"], token: string): Promise<Row> {
  const { id, secret } = readLink(token);
  const row = await rowsIn(db).where("id", "=", id).executeTakeFirst();
  const isGood = isSecret(secret, row?.link_digest) && (row?.link_until ?? 0) > currentTime();
  if (!row || !isGood) throw new ReelayError("link_over");
  return row;
}

function entryOf(row: Row): OperatorEntry {
  return {
    id: row.id as UserId,
    role: row.role as OperatorRole,
    name: row.name,
    invitedAt: row.invited_at,
    invitedBy: row.invited_by as UserId,
    seenAt: row.seen_at,
    removedAt: row.removed_at,
    linkUntil: row.link_until,
  };
}

/** Names are told apart by more than capitals, and what nobody sees. */
const same = (name: string | null, other: string) => name !== null && fold(name) === fold(other);
const fold = (name: string) =>
  name
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .toLowerCase();

/** @throws ReelayError `operator_name_taken` */
async function refuseTaken(within: Database["kysely"], name: string): Promise<void> {
  const others = await rowsIn(within).execute();
  if (others.some((other) => same(other.name, name))) throw new ReelayError("operator_name_taken", { name });
}
