import { availableParallelism, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { constantFrom, integer, record, sample } from "fast-check";
import { Turns } from "../src/infrastructure/queue/turns.ts";
import { Refused } from "../test/adapters/web/support/client.ts";
import { Child, hasMachines, type Home, onOwnMachine, withClock } from "../test/support/crash-child.ts";
import { PHOTOS, tellingRenderer } from "../test/support/crash-photos.ts";
import { whatNodesSend, worstWindow } from "../test/support/limit-nodes.ts";
import { startPostgres, type TestPostgres } from "../test/support/postgres.ts";
import { temporaryFolder, type TestSandbox, testSandbox } from "../test/support/sandbox.ts";
import { addressThrough, startTcpProxy, type TcpProxy } from "../test/support/tcp-proxy.ts";
import {
  type DatabaseBlow,
  type Disk,
  EVERY_MS,
  mountDisk,
  strikeDatabase,
  WANT_MS,
} from "./support/database-blows.ts";
import { Looks, lostOf, PATIENCE_MS, settled, Told } from "./support/cluster-ends.ts";
import { twice } from "./support/ends.ts";
import { percent, quantile, say, type Section, table } from "./support/report.ts";

const NODES = 4;
/** The service's 60 s; the lease of a node and the pauses are not scaled. */
const WINDOW_MS = 3_000;
const POLL_MS = 250;
const LIMIT = 20;
const MINUTES = Number(process.env["CLUSTER_MINUTES"] ?? 20);
const SEED = Number(process.env["CLUSTER_SEED"] ?? 17);
const JOBS_A_BLOW = 2;
/** A takeover that takes longer is looked into. */
const GOAL_MS = 10_000;
const HANDOVER_GOAL_MS = 1_000;
/** By how much the clock of each node is ahead, in milliseconds. */
const CLOCKS = [0, 600_000, -600_000, 0];

/** What happens to a node that was just asked, in milliseconds. */
const blow = record({
  kind: constantFrom("kill", "kill", "kill", "pause", "pause", "pause", "cut", "half-open", "stop"),
  afterMs: integer({ min: 0, max: 2_500 }),
  pauseMs: constantFrom(5_000, 5_000, 5_000, 20_000, 20_000, 60_000),
});

/** Of the nodes one is always there: nobody else could take over. */
const out = new Turns(NODES - 1);

/** One node and the way that it has to the database. */
interface Node {
  readonly home: Home;
  readonly proxy: TcpProxy;
  child: Child;
}

/** What came of it all. */
class Counts {
  readonly blows = new Map<string, number>();
  /** Of nodes that nothing happened to the database of in the meantime. */
  readonly takeovers: number[] = [];
  /** In which the database was not there for a while: nobody can take over without it. */
  readonly hindered: number[] = [];
  readonly handovers: number[] = [];
  /** Of nodes that were stopped while the database was not there: they cannot say that they go. */
  readonly unsaid: number[] = [];
  readonly accepted = new Set<string>();
  /** What happened to the database last, and until when. */
  last: { kind: DatabaseBlow | "nothing"; until: number } = { kind: "nothing", until: 0 };
  /** How many processes wanted a processor, minute by minute. */
  readonly loads: number[] = [];
  refused = 0;

  blow(kind: string): void {
    this.blows.set(kind, (this.blows.get(kind) ?? 0) + 1);
  }

  /** Hears what happens to the database; gives back what to call when it is over. */
  databaseBlow(kind: DatabaseBlow): () => void {
    this.blow(kind);
    const blow = { kind, until: Infinity };
    this.last = blow;
    return () => {
      blow.until = performance.now();
    };
  }

  takeover(took: number, what: string): void {
    (this.#wasStruckWithin(took) ? this.hindered : this.takeovers).push(took);
    if (took > GOAL_MS) this.#tell(`${what}: taken over`, took);
  }

  /** @param stopping how long the node took to end before, in milliseconds */
  handover(took: number, stopping: number, what: string): void {
    (this.#wasStruckWithin(took + stopping) ? this.unsaid : this.handovers).push(took);
    if (took > HANDOVER_GOAL_MS) this.#tell(`${what} in ${stopping.toFixed(0)} ms: handed over`, took);
  }

  #wasStruckWithin(ms: number): boolean {
    return performance.now() - this.last.until < ms;
  }

  /** Says what else happened, for whoever looks into one that took long. */
  #tell(what: string, took: number): void {
    const ago = performance.now() - this.last.until;
    say(`  ${what} after ${took.toFixed(0)} ms; ${this.last.kind} over ${ago.toFixed(0)} ms ago`);
  }

  of(kind: string): string {
    return String(this.blows.get(kind) ?? 0);
  }
}

/** What a node works on when something happens to it. */
async function openJobsOf(looks: Looks, { child }: Node) {
  const runners = await looks.ask<{ id: string }>(
    "select id from runners where pid = $1 order by beat_at desc limit 1",
    [child.pid],
  );
  const runner = runners[0]?.id ?? "";
  const open = async () =>
    (await looks.ask("select 1 from jobs where runner = $1 and going_on = 1 limit 1", [runner])).length > 0;
  return { open };
}

/** How long others need to take over what a node had open, in milliseconds; undefined where it had nothing. */
async function untilTaken(
  { open }: Awaited<ReturnType<typeof openJobsOf>>,
  since: number,
  isOver = () => false,
): Promise<number | undefined> {
  if (!(await open())) return undefined;
  while (await open()) {
    if (isOver()) return undefined;
    await sleep(50);
  }
  return performance.now() - since;
}

/** Strikes one node again and again until the time is over. */
async function strike(nodes: readonly Node[], place: number, until: number, looks: Looks, counts: Counts) {
  const node = nodes[place];
  if (!node) return;
  for (const [nth, { kind, afterMs, pauseMs }] of sample(blow, {
    seed: SEED + place,
    numRuns: 10_000,
  }).entries()) {
    if (performance.now() > until) return;
    const started = (await node.child.url) !== undefined;
    if (!started || !node.child.isThere) {
      counts.blow(started ? "ended by itself" : "not started");
      say(`  ${place} ended with ${await node.child.ended()}:\n${node.child.output}`);
      node.child = new Child(node.home);
      continue;
    }
    const asking = await out.run(async () => {
      const asking = Array.from({ length: JOBS_A_BLOW }, async (_, job) => {
        const prompt = `slow zoom ${place}-${nth}-${job}`;
        const photo = PHOTOS[job % PHOTOS.length] ?? new Uint8Array();
        try {
          if (await node.child.ask({ prompt, photo, duration: 6 })) counts.accepted.add(prompt);
        } catch (error) {
          // Otherwise it gave no answer: what became of it is seen in the end.
          if (error instanceof Refused) counts.refused += 1;
        }
      });
      await sleep(afterMs);
      counts.blow(kind);
      const had = await openJobsOf(looks, node);
      const hadOpen = await had.open();
      const since = performance.now();
      if (kind === "kill" || kind === "stop") {
        if (kind === "kill") node.child.kill();
        else node.child.stop();
        await node.child.ended();
        const left = performance.now();
        const took = await untilTaken(had, kind === "kill" ? since : left);
        if (kind === "stop" && hadOpen) counts.handover(took ?? 0, left - since, `${place}, stopped`);
        else if (kind === "kill" && took !== undefined) counts.takeover(took, `${place}, killed`);
        node.child = new Child(node.home);
        await node.child.url;
      } else if (kind === "pause") {
        node.child.pause();
        const taken =
          pauseMs > 6_000 ? untilTaken(had, since, () => performance.now() - since > pauseMs) : undefined;
        await sleep(pauseMs);
        node.child.resume();
        const took = await taken;
        if (took !== undefined) counts.takeover(took, `${place}, paused for ${pauseMs} ms`);
      } else if (kind === "cut") node.proxy.cut();
      else {
        node.proxy.swallow();
        await sleep(Math.min(pauseMs, 20_000));
        node.proxy.heal();
        node.proxy.cut();
      }
      return asking;
    });
    // What is not answered within this was asked of a node that stopped.
    await Promise.race([Promise.all(asking), sleep(30_000)]);
  }
}

async function startNodes(
  sandbox: TestSandbox,
  server: TestPostgres,
  address: string,
): Promise<readonly Node[]> {
  const data = temporaryFolder();
  const key = sandbox.addAccount("bench", "boss", 1e9);
  return Promise.all(
    Array.from({ length: NODES }, async (_, place) => {
      const proxy = await startTcpProxy(server.socket);
      const home: Home = {
        data,
        within: hasMachines() ? onOwnMachine() : [],
        env: {
          ...withClock(CLOCKS[place]),
          REELAY_STORE: addressThrough(proxy, address),
          REELAY_API_URL: sandbox.url,
          REELAY_API_KEY: key,
          REELAY_RATE_WINDOW_MS: String(WINDOW_MS),
          REELAY_POLL_MS: String(POLL_MS),
        },
      };
      return { home, proxy, child: new Child(home) };
    }),
  );
}

const seconds = (some: readonly number[], share: number) =>
  some.length === 0 ? "–" : `${(quantile(some, share) / 1_000).toFixed(1)} s`;

/** How many, and their 50th and 99th percentile. */
const spread = (some: readonly number[]) => `${some.length}: ${seconds(some, 0.5)}, ${seconds(some, 0.99)}`;

async function trial(server: TestPostgres, disk: Disk | undefined): Promise<readonly (readonly string[])[]> {
  await using sandbox = await testSandbox({ render: tellingRenderer, timeScale: WINDOW_MS / 60_000 });
  const address = await server.createDatabase();
  const looks = new Looks(address);
  const counts = new Counts();
  const nodes = await startNodes(sandbox, server, address);
  using proxies = new DisposableStack();
  for (const { proxy } of nodes) proxies.use(proxy);
  try {
    await Promise.all(nodes.map(({ child }) => child.url));
    const until = performance.now() + MINUTES * 60_000;
    const progress = setInterval(() => {
      counts.loads.push(loadavg()[0] ?? 0);
      say(`  ${JSON.stringify(Object.fromEntries(counts.blows))}`);
    }, 60_000);
    const told = new Told(nodes);
    await Promise.all([
      told.readUntil(until),
      strikeDatabase(server, { address, disk, until }, (kind) => counts.databaseBlow(kind)),
      ...nodes.map((_, place) => strike(nodes, place, until, looks, counts)),
    ]);
    clearInterval(progress);
    const end = await settled(told, looks);
    const { ends, jobs } = end;
    const { submissions, rejected } = await sandbox.ledger();
    const results = ends.filter(({ kind }) => kind === "result");
    const endedJobs = ends.flatMap(({ job }) => job ?? []);
    const arrivals = submissions.map(({ at }) => ({ at: Date.parse(at), key: "", egress: "", user: "" }));
    const worst = worstWindow(
      arrivals.toSorted((a, b) => a.at - b.at),
      "key",
      WINDOW_MS,
    );
    return [
      ["nodes", String(NODES)],
      ["kills (SIGKILL)", counts.of("kill")],
      ["pauses (SIGSTOP for 5, 20 or 60 s)", counts.of("pause")],
      ["connections cut", counts.of("cut")],
      ["connections half-open for 5 to 20 s", counts.of("half-open")],
      ["nodes stopped in order", counts.of("stop")],
      ["database restarted (`-m immediate`)", counts.of("restart")],
      [`database without a connection to give for ${WANT_MS / 1_000} s`, counts.of("connections")],
      [
        `database on a full disk for ${WANT_MS / 1_000} s`,
        disk ? counts.of("disk") : "not tried: that takes root",
      ],
      ["nodes that ended by themselves", counts.of("ended by itself")],
      [
        "nodes that were started while the database was away, and ended with a sentence",
        counts.of("not started"),
      ],
      ["jobs accepted", String(jobs.length)],
      ["delivered", String(results.length)],
      ["refused with a sentence", String(counts.refused + ends.length - results.length)],
      ["lost", String(lostOf(end, counts.accepted))],
      ["charged twice", String(twice(submissions.map(({ prompt }) => prompt)))],
      ["told twice", String(twice(endedJobs.map(({ values }) => values["prompt"])))],
      ["429s for the rate", String(rejected.rate)],
      ["submissions in the worst window", `${worst} of ${LIMIT}`],
      ["takeovers, and their 50th and 99th percentile", spread(counts.takeovers)],
      ["takeovers while the database was struck, too, and the same", spread(counts.hindered)],
      ["hand-overs, and the same", spread(counts.handovers)],
      ["hand-overs while the database was struck, too, and the same", spread(counts.unsaid)],
      [
        "load of the machine, median and most",
        [0.5, 1].map((share) => quantile(counts.loads, share).toFixed(1)).join(", "),
      ],
    ];
  } finally {
    for (const { child } of nodes) child.kill();
    await looks.close();
  }
}

const WINDOWS = 20;
const LATENCY_MS = WINDOW_MS / 50;

/** How much of a limit four nodes use that share an address, each with keys of its own, or all with one. */
async function limitUse(server: TestPostgres, shared: boolean): Promise<readonly string[]> {
  const counted = await whatNodesSend({
    store: await server.createDatabase(),
    windowMs: WINDOW_MS,
    limit: LIMIT,
    count: (WINDOWS + 3) * LIMIT,
    latencyMs: LATENCY_MS,
    nodes: Array.from({ length: NODES }, (_, node) => ({
      egresses: ["shared"],
      callers: Array.from({ length: 10 }, (__, nth) => ({
        key: shared ? "shared" : `${node} ${nth % 5}`,
        user: `${node} ${nth}`,
      })),
    })),
  });
  // The first burst fits a window that nothing was sent in.
  const steady = counted.slice(2 * LIMIT);
  // They come in bursts: from a place in one to the same place in another.
  const [first, last] = [steady[0]?.at ?? 0, steady[WINDOWS * LIMIT]?.at ?? 0];
  const share = (WINDOWS * WINDOW_MS) / (last - first);
  const ofNodes = Array.from(
    { length: NODES },
    (_, node) => steady.filter(({ user }) => user.startsWith(`${node} `)).length,
  );
  return [
    shared ? "one key for all nodes" : "keys of their own",
    percent(share),
    `${worstWindow(counted, "egress", WINDOW_MS)} of ${LIMIT}`,
    percent(Math.min(...ofNodes) / steady.length),
    percent(Math.max(...ofNodes) / steady.length),
  ];
}

/** What becomes of jobs and limits on several nodes that are killed, stopped and cut off at random instants. */
export async function cluster(): Promise<Section> {
  using disk = mountDisk();
  const server = await startPostgres(disk);
  if (!server) throw new Error("This takes a PostgreSQL, which cannot be started here.");
  try {
    const use = [await limitUse(server, false), await limitUse(server, true)];
    const rows = await trial(server, disk);
    const text = `${NODES} nodes as processes${hasMachines() ? ", each with a boot id of its own as on machines of their own," : ""} on one PostgreSQL, one of them with a clock ten minutes ahead and one ten minutes behind.
For ${MINUTES} minutes each is asked for ${JOBS_A_BLOW} videos again and again and, up to 2.5 s later, killed, stopped for a while, stopped in order, or
has its connections cut or swallowed by a proxy, at the instants of seed ${SEED}, but never all at once; every ${EVERY_MS / 1_000} s the database is ended as by \`pg_ctl stop -m
immediate\`, has all its connections taken, or its disk filled, in turn. The service's 60 s are ${WINDOW_MS / 1000} s here; leases (6 s) and pauses are as they are. The sandbox counts strictly, in any window. Accepted is what is among the
jobs, or was said to be; lost is of that what nobody was told the end of within ${PATIENCE_MS / 60_000} minutes. All of it shares ${availableParallelism()} processors with whatever else ran. A takeover is from the blow until no open job is the
struck node's; a hand-over from the end of a node that was stopped in order.

${table(["", "counted"], rows)}

How much of a limit ${NODES} nodes use that all have more to send than it allows, over ${WINDOWS} windows after the first two, where the way there and back
takes 0 to ${LATENCY_MS} ms each at random, so that ${percent(WINDOW_MS / (WINDOW_MS + LATENCY_MS))} is the bound; and how the places were shared out among the nodes:

${table(["", "share of the limit", "worst window", "least of a node", "most of a node"], use)}`;
    return { title: "Four nodes on one PostgreSQL", text };
  } finally {
    await server.stop();
  }
}
