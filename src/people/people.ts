import { type Platform, STATEMENT_NAMES, type StatementName, type UserId } from "../chat/values.ts";
import type { Locale } from "../i18n.ts";
import type { Memory } from "../chat/surface.ts";

/** What a person declared: which wording of it, when and where. */
interface Declared {
  /** See `versionOf`. */
  readonly version: string;
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

/** What somebody declared, in the order of {@link STATEMENT_NAMES}. */
export const statedBy = ({ declared = {} }: Person): readonly (readonly [StatementName, Declared])[] =>
  STATEMENT_NAMES.flatMap((name) => {
    const one = declared[name];
    return one ? [[name, one] as const] : [];
  });

/** A partner's person, as somebody who states something. Ids of partners hold no spaces. */
export const speakerFor = (partner: UserId, username: string): UserId => `${partner} ${username}`;

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

  /** Takes back what a person declared. @returns what that was */
  async withdraw(user: UserId, statements: readonly StatementName[]): Promise<readonly StatementName[]> {
    const { declared = {} } = await this.of(user);
    const taken = statements.filter((statement) => declared[statement] !== undefined);
    const left = Object.entries(declared).filter(([name]) => !taken.some((statement) => statement === name));
    if (taken.length > 0) await this.update(user, { declared: Object.fromEntries(left) });
    return taken;
  }

  /** Erases all of it. */
  async forget(user: UserId): Promise<void> {
    await this.#store.delete(user);
  }

  /** The same of a partner, and of each of their people. */
  async forgetPartner(partner: UserId): Promise<void> {
    await this.forget(partner);
    for (const [speaker] of await this.#store.entries())
      if (speaker.startsWith(speakerFor(partner, ""))) await this.#store.delete(speaker);
  }
}
