import { type Platform, STATEMENT_NAMES, type StatementName, type UserId } from "../../seam/values.ts";
import type { Locale } from "../../common/i18n.ts";
import type { SharedMemory } from "../../common/memory.ts";

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
  /** What they stated once: it counts while its wording is the present one; see `hasDeclared`. */
  readonly declared?: Readonly<Partial<Record<StatementName, Declared>>>;
}

/** What somebody declared, in whichever wording, in the order of {@link STATEMENT_NAMES}. */
export const declaredBy = ({ declared = {} }: Person): readonly (readonly [StatementName, Declared])[] =>
  STATEMENT_NAMES.flatMap((name) => {
    const one = declared[name];
    return one ? [[name, one] as const] : [];
  });

/** A partner's person, as somebody who states something. Ids of partners hold no spaces. */
export const speakerFor = (partner: UserId, username: string): UserId => `${partner} ${username}`;

/** The people who use Reelay: their settings, and what they declared. */
export class People {
  readonly #store: SharedMemory;

  constructor(store: SharedMemory) {
    this.#store = store;
  }

  /** What is known of a person: nothing, at first. */
  async of(user: UserId): Promise<Person> {
    return (await this.#store.get<Person>(user)) ?? {};
  }

  /** Changes some of it; undefined takes a setting back. */
  async update(user: UserId, change: { [K in keyof Person]?: Person[K] | undefined }): Promise<void> {
    await this.#store.change<object>(user, (before) => ({ ...before, ...change }));
  }

  /** Remembers what a person declared. */
  async declare(user: UserId, statement: StatementName, declared: Declared): Promise<void> {
    await this.#store.change<Person>(user, (before) => ({
      ...before,
      declared: { ...before?.declared, [statement]: declared },
    }));
  }

  /** Takes back what a person declared. @returns what that was */
  async withdraw(user: UserId, statements: readonly StatementName[]): Promise<readonly StatementName[]> {
    const { declared = {} } = await this.of(user);
    const taken = statements.filter((statement) => declared[statement] !== undefined);
    const isLeft = ([name]: [string, unknown]) => !taken.some((statement) => statement === name);
    if (taken.length > 0)
      await this.#store.change<Person>(user, (before) => ({
        ...before,
        declared: Object.fromEntries(Object.entries(before?.declared ?? {}).filter(isLeft)),
      }));
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
