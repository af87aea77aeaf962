import type { Role } from "../../common/role.ts";
import { atMost, lookAgain } from "../../common/time.ts";
import { isStorageDown } from "../../infrastructure/storage/keeper.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import { type AlertState, isOver, seen, type Sighting } from "./alert.ts";
import type { Alerts, AlertsParts } from "./alerts.ts";
import type { AlertSubject, Watcher } from "./watcher.ts";

/** How often is looked, in milliseconds. */
const LOOK_EVERY_MS = 20_000;

/** How long one may take to look, in milliseconds: it holds up nobody else's alerts for longer. */
const LOOK_MS = 15_000;

/** What a watch works with. */
export interface AlertWatchParts extends Pick<AlertsParts, "database" | "patienceOf" | "now"> {
  readonly alerts: Alerts;
  readonly watchers: readonly Watcher[];
  /** Whoever has it looks at what is the same from every node, and tells that the database is away. */
  readonly role: Role;
  /** Tells every place, without the database, that it is away. Returns whether anybody was told. */
  readonly tellAway: (signal: AbortSignal) => Promise<boolean>;
  /** Looks what will be needed for that, while the database is there. */
  readonly prepare: () => Promise<void>;
  readonly log: Logger;
}

/** Looks again and again at what operators are alerted to. */
export class AlertWatch {
  readonly #parts: AlertWatchParts;
  readonly #stop = new AbortController();
  readonly #lookedAt = new Map<Watcher, number>();
  readonly #looking = new Set<Watcher>();
  #loop = Promise.resolve();
  /** Since when everything is looked at without a break. */
  #since: number | undefined;
  /** Of the database, which cannot keep that itself. */
  #away: AlertState | undefined;
  /** Whether the role was ours when the database was last there: of several nodes, one tells that it is away. */
  #hadRole = false;
  #hasTold = false;

  constructor(parts: AlertWatchParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    await this.#parts.role.play({ begin: async () => {}, end: async () => {} });
    const look = () =>
      this.look().catch((err: unknown) => {
        // What is known of that is told by what is known of the database.
        if (!this.#stop.signal.aborted && !isStorageDown(err))
          this.#parts.log.error({ err }, "What operators are alerted to could not be looked at");
      });
    this.#loop = lookAgain(look, LOOK_EVERY_MS, this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    await this.#parts.role.leave();
    for (const { close } of this.#parts.watchers) close?.();
  }

  /** Looks once. */
  async look(): Promise<void> {
    const { alerts, database, now, prepare, role, watchers } = this.#parts;
    const isThere = await database.check().then(
      () => true,
      () => false,
    );
    if (!isThere) return this.#missStorage();
    const at = now();
    this.#since ??= at;
    this.#hadRole = role.isOurs;
    await this.#findStorage(at);
    await prepare();
    await Promise.all(watchers.map((watcher) => this.#ask(watcher, at)));
    await alerts.settle(this.#since, (subject) => this.#isRemoved(subject));
  }

  async #isRemoved(subject: AlertSubject): Promise<boolean> {
    const { log, watchers } = this.#parts;
    const watcher = watchers.find(({ removed }) => removed?.kinds.includes(subject.kind));
    try {
      return (await watcher?.removed?.isRemoved(subject)) ?? false;
    } catch (err) {
      log.warn({ err }, "Whether what an alert is about is still there cannot be seen");
      return false;
    }
  }

  async #ask(watcher: Watcher, at: number): Promise<void> {
    const { alerts, log, role } = this.#parts;
    const lookedAt = this.#lookedAt.get(watcher);
    const isDue = lookedAt === undefined || Math.abs(at - lookedAt) >= (watcher.everyMs ?? 0);
    if (!isDue || this.#looking.has(watcher) || (watcher.once && !role.isOurs)) return;
    this.#lookedAt.set(watcher, at);
    this.#looking.add(watcher);
    let found: readonly Sighting[] = [];
    const looking = watcher
      .look(this.#stop.signal)
      .then((sightings) => void (found = sightings))
      .catch((err: unknown) => {
        if (!this.#stop.signal.aborted)
          log.warn({ err }, "Something that operators are alerted to cannot be seen");
      })
      .then(() => void this.#looking.delete(watcher));
    await atMost(LOOK_MS, looking);
    for (const sighting of found) await alerts.see(sighting);
  }

  /** Nothing can be written then, not even that. */
  async #missStorage(): Promise<void> {
    const { log, now, patienceOf, tellAway } = this.#parts;
    this.#since = undefined;
    this.#away = seen(this.#away, now(), patienceOf("storage_away"));
    if (!this.#away.isOn || this.#hasTold || !this.#hadRole) return;
    this.#hasTold = await tellAway(this.#stop.signal).catch((err: unknown) => {
      log.warn({ err }, "Nobody could be told that the database is away");
      return false;
    });
  }

  async #findStorage(at: number): Promise<void> {
    const away = this.#away;
    if (!away || !isOver(away, at, 0, this.#parts.patienceOf("storage_away"))) return;
    if (this.#hasTold) await this.#parts.alerts.tellOver({ kind: "storage_away", params: {} }, away.since);
    this.#away = undefined;
    this.#hasTold = false;
  }
}
