import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import { ownersKey } from "../../src/seam/surface/kept-files.ts";
import type { UserId } from "../../src/seam/values.ts";
import { Conversation } from "./conversation.ts";
import { OPERATOR } from "./person.ts";

/** Who has a conversation here. */
const PERSON = "person:";

/** Everybody's conversations: each is kept apart from all others, and has its own files. */
export class Conversations {
  readonly #host: Pick<SurfaceHost, "memory" | "files" | "bell">;
  readonly #open = new Map<UserId, Promise<Conversation>>();
  /** Who is written down as having one. */
  readonly #listed = new Set<UserId>([OPERATOR.user]);

  constructor(host: Pick<SurfaceHost, "memory" | "files" | "bell">) {
    this.#host = host;
    host.bell.on("conversations", (rung) => void this.#hear(rung));
  }

  /** Somebody's. */
  async of(user: UserId): Promise<Conversation> {
    if (!this.#listed.has(user)) {
      await this.#memory.set(PERSON + user, true);
      this.#listed.add(user);
    }
    const opening = this.#open.get(user) ?? this.#load(user);
    this.#open.set(user, opening);
    // Whoever asks next tries again.
    opening.catch(() => this.#open.delete(user));
    return opening;
  }

  /** Somebody's, if they ever were here. */
  async known(user: UserId): Promise<Conversation | undefined> {
    const isKnown = this.#listed.has(user) || (await this.#memory.get(PERSON + user)) !== undefined;
    return isKnown ? this.of(user) : undefined;
  }

  /** Takes back everything that somebody was told and gave; nothing where they never were here. */
  async forget(user: UserId): Promise<void> {
    const conversation = await this.known(user);
    if (!conversation) return;
    await conversation.clear();
    if (user === OPERATOR.user) return;
    this.#listed.delete(user);
    await this.#memory.delete(PERSON + user);
  }

  /** Takes back what came before a time, everywhere. @param before milliseconds since 1970 */
  async expire(before: number): Promise<void> {
    const entries = await this.#memory.entries();
    const users = entries.flatMap(([key]) => (key.startsWith(PERSON) ? [key.slice(PERSON.length)] : []));
    for (const user of [OPERATOR.user, ...users]) await (await this.of(user as UserId)).expire(before);
  }

  /** What another process changed is told here to those who have the page open. */
  async #hear(rung: string | undefined): Promise<void> {
    const [user, id] = rung === undefined ? [] : (JSON.parse(rung) as [UserId, string]);
    const meant = user === undefined ? [...this.#open.values()] : [this.#open.get(user)];
    // What cannot be read now is shown once the page is opened anew.
    for (const opening of meant)
      await opening?.then((conversation) => conversation.changed(id)).catch(() => undefined);
  }

  get #memory() {
    return this.#host.memory("web");
  }

  async #load(user: UserId): Promise<Conversation> {
    const memory = user === OPERATOR.user ? this.#memory : this.#host.memory("web", user);
    const conversation = new Conversation(
      memory,
      {
        add: async (id) => void (await this.#changeOwners(id, (others) => others.concat(user))),
        remove: (id) => this.#letGo(id, user),
      },
      (id) => this.#host.bell.ring("conversations", JSON.stringify([user, id])),
    );
    await conversation.load();
    return conversation;
  }

  /** A file is found by what is in it: it stays for others who gave the same. */
  async #letGo(id: string, user: UserId): Promise<void> {
    await this.#host.files.remove(id, async () => {
      const left = await this.#changeOwners(id, (owners) => owners.filter((owner) => owner !== user));
      if (left.length === 0) await this.#memory.delete(ownersKey(id));
    });
  }

  async #changeOwners(
    id: string,
    change: (owners: readonly UserId[]) => readonly UserId[],
  ): Promise<readonly UserId[]> {
    let changed: readonly UserId[] = [];
    await this.#memory.change<readonly UserId[]>(ownersKey(id), (owners = []) => {
      changed = [...new Set(change(owners))];
      return changed;
    });
    return changed;
  }
}
