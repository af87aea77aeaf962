import type { Sheet } from "../../../src/seam/forms/sheet.ts";
import type { Memory } from "../../../src/common/memory.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import { type Address, mediaIn, type UserId } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { BLANK, type Draft } from "./draft.ts";
import { currentTime } from "../../../src/common/time.ts";

/** How long a draft stands after its last change, in milliseconds. */
const DRAFT_MS = 7 * 24 * 3_600_000;

/** How a draft ended: its like has begun, or was given up. */
export type DraftEnd = "begun" | "given_up";

const DRAFTS = "draft:";
const ENDED = "draft-begun:";
const CURRENT = "draft-current:";
const USED = "draft-used:";
const KEYLESS = "draft-keyless:";

/** Pictures that something was offered for, until they became drafts: nobody reads them any more. */
const OFFERED = "offered:";

/** A draft as it is kept. Before all platforms had the same, its address had other names. */
type Kept = Draft & { readonly at?: number; readonly receipt?: Address; readonly secret?: boolean };

/** What is kept of drafts, and of what people made last. */
export class DraftStore {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** A draft, whoever's it is. */
  async find(id: string): Promise<Draft | undefined> {
    const kept = await this.#memory.get<Kept>(DRAFTS + id);
    if (!kept) return undefined;
    const { at: _, receipt, secret, ...draft } = kept;
    const address = draft.address ?? receipt ?? { secret: secret ?? false };
    return { ...BLANK, ...draft, id, address, ...(secret !== undefined && { request: id }) };
  }

  /**
   * The draft that somebody goes on with.
   * @throws ReelayError `already_begun` when what it was for has begun, `stale_button` when it is gone, with its end where it was given
   * up, `not_yours` for everybody but its owner
   */
  async own({ user }: Pick<Origin, "user">, id: string): Promise<Draft> {
    const draft = await this.find(id);
    if (draft && draft.owner !== user) throw new ReelayError("not_yours");
    const end = await this.#endOf(id);
    if (end === "begun") throw new ReelayError("already_begun");
    if (!draft) throw new ReelayError("stale_button", end && { end });
    return draft;
  }

  /** The draft that somebody worked on last in a chat. */
  async current(origin: Origin): Promise<Draft | undefined> {
    const id = await this.#memory.get<string>(currentKey(origin));
    return id === undefined ? undefined : this.find(id);
  }

  /** Takes a draft for the one that somebody works on in a chat. */
  async makeCurrent(origin: Origin, { id }: Pick<Draft, "id">): Promise<void> {
    const key = currentKey(origin);
    // An entry of its own: of two that are shown at once, neither is lost.
    await Promise.all([
      this.#memory.set(key, id, DRAFT_MS),
      this.#memory.set(`${key}:${id}`, true, DRAFT_MS),
    ]);
  }

  /** The drafts that somebody can go on with in a chat. */
  async open(origin: Origin): Promise<readonly Draft[]> {
    const prefix = `${currentKey(origin)}:`;
    const entries = await this.#memory.entries(prefix);
    const ids = new Set(entries.map(([key]) => key.slice(prefix.length)));
    // One from before an update stands only there.
    const current = await this.current(origin);
    const drafts = await Promise.all([...ids].filter((id) => id !== current?.id).map((id) => this.find(id)));
    return [...drafts, current].filter((draft) => draft !== undefined);
  }

  /** Keeps a draft for its buttons and answers. @returns it, without what is secret: that is never kept */
  async keep(draft: Draft, sheet?: Pick<Sheet, "fields">): Promise<Draft> {
    const secrets = sheet?.fields.filter(({ control }) => control === "secret").map(({ name }) => name) ?? [];
    const values = Object.fromEntries(
      Object.entries(draft.values).filter(([name]) => !secrets.includes(name)),
    );
    const kept = { ...draft, values };
    await this.#memory.set(DRAFTS + draft.id, { ...kept, at: currentTime() }, DRAFT_MS);
    return kept;
  }

  /** Remembers whether a draft waits for its owner's key. */
  async noteKeyless({ id, owner }: Draft, isKeyless: boolean): Promise<void> {
    const before = (await this.#memory.get<readonly string[]>(KEYLESS + owner)) ?? [];
    if (before.includes(id) === isKeyless) return;
    const others = before.filter((other) => other !== id);
    await this.#memory.set(KEYLESS + owner, isKeyless ? [...others, id] : others, DRAFT_MS);
  }

  /** The drafts that wait for somebody's key, the newest last. */
  async keyless(owner: UserId): Promise<readonly Draft[]> {
    const ids = (await this.#memory.get<readonly string[]>(KEYLESS + owner)) ?? [];
    const drafts = await Promise.all(ids.map((id) => this.find(id)));
    return drafts.filter((draft) => draft !== undefined);
  }

  /** Forgets a draft: its buttons are stale from now on. */
  async drop({ id }: Draft): Promise<void> {
    await this.#memory.delete(DRAFTS + id);
  }

  /**
   * Forgets a draft because what it was for has begun, or because its person gave it up. That is remembered as long as a draft stands:
   * where its message could not be changed, its buttons stand there still, and whoever presses one is told so.
   */
  async finish(draft: Draft, end: DraftEnd = "begun"): Promise<void> {
    await this.#memory.set(ENDED + draft.id, end, DRAFT_MS);
    await this.drop(draft);
  }

  /** The operation that somebody used last. */
  async lastUsed(owner: UserId): Promise<string | undefined> {
    const used = await this.#memory.get<{ readonly operation: string }>(USED + owner);
    return used?.operation;
  }

  /** Remembers the operation that somebody used. */
  async noteUsed({ owner, operation }: Pick<Draft, "owner" | "operation">): Promise<void> {
    if (operation !== undefined) await this.#memory.set(USED + owner, { operation, at: currentTime() });
  }

  /** The ids of all files that somebody's drafts are about. */
  async filesOf(owner: UserId): Promise<readonly string[]> {
    const entries = await this.#entries([DRAFTS]);
    return entries
      .filter(([, draft]) => draft.owner === owner)
      .flatMap(([, { values }]) => Object.values(values).flatMap(mediaIn))
      .map(({ id }) => id);
  }

  /** Erases what was not touched since a time, in milliseconds since 1970. */
  async expire(before: number): Promise<void> {
    for (const [key, { at = 0 }] of await this.#entries([DRAFTS, USED, OFFERED]))
      if (at < before) await this.#memory.delete(key);
  }

  /** Erases every draft of a person, and what is remembered of them. */
  async forget(owner: UserId): Promise<void> {
    for (const [key, draft] of await this.#entries([DRAFTS, OFFERED]))
      if (draft.owner === owner) await this.#memory.delete(key);
    for (const [key] of await this.#entries([`${CURRENT}${owner}:`])) await this.#memory.delete(key);
    await this.#memory.delete(USED + owner);
    await this.#memory.delete(KEYLESS + owner);
  }

  /** How a draft ended, as long as that is remembered. */
  async #endOf(id: string): Promise<DraftEnd | undefined> {
    // "begun" was kept as true once, and may be in a database.
    const end = await this.#memory.get<true | DraftEnd>(ENDED + id);
    return end === true ? "begun" : end;
  }

  async #entries(prefixes: readonly string[]): Promise<readonly [key: string, kept: Kept][]> {
    const entries = await this.#memory.entries<Kept>();
    return entries.filter(([key]) => prefixes.some((prefix) => key.startsWith(prefix)));
  }
}

const currentKey = ({ user, chat = user }: Origin) => `${CURRENT}${user}:${chat}`;
