import type { Group } from "../../seam/access/groups.ts";
import type { ChatId, UserId } from "../../seam/values.ts";
import type { SharedMemory } from "../../common/memory.ts";

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
  readonly #store: SharedMemory;

  constructor(store: SharedMemory) {
    this.#store = store;
  }

  /** A group's rules: none, where nothing was set and in private. */
  async of(chat: ChatId | undefined): Promise<Group> {
    return (chat && (await this.#store.get<Group>(chat))) ?? {};
  }

  /** Changes some of them. */
  async update(chat: ChatId, change: GroupChange): Promise<void> {
    await this.#store.change<Group>(chat, (before) => ({ ...before, ...change }) as Group);
  }

  /** Notes that nothing can be posted any more where its managers are told, unless they chose another place meanwhile. */
  async loseLog(chat: ChatId, to: ChatId): Promise<void> {
    await this.#store.change<Group>(chat, (before) =>
      before?.log?.to === to ? { ...before, log: { to, isLost: true } } : undefined,
    );
  }

  /** Tells nothing to somebody any more who was told what is reported in groups that they manage. */
  async forgetManager(user: UserId): Promise<void> {
    for (const [chat, { log }] of await this.#store.entries<Group>())
      if (log?.to === user) await this.update(chat as ChatId, { log: undefined });
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
