import type { Database } from "../../infrastructure/storage/database.ts";
import { dialectOf } from "../../infrastructure/storage/dialect.ts";
import type { AlertEntry } from "../../seam/access/alerts.ts";
import type { FullWindow, Health, JobLine, Now, OpenKind, OpenPerson } from "../../seam/access/console.ts";
import type { Surface } from "../../seam/surface/surface.ts";
import { RATE_LIMITS, type RateGroup } from "../../common/contract.ts";
import { currentTime } from "../../common/time.ts";
import { fromRow, GOING_ON, ID_UNINDEXED } from "../jobs/row.ts";
import { dueWebhooks, givenUpAt, fullWindows, openJobs, summed } from "./going-on.ts";
import { lineOf } from "./job-line.ts";

/** As many as can be looked over. */
const MOST_PEOPLE = 20;
const MOST_RUNNING = 30;

/** What is looked at. */
export interface NowParts {
  readonly database: Pick<Database, "kysely">;
  /** This process; see `Runners`. */
  readonly runner: string;
  /** The names of the addresses that its requests leave by; see `REELAY_EGRESS`. */
  readonly egresses: readonly string[];
  readonly platforms: () => readonly Pick<Surface, "name" | "ready">[];
  /** What operators were alerted to and is not over; undefined: nobody looks for that. */
  readonly alerts: (() => Promise<readonly AlertEntry[]>) | undefined;
  /** Since when no request to the service was answered, in milliseconds since 1970. */
  readonly silentSince: () => number | undefined;
}

/** Looks at what is going on. A database that cannot be read is part of it. */
export async function lookNow(parts: NowParts): Promise<Now> {
  const platforms = parts.platforms().map((one) => ({ name: one.name, ready: one.ready() }));
  const since = parts.silentSince();
  // By this machine's own clock, which told when.
  const silentMs = since === undefined ? null : Math.max(0, Date.now() - since);
  try {
    const { health, ...found } = await stored(parts);
    return { ...found, health: { ...health, storage: true, silentMs, platforms } };
  } catch {
    const health: Health = { storage: false, silentMs, platforms, ...NOTHING };
    return {
      at: currentTime(),
      kinds: [],
      people: [],
      morePeople: 0,
      running: [],
      limits: [],
      health,
      alerts: null,
    };
  }
}

const NOTHING = { webhooks: { due: 0, oldestMs: 0, givenUp: 0 }, nodes: [] } as const;

/** What stands in the database. */
async function stored({ alerts, database, egresses, runner }: NowParts) {
  const { kysely } = database;
  const at = await dialectOf(kysely).now(kysely);
  const ms = (since: number | null) => (since === null ? 0 : Math.max(0, at - since));
  const [jobs, running, due, givenUp, limits, nodes, alerted] = await Promise.all([
    openJobs(database),
    runningJobs(database),
    dueWebhooks(database),
    givenUpAt(database),
    fullWindows(database, at),
    kysely.selectFrom("runners").select(["id", "beat_at"]).where("beat_at", ">", 0).execute(),
    alerts?.(),
  ]);
  const kinds = [...summed(jobs, ({ operation, place }) => `${place}:${operation}` as const)].map(
    ([kind, { count, at: oldest }]): OpenKind => {
      const [place, operation] = kind.split(":") as [OpenKind["place"], string];
      return { operation, place, count, oldestMs: ms(oldest) };
    },
  );
  const people = peopleOf(jobs, ms);
  return {
    at,
    kinds,
    people: people.slice(0, MOST_PEOPLE),
    morePeople: Math.max(0, people.length - MOST_PEOPLE),
    running,
    limits: allWindows(limits, egresses),
    alerts: alerted?.toSorted((one, other) => one.since - other.since) ?? null,
    health: {
      webhooks: { due: due.count, oldestMs: ms(due.at), givenUp },
      nodes: nodes.map(({ id, beat_at }) => ({ id, seenMs: ms(beat_at), isThis: id === runner })),
    },
  };
}

/** Whoever has the most first. */
function peopleOf(
  jobs: Awaited<ReturnType<typeof openJobs>>,
  ms: (since: number | null) => number,
): readonly OpenPerson[] {
  const queued = summed(
    jobs.filter(({ place }) => place === "queued"),
    ({ user }) => user,
  );
  return [...summed(jobs, ({ user }) => user)]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .map(([user, { count, at }]) => {
      const waiting = queued.get(user)?.count ?? 0;
      return { user, queued: waiting, others: count - waiting, oldestMs: ms(at) };
    });
}

/** The oldest that were sent to the service. */
async function runningJobs({ kysely }: NowParts["database"]): Promise<readonly JobLine[]> {
  const rows = await kysely
    .selectFrom("jobs")
    .selectAll()
    .where("going_on", "=", GOING_ON)
    .where("state", "in", ["submitting", "unsure", "running"])
    .orderBy(ID_UNINDEXED)
    .limit(MOST_RUNNING)
    .execute();
  return rows.map(fromRow).map(lineOf);
}

/** All windows in one order, the empty ones too: nothing moves about while somebody looks. */
function allWindows(found: readonly FullWindow[], egresses: readonly string[]): readonly FullWindow[] {
  const own = egresses.map((name) => `egress:${name}`);
  const scopes = [...new Set([...own, ...found.map(({ scope }) => scope).toSorted(), "key"])];
  const groups = Object.entries(RATE_LIMITS) as [RateGroup, number][];
  return scopes.flatMap((scope) =>
    groups.map(([group, limit]): FullWindow => {
      const used = found.find((window) => window.scope === scope && window.group === group)?.used ?? 0;
      return { scope, group, used, limit };
    }),
  );
}
