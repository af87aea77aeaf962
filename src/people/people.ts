import type { Platform, UserId } from "../chat/values.ts";
import type { Locale } from "../i18n.ts";
import type { Memory } from "../chat/surface.ts";
import type { StatementName } from "../policy/statements.ts";

/** What a person declared: which wording of it, when and where. */
interface Declared {
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly surface: Platform;
}

/** What is kept about a person beside their key and their jobs. */
export interface Person {
  /** Chosen by them; else their platform's. */
  readonly locale?: Locale;
  /** Jobs that cost no more begin at once, in tokens; without it each is confirmed. */
  readonly spendBelow?: number;
  readonly declared?: Readonly<Partial<Record<StatementName, Declared>>>;
}

/** The people who use Reelay: their settings, and what they declared. */
export class People {
  readonly #store: Memory;

  constructor(store: Memory) {
    this.#store = store;
  }

  /** What is known of a person: nothing, at first. */
  async of(user: UserId): Promise<Person> {
    return (await this.#store.get<Person>(user)) ?? {};
  }

  /** Changes some of it; undefined takes a setting back. */
  async update(user: UserId, change: { [K in keyof Person]?: Person[K] | undefined }): Promise<void> {
    await this.#store.set(user, { ...(await this.of(user)), ...change });
  }

  /** Remembers what a person declared. */
  async declare(user: UserId, statement: StatementName, declared: Declared): Promise<void> {
    const { declared: earlier } = await this.of(user);
    await this.update(user, { declared: { ...earlier, [statement]: declared } });
  }

  /** Erases all of it. */
  async forget(user: UserId): Promise<void> {
    await this.#store.delete(user);
  }
}
