import type { ChatId } from "../../seam/values.ts";
import type { Memory } from "../../common/memory.ts";
import type { Locale } from "../../common/i18n.ts";

/** What those who manage a group set for it; what is left out is not restricted. */
export interface Group {
  /** Spoken there with people who chose no language of their own. */
  readonly locale?: Locale;
  /** Ids of what may be made there. */
  readonly operations?: readonly string[];
  /** The same for those who have a role, by the platform's id of it: of somebody's several, whatever any of them allows. */
  readonly roleOperations?: Readonly<Record<string, readonly string[]>>;
  /** The platform's ids of the roles whose members alone may use mature templates there. */
  readonly matureRoles?: readonly string[];
  /** The platform's ids of its channels in which something may be made. */
  readonly rooms?: readonly string[];
  /** Jobs that each member may begin in a day (UTC) with the group's key. */
  readonly memberDaily?: number;
  /** The same for those who have a role, by the platform's id of it: of somebody's several the most counts. */
  readonly roleDaily?: Readonly<Record<string, number>>;
  /** Jobs that all members together may begin in a day (UTC) with the group's key. */
  readonly daily?: number;
}

/** What those with some roles may make there; undefined: everything. */
export function operationsFor(
  { operations, roleOperations = {} }: Group,
  roles: readonly string[] = [],
): readonly string[] | undefined {
  const theirs = roles.flatMap((role) => roleOperations[role] ?? []);
  return theirs.length > 0 ? [...new Set(theirs)] : operations;
}

/** Whether those with some roles may use mature templates there, where those have a place at all. */
export const mayMature = ({ matureRoles }: Group, roles: readonly string[] = []): boolean =>
  matureRoles === undefined || matureRoles.some((role) => roles.includes(role));

/** A change of some rules; undefined takes one back. */
export type GroupChange = { readonly [K in keyof Group]?: Group[K] | undefined };

/** The groups whose managers set something. */
export class Groups {
  readonly #store: Memory;

  constructor(store: Memory) {
    this.#store = store;
  }

  /** A group's rules: none, where nothing was set and in private. */
  async of(chat: ChatId | undefined): Promise<Group> {
    return (chat && (await this.#store.get<Group>(chat))) ?? {};
  }

  /** Changes some of them. */
  async update(chat: ChatId, change: GroupChange): Promise<void> {
    await this.#store.set(chat, { ...(await this.of(chat)), ...change });
  }

  /** Keeps them under another id; what is set there already stays. */
  async move(from: ChatId, to: ChatId): Promise<void> {
    await this.update(to, { ...(await this.of(from)), ...(await this.of(to)) });
    await this.forget(from);
  }

  /** Erases all of them. */
  async forget(chat: ChatId): Promise<void> {
    await this.#store.delete(chat);
  }
}
