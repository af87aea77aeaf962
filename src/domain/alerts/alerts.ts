import { randomUUID } from "node:crypto";
import type { Params } from "../../common/errors.ts";
import type { Locale } from "../../common/i18n.ts";
import type { AlertEntry, AlertKind } from "../../seam/access/alerts.ts";
import { type ChatId, type Platform, platformOf } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { exclusive } from "../../infrastructure/storage/exclusive.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import { Deliveries } from "../webhooks/deliveries.ts";
import { isOver, type AlertPatience, seen, type Sighting } from "./alert.ts";
import { dataOf } from "./data.ts";
import { changing, type KeptAlert, type KeptNotice, unlessDone, withoutOld } from "./kept.ts";
import type { AlertNews, AlertNotice } from "./notice.ts";
import type { AlertSubject } from "./watcher.ts";

const NAMESPACE = "alerts";

/** For how long a notice belongs to the process that took it, in milliseconds: longer than posting takes. */
const CLAIM_MS = 60_000;

/** The first pause after a failure; doubles up to the longest, in milliseconds. */
const PAUSE_MS = { first: 5_000, longest: 10 * 60_000 } as const;

/** A notice that was taken, to be told now. */
export interface ClaimedNotice extends AlertNotice {
  readonly id: string;
  /** The entry that it is in. */
  readonly name: string;
  readonly place: ChatId;
}

/** What a store of alerts works with. */
export interface AlertsParts {
  readonly database: Database;
  /** Chats, and addresses that are called. */
  readonly places: readonly string[];
  /** In which language addresses are told. */
  readonly locale: Locale;
  readonly patienceOf: (kind: AlertKind) => AlertPatience;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Whether a place is called instead of posted in. */
export const isAddress = (place: string): boolean => /^https?:/.test(place);

/**
 * What is not as it should be, and what is still to be told of it: one entry a condition, which every process changes alone, so that each
 * is told once, whoever sees it. What an address is told is written with it, as a webhook; chats are told by whoever is connected.
 */
export class Alerts {
  readonly #parts: AlertsParts;
  readonly #store: ReturnType<typeof memory>;
  readonly #deliveries: Deliveries;

  constructor(parts: AlertsParts) {
    this.#parts = parts;
    this.#store = memory(parts.database, NAMESPACE);
    this.#deliveries = new Deliveries(parts.database);
  }

  /** Notes that something is not as it should be; where it has been so for long enough, it is told. */
  async see({ kind, of, params }: Sighting): Promise<void> {
    const now = this.#parts.now();
    await this.#change(of === undefined ? kind : `${kind}:${of}`, async (before, db) => {
      const state = seen(before, now, this.#parts.patienceOf(kind));
      const kept = { kind, of: of ?? null, params, ...state, notices: before?.notices ?? [] };
      return state.isOn && !before?.isOn ? this.#adding(db, kept, "began") : kept;
    });
  }

  /**
   * Ends what nobody has seen for long enough, and what is about something that was removed.
   * @param lookingSince as for {@link isOver}
   */
  async settle(lookingSince: number, isRemoved: (subject: AlertSubject) => Promise<boolean>): Promise<void> {
    const now = this.#parts.now();
    for (const [name, { kind: noted, of }] of await this.#store.entries<KeptAlert>()) {
      const removed = noted !== "test" && (await isRemoved({ kind: noted, ...(of !== null && { of }) }));
      await this.#change(name, async (kept, db) => {
        if (!kept || kept.kind === "test") return kept && withoutOld(kept, now);
        const over = removed || isOver(kept, now, lookingSince, this.#parts.patienceOf(kept.kind));
        return over ? this.#ended(kept, db, now) : withoutOld(kept, now);
      });
    }
  }

  /** Tells that something is over that was told while nothing could be written. */
  async tellOver({ kind, params }: Pick<Sighting, "kind" | "params">, since: number): Promise<void> {
    const now = this.#parts.now();
    await this.#change(kind, (_before, db) =>
      this.#ended({ kind, of: null, params, since, seenAt: now, isOn: true, notices: [] }, db, now),
    );
  }

  /** Tells all places something that is no alert. Returns what finds out whether each was told. */
  async test(): Promise<readonly { readonly place: string; readonly id: string }[]> {
    const now = this.#parts.now();
    const told: { place: string; id: string }[] = [];
    await this.#change("test", async (before, db) => {
      const kept: KeptAlert = {
        kind: "test",
        of: null,
        params: {},
        since: now,
        seenAt: now,
        isOn: false,
        notices: before?.notices ?? [],
      };
      const notice = { kind: "test", news: "test", params: {} } as const;
      const added: KeptNotice[] = [];
      for (const place of this.#parts.places) {
        const id = isAddress(place)
          ? await this.#tellAddress(db, place, notice, now)
          : added[added.push(this.#noticeFor(place as ChatId, "test", {}, now)) - 1]?.id;
        told.push({ place, id: id ?? "" });
      }
      return { ...kept, notices: [...kept.notices, ...added] };
    });
    return told;
  }

  /** How often telling a chat something has failed; undefined: it was told. */
  async failuresOf(name: string, id: string): Promise<number | undefined> {
    const kept = await this.#store.get<KeptAlert>(name);
    return kept?.notices.find((notice) => notice.id === id)?.failures;
  }

  /** What is not as it should be now, and was told. */
  async list(): Promise<readonly AlertEntry[]> {
    const all = await this.#store.entries<KeptAlert>();
    return all.flatMap(([, { kind, params, since, isOn }]) =>
      isOn && kind !== "test" ? [{ kind, params, since }] : [],
    );
  }

  /** Takes the next thing that is to be told on one of some platforms, for {@link CLAIM_MS}: of several processes one tells it. */
  async claim(platforms: readonly Platform[]): Promise<ClaimedNotice | undefined> {
    const now = this.#parts.now();
    const isDue = ({ due, place }: KeptNotice) =>
      due <= now && platforms.includes(platformOf(place)) && this.#parts.places.includes(place);
    for (const [name, { notices }] of await this.#store.entries<KeptAlert>()) {
      if (!notices.some(isDue)) continue;
      let taken: ClaimedNotice | undefined;
      await this.#change(name, async (kept) => {
        const next = kept?.notices.find(isDue);
        if (!kept || !next) return kept;
        taken = { ...next, name, kind: kept.kind };
        return changing(kept, next.id, { due: now + CLAIM_MS });
      });
      if (taken) return taken;
    }
    return undefined;
  }

  /** Notes that something was told; nothing is left of what is over and told. */
  async told({ name, id }: ClaimedNotice): Promise<void> {
    await this.#parts.database.keeper.keep(() =>
      this.#change(name, async (kept) => kept && unlessDone(changing(kept, id, "told"))),
    );
  }

  /** Puts off what could not be told. */
  async putOff({ name, id }: ClaimedNotice): Promise<void> {
    const now = this.#parts.now();
    await this.#change(name, async (kept) => {
      const { failures = 0 } = kept?.notices.find((notice) => notice.id === id) ?? {};
      const due = now + Math.min(PAUSE_MS.first * 2 ** failures, PAUSE_MS.longest);
      return kept && changing(kept, id, { due, failures: failures + 1 });
    });
  }

  async #ended(kept: KeptAlert, db: Database["kysely"], now: number): Promise<KeptAlert | undefined> {
    const over = { ...withoutOld(kept, now), isOn: false };
    return unlessDone(kept.isOn ? await this.#adding(db, over, "over") : over);
  }

  /** Has every place told of an alert. */
  async #adding(db: Database["kysely"], kept: KeptAlert, news: AlertNews): Promise<KeptAlert> {
    const { places, now } = this.#parts;
    const at = now();
    for (const url of places.filter(isAddress))
      await this.#tellAddress(db, url, { kind: kept.kind, news, params: kept.params }, kept.since);
    const chats = places.filter((place) => !isAddress(place)) as ChatId[];
    const added = chats.map((chat) => this.#noticeFor(chat, news, kept.params, at));
    return { ...kept, notices: [...kept.notices, ...added] };
  }

  #noticeFor(place: ChatId, news: AlertNews, params: Params, at: number): KeptNotice {
    return { id: randomUUID(), place, news, params, at, due: at, failures: 0 };
  }

  #tellAddress(db: Database["kysely"], url: string, notice: AlertNotice, since: number): Promise<string> {
    const data = dataOf(notice, since, this.#parts.locale);
    return this.#deliveries.addForOperator(db, url, `alert.${notice.news}`, null, data);
  }

  /** Changes one entry, alone. @param change undefined: it is erased */
  async #change(
    name: string,
    change: (before: KeptAlert | undefined, db: Database["kysely"]) => Promise<KeptAlert | undefined>,
  ): Promise<void> {
    await exclusive(this.#parts.database.kysely, [`kv:${NAMESPACE}/${name}`], async (kysely) => {
      const within = this.#store.within({ kysely });
      const before = await within.get<KeptAlert>(name);
      const after = await change(before, kysely);
      if (after) {
        if (JSON.stringify(after) !== JSON.stringify(before)) await within.set(name, after);
      } else if (before) await within.delete(name);
    });
  }
}
