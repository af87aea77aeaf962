import { createHmac } from "node:crypto";
import type { Database } from "../storage/database.ts";
import { MARKED_CHARACTERS, markOf, placesMarked } from "./marks.ts";
import { readingsOf } from "./readings.ts";
import { currentTime } from "../../common/time.ts";

/** How long a key is known after it was entered and refused, replaced or forgotten, in milliseconds. */
export const REMEMBERED_MS = 7 * 24 * 3_600_000;

/** How many of those there are at most, so that nobody fills the database with what they make up. */
export const MOST_REMEMBERED = 1_000;

/** How long rows that others erased may stay in mind, in milliseconds; they are looked up before they count. */
const RELOAD_MS = 3_600_000;

/** How many digests one text may cost: a text made to look like the beginnings of keys costs no more. */
const MOST_DIGESTS = 2_000;

/** Whose a remembered key is: nobody's. */
const NOBODY = "";

/** What is known of a key without keeping it. */
interface Print {
  readonly digest: string;
  readonly length: number;
  /** Set for what the settings hold. */
  readonly of?: KnownKey["of"];
}

/** A key in a text that this installation knows. */
export interface KnownKey {
  readonly key: string;
  /** `service`: somebody's for the service. `ours`: a secret of this installation, such as a bot's token. */
  readonly of: "service" | "ours";
}

/**
 * Recognises keys of the service that are stored, or were entered lately, wherever they stand in a text. Kept of each are a
 * digest under a secret of this installation, 32 bits that find its beginning, and its length: the service promises
 * nothing else about keys (section 5), so that only having seen one tells it from words.
 */
export class KnownKeys {
  readonly #database: Pick<Database, "kysely" | "reads">;
  readonly #secret: () => Promise<string>;
  readonly #now: () => number;
  readonly #stored = new Map<number, Print[]>();
  readonly #held = new Map<number, Print[]>();
  readonly #undigested: { readonly form: string; readonly of: KnownKey["of"] }[] = [];
  #salts: { readonly salt: number; readonly secret: string } | undefined;
  #seen = 0;
  #revision = -1;
  #loadedAt = -Infinity;

  /**
   * @param secret under which digests are made; the same for every process of an installation
   * @param now milliseconds since 1970
   */
  constructor(
    database: Pick<Database, "kysely" | "reads">,
    secret: () => Promise<string>,
    now: () => number = currentTime,
  ) {
    this.#database = database;
    this.#secret = secret;
    this.#now = now;
  }

  /** Makes the secret known that a transaction must not wait for. */
  async ready(): Promise<void> {
    await this.#keyed();
  }

  /**
   * Knows what the settings hold, as long as the process lives; nothing of it is stored. Digests are made once somebody looks
   * for one: making their secret known takes longer than many commands.
   */
  hold(secrets: readonly string[], of: KnownKey["of"]): void {
    for (const form of secrets.flatMap(formsOf)) this.#undigested.push({ form, of });
  }

  /**
   * Knows a key that is stored for somebody, in place of the one before.
   * @param within the transaction that stores it; {@link ready} was waited for
   */
  async keep(owner: string, key: string, within: Pick<Database, "kysely"> = this.#database): Promise<void> {
    await this.release(owner, within);
    for (const form of formsOf(key)) await this.#insert({ owner, until: null }, form, within);
  }

  /** Knows a key for a week, whether the service takes it or not. */
  async remember(key: string): Promise<void> {
    await this.#insert({ owner: NOBODY, until: this.#now() + REMEMBERED_MS }, folded(key), this.#database);
    const { kysely } = this.#database;
    const kept = kysely
      .selectFrom("known_keys")
      .select("seq")
      .where("owner", "=", NOBODY)
      .where("until", ">", this.#now())
      .orderBy("seq", "desc")
      .limit(MOST_REMEMBERED);
    await kysely.deleteFrom("known_keys").where("owner", "=", NOBODY).where("seq", "not in", kept).execute();
  }

  /** Lets go of what somebody's key was: for a week it is nobody's. */
  async release(owner: string, within: Pick<Database, "kysely"> = this.#database): Promise<void> {
    const { kysely } = within;
    const until = this.#now() + REMEMBERED_MS;
    const released = kysely.selectFrom("known_keys").where("owner", "=", owner);
    const rows = await released.select(["digest", "mark", "length"]).execute();
    for (const row of rows) await this.#put({ ...row, owner: NOBODY, until }, within);
    await kysely.deleteFrom("known_keys").where("owner", "=", owner).execute();
  }

  /** Whether somebody's stored key is known. */
  async knowsOf(owner: string): Promise<boolean> {
    const { kysely } = this.#database;
    const row = await kysely
      .selectFrom("known_keys")
      .select("seq")
      .where("owner", "=", owner)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** The first known key in a text, whatever stands around it, in whichever case. Linear in the text's length. */
  async findIn(text: string): Promise<KnownKey | undefined> {
    const keyed = await this.#keyed();
    await this.#load();
    let longest: KnownKey | undefined;
    for (const reading of readingsOf(text))
      // What an earlier version stored is known as it was written alone.
      for (const looked of new Set([folded(reading), reading])) {
        const found =
          (await this.#search(reading, looked, keyed, this.#held)) ??
          (await this.#search(reading, looked, keyed, this.#stored));
        // One reading may show the whole of what is only a part of it in another.
        if (found && found.key.length > (longest?.key.length ?? 0)) longest = found;
      }
    return longest;
  }

  /** @param looked the text as it is looked through, letter for letter */
  async #search(
    text: string,
    looked: string,
    keyed: Keyed,
    marked: ReadonlyMap<number, readonly Print[]>,
  ): Promise<KnownKey | undefined> {
    let digests = 0;
    for (const { at, entries } of placesMarked(looked, keyed.salt, marked)) {
      for (const { length, digest, of } of entries) {
        const found = looked.slice(at, at + length);
        if (found.length < length) continue;
        digests += 1;
        if (digests > MOST_DIGESTS) return undefined;
        if (digestOf(found, keyed.secret) !== digest) continue;
        const key = text.slice(at, at + length);
        if (of ?? (await this.#stands(digest))) return { key, of: of ?? "service" };
      }
    }
    return undefined;
  }

  /** Whether a digest that was read earlier is still there. */
  async #stands(digest: string): Promise<boolean> {
    const row = await this.#database.kysely
      .selectFrom("known_keys")
      .select("seq")
      .where("digest", "=", digest)
      .where((row) => row.or([row("until", "is", null), row("until", ">", this.#now())]))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Reads what came since: another process may have stored it. */
  async #load(): Promise<void> {
    const revision = this.#database.reads.revision("known_keys");
    const isOld = this.#now() - this.#loadedAt > RELOAD_MS;
    if (revision === this.#revision && !isOld) return;
    if (isOld) {
      this.#stored.clear();
      this.#seen = 0;
      this.#loadedAt = this.#now();
    }
    const rows = await this.#database.kysely
      .selectFrom("known_keys")
      .select(["seq", "digest", "mark", "length"])
      .where("seq", ">", this.#seen)
      .orderBy("seq")
      .execute();
    for (const { seq, mark, digest, length } of rows) {
      this.#seen = Math.max(this.#seen, seq);
      addTo(this.#stored, mark, { digest, length });
    }
    this.#revision = revision;
  }

  async #insert(
    row: { readonly owner: string; readonly until: number | null },
    key: string,
    within: Pick<Database, "kysely">,
  ): Promise<void> {
    if (key.length >= MARKED_CHARACTERS)
      await this.#put({ ...row, ...printOf(key, await this.#keyed()) }, within);
  }

  /** A key that is known already is known as long as the later of both says. */
  async #put(
    row: Print & { readonly mark: number; readonly owner: string; readonly until: number | null },
    { kysely }: Pick<Database, "kysely">,
  ): Promise<void> {
    await kysely
      .deleteFrom("known_keys")
      .where("owner", "=", row.owner)
      .where("digest", "=", row.digest)
      .execute();
    await kysely.insertInto("known_keys").values(row).execute();
  }

  async #keyed(): Promise<Keyed> {
    const secret = await this.#secret();
    if (this.#salts?.secret !== secret) {
      // Marks of an even salt would forget the first characters.
      const salt = createHmac("sha256", secret).update("marks").digest().readInt32LE() | 1;
      this.#salts = { secret, salt };
    }
    for (const { form, of } of this.#undigested.splice(0)) {
      const { mark, ...print } = printOf(form, this.#salts);
      addTo(this.#held, mark, { ...print, of });
    }
    return this.#salts;
  }
}

/** Without regard to capitals, letter for letter: only those of ASCII stand in keys. */
function folded(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/** What many services write before a key, such as `sk-live_`. */
const PREFIX = /^[a-z]{1,10}[-_](?:[a-z]{1,10}[-_])?/;

/** What is left of a key without its prefix is no shorter, so that no words are taken for it. */
const LEAST_REST = 16;

/** How a key is known: whole, and without its prefix, where what is left has digits and is long enough to be no word. */
function formsOf(key: string): readonly string[] {
  if (key.length < MARKED_CHARACTERS) return [];
  const whole = folded(key);
  const rest = whole.replace(PREFIX, "");
  return rest !== whole && rest.length >= LEAST_REST && /\d/.test(rest) ? [whole, rest] : [whole];
}

/** What marks and digests are made under. */
interface Keyed {
  readonly secret: string;
  readonly salt: number;
}

function printOf(key: string, { secret, salt }: Keyed): Print & { readonly mark: number } {
  return { digest: digestOf(key, secret), mark: markOf(key, salt), length: key.length };
}

function digestOf(key: string, secret: string): string {
  return createHmac("sha256", secret).update(key).digest("base64url");
}

function addTo(marked: Map<number, Print[]>, mark: number, print: Print): void {
  const entries = marked.get(mark) ?? [];
  if (!entries.some(({ digest }) => digest === print.digest)) marked.set(mark, [...entries, print]);
}
