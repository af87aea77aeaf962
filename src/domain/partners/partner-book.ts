import { type Caller, type Partner, partnerIdOf, partnerUser } from "../../seam/access/partners.ts";
import type { UserId } from "../../seam/values.ts";
import { ReelayError } from "../../common/errors.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { exclusive } from "../../infrastructure/storage/exclusive.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import { infoOf, isToken, readToken, type StoredToken } from "./tokens.ts";

const NAMESPACE = "partners";

/** The longest id, in characters; longer names are cut. */
const MAX_ID_LENGTH = 40;

/** What is kept of a partner. */
export interface PartnerPage {
  readonly partner: Partner;
  readonly tokens: readonly StoredToken[];
}

/** Has caps that a partner gets count what was begun before, in the transaction that sets them. */
export type CountBegun = (
  transaction: Pick<Database, "kysely">,
  before: Partner | undefined,
  after: Partner,
) => Promise<void>;

/**
 * Who the partners are, and their tokens. It is read anew each time: what another process changes, such as the
 * command line that revokes a token, holds at once.
 */
export class PartnerBook {
  readonly #database: Pick<Database, "kysely">;

  /** @param database the open database; inside a transaction `{ kysely: transaction }` */
  constructor(database: Pick<Database, "kysely">) {
    this.#database = database;
  }

  /** Whose token this is, whether it is still good or not; takes as long for one that nobody has. */
  async authenticate(token: string): Promise<Caller | undefined> {
    const said = readToken(token);
    const page = await this.#pages.get<PartnerPage>(said.partner);
    const stored = page?.tokens.find(({ id }) => id === said.id);
    return isToken(token, stored) && page ? { partner: page.partner, token: infoOf(stored) } : undefined;
  }

  /** The partner that a user is. */
  async ofUser(user: UserId): Promise<Partner | undefined> {
    const id = partnerIdOf(user);
    return id === undefined ? undefined : (await this.#pages.get<PartnerPage>(id))?.partner;
  }

  /** By id. */
  async list(): Promise<readonly PartnerPage[]> {
    const entries = await this.#pages.entries<PartnerPage>();
    return entries.map(([, page]) => page).sort((a, b) => (a.partner.id < b.partner.id ? -1 : 1));
  }

  /**
   * @param name or an id
   * @throws ReelayError `partner_unknown`
   */
  async find(name: string): Promise<PartnerPage> {
    const page = await this.#pages.get<PartnerPage>(slugOf(name));
    if (!page) throw new ReelayError("partner_unknown", { name });
    return page;
  }

  /**
   * The id of a partner to be added under this name.
   * @throws ReelayError `partner_exists`, `partner_name`
   */
  async freeId(name: string): Promise<string> {
    const id = slugOf(name);
    if (id === "") throw new ReelayError("partner_name");
    if (await this.#pages.get(id)) throw new ReelayError("partner_exists", { name: id });
    return id;
  }

  /** @throws ReelayError `partner_exists` when somebody was faster */
  async add(page: PartnerPage): Promise<void> {
    await this.#alone(page.partner.id, async (book) => {
      await book.freeId(page.partner.id);
      await book.#put(page);
    });
  }

  /** Keeps a partner as they are elsewhere, where their tokens are, too. */
  async copy(partner: Partner, countBegun?: CountBegun): Promise<void> {
    await this.#alone(partner.id, async (book, transaction) => {
      if (countBegun) await countBegun(transaction, await book.ofUser(partnerUser(partner.id)), partner);
      await book.#put({ partner, tokens: [] });
    });
  }

  /**
   * Changes what is kept of a partner, in one step with whatever the change reads.
   * @throws ReelayError `partner_unknown`
   */
  async change(
    name: string,
    change: (page: PartnerPage, transaction: Pick<Database, "kysely">) => PartnerPage | Promise<PartnerPage>,
  ): Promise<PartnerPage> {
    return this.#alone(name, async (book, transaction) => {
      const page = await change(await book.find(name), transaction);
      await book.#put(page);
      return page;
    });
  }

  /** @param id as in {@link Partner} */
  async remove(id: string): Promise<void> {
    await this.#pages.delete(id);
  }

  get #pages() {
    return memory(this.#database, NAMESPACE);
  }

  #put(page: PartnerPage): Promise<void> {
    return this.#pages.set(page.partner.id, page);
  }

  /** Nobody changes the partner meanwhile, nor begins a job as it. */
  #alone<T>(
    name: string,
    work: (book: PartnerBook, transaction: Pick<Database, "kysely">) => Promise<T>,
  ): Promise<T> {
    const id = slugOf(name);
    return exclusive(
      this.#database.kysely,
      [`kv:${NAMESPACE}/${id}`, `user:${partnerUser(id)}`],
      async (kysely) => work(new PartnerBook({ kysely }), { kysely }),
    );
  }
}

/** Lower case letters, digits and hyphens between them; of an id, that id. */
function slugOf(name: string): string {
  const letters = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = letters.split(/[^a-z0-9]+/).filter(Boolean);
  return words.join("-").slice(0, MAX_ID_LENGTH).replace(/-$/, "");
}
