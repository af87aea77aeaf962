import { join } from "node:path";
import { Readable } from "node:stream";
import { json as readJson } from "node:stream/consumers";
import { RATE_LIMITS, type RateGroup } from "../../src/common/contract.ts";
import { Accounts } from "../../src/domain/accounts/accounts.ts";
import { Transport } from "../../src/infrastructure/api/media-api.ts";
import { readConfig } from "../../src/app/config.ts";
import { Experience } from "../../src/domain/jobs/experience/experience.ts";
import type { Job } from "../../src/domain/jobs/job.ts";
import { Ledger } from "../../src/domain/jobs/ledger.ts";
import { KeyChoice } from "../../src/domain/jobs/submission/key-choice.ts";
import { Submitter, type SubmitterParts } from "../../src/domain/jobs/submission/submit.ts";
import { KeyPool } from "../../src/domain/pool/key-pool.ts";
import { Limiter } from "../../src/infrastructure/queue/limiter.ts";
import { Slots } from "../../src/infrastructure/queue/slots.ts";
import { WindowLog } from "../../src/infrastructure/queue/window-log.ts";
import { makeLogger } from "../../src/infrastructure/telemetry/telemetry.ts";
import { StoredKey } from "../../src/infrastructure/vault/stored-key.ts";
import { json, serve } from "../infrastructure/api/server.ts";
import { aRequest } from "./job.ts";
import { temporaryFolder, testPicture } from "./sandbox.ts";
import { testVault } from "./vault.ts";
import { testDatabase } from "./database.ts";

/** A submitter over real HTTP, with a service that never ends a job and never answers those who ask for it. */
export interface SubmitterHarness extends AsyncDisposable {
  readonly ledger: Ledger;
  /** Of another process over the same jobs. */
  readonly other: Ledger;
  /** Prompts of whole requests, in the order in which they came. */
  readonly arrived: readonly string[];
  /** The jobs that the service runs. */
  readonly running: Set<string>;
  /** Refusals for want of a slot. */
  readonly refusals: () => number;
  /** What was logged as wrong. */
  readonly wrong: readonly string[];
  /** Everything that was logged. */
  readonly logged: readonly string[];
  /** Asks for a picture, or one of {@link KINDS}, as somebody of that name. */
  ask(user: string, prompt: string, kind?: keyof typeof KINDS): Promise<Job>;
  /** Has the service end a job. */
  end(prompt: string): Promise<void>;
  /** Has the key's window of a rate be full, until what is returned is called. */
  fill(group: RateGroup): Promise<() => Promise<void>>;
  /** How many places are taken in the key's window of a rate. */
  taken(group: RateGroup): Promise<number>;
  stop(): Promise<void>;
}

/** What may differ. */
export interface HarnessOptions {
  /** How many jobs may run at once. */
  readonly slots?: number;
  /** Whether they have been learned already. */
  readonly areKnown?: boolean;
  /** See `SlotTimes`. */
  readonly silentMs?: number;
  readonly windowMs?: number;
  readonly runners?: SubmitterParts["runners"];
  /** Where the service is, if not here. */
  readonly baseUrl?: string;
}

/** A prompt whose submission gets no answer and holds no slot. */
export const HANGS = "hangs";

/** What is asked for, each of another of the service's rates. */
const KINDS = {
  image: { model: "Default", width: 64, height: 64, guidance: 1, steps: 1 },
  "h3-text": { duration: 6 },
  video: { image: { surface: "web", id: "photo" }, duration: 6, steps: 4, cfg: 1 },
} as const;

const ALWAYS: SubmitterParts["runners"] = {
  lease: { isHeld: () => true },
  async renew() {},
};

/** Starts a submitter. */
export async function submitterHarness(options: HarnessOptions = {}): Promise<SubmitterHarness> {
  const { slots = Infinity, runners = ALWAYS, silentMs = 50, windowMs = 60_000 } = options;
  const arrived: string[] = [];
  const running = new Set<string>();
  const wrong: string[] = [];
  let refusals = 0;
  const server = await serve((request, response) => {
    if (request.method === "GET") return json({ tokens: 100 })(request, response);
    const take = async () => {
      const { prompt } = (await readJson(request)) as { prompt: string };
      arrived.push(prompt);
      if (prompt.startsWith(HANGS)) return;
      if (running.size >= slots) {
        refusals += 1;
        response
          .writeHead(429)
          .end(JSON.stringify({ error: "All concurrent job slots are in use.", code: 429 }));
        return;
      }
      running.add(prompt);
      response.end(
        JSON.stringify({ job_id: prompt, status: "submitted", token_cost: 1, remaining_tokens: 99 }),
      );
    };
    // One that is cut off is no request.
    take().catch(() => undefined);
  });
  const data = temporaryFolder();
  const config = readConfig({ REELAY_DATA: data, REELAY_SECRET: "a secret for tests only" });
  const logged: string[] = [];
  const write = (line: string) => {
    logged.push(line);
    if (/"level":"(?:error|fatal)"/.test(line)) wrong.push(line);
  };
  const log = makeLogger({ level: "info", destination: { write } });
  const database = await testDatabase(join(data, "reelay.db"));
  const vault = await testVault(config, database, log);
  const transport = new Transport({ headersTimeoutMs: 0 });
  const key = new StoredKey("a-key-for-tests");
  const windows = new WindowLog(database, windowMs);
  const limiter = new Limiter({ log: windows });
  const primary = options.baseUrl ?? server.baseUrl;
  const pool = new KeyPool({ database, vault, log, own: key, service: primary });
  const accounts = new Accounts({
    hosts: { primary, "full-catalog": server.baseUrl },
    transport,
    limiter,
    vault,
    pool,
    source: "sandbox",
    operatorKeyFor: [],
  });
  const ledger = new Ledger(database, "one");
  const taken = new Slots({ pauseMs: 10 * silentMs, silentMs });
  if (options.areKnown) learn(taken, key.fingerprint, slots);
  const experience = await Experience.open(database, "sandbox");
  const submitter = new Submitter({
    ledger,
    runners,
    accounts,
    slots: taken,
    keys: new KeyChoice({ accounts, pool, ledger, limiter, slots: taken, experience, random: Math.random }),
    experience,
    log,
    takeLeft: async () => {},
    refusalOf: async () => undefined,
    openMedia: async () => Readable.from(Buffer.from(await testPicture(), "base64")),
    scratch: join(data, "scratch"),
  });
  const scope = `key:${key.fingerprint}`;
  await submitter.start();
  return {
    ledger,
    other: new Ledger(database, "two"),
    arrived,
    running,
    refusals: () => refusals,
    wrong,
    logged,
    ask(user, prompt, kind = "image") {
      const values = { prompt, ...KINDS[kind] };
      const about = { operation: kind, values, fingerprint: prompt, keyId: key.fingerprint } as const;
      return ledger.add(aRequest({ ...about, user: `web:${user}` }), Date.now());
    },
    async end(prompt) {
      running.delete(prompt);
      const job = (await ledger.inState("running")).find(({ serviceId }) => serviceId === prompt);
      if (!job) throw new Error("It is not known to run.");
      await ledger.apply(job, { type: "completed", at: Date.now(), result: ["r"], cost: 1 });
    },
    async fill(group) {
      const limit = RATE_LIMITS[group];
      const places = Array.from({ length: limit }, () => windows.take(group, [scope], limit));
      const found = await Promise.all(places);
      return async () => {
        for (const { slot } of found) if (slot) await windows.cancel(slot);
      };
    },
    taken: async (group) => (await windows.taken(group, [scope]))[0] ?? 0,
    stop() {
      database.keeper.leave();
      return submitter.stop();
    },
    async [Symbol.asyncDispose]() {
      database.keeper.leave();
      const stopped = submitter.stop();
      // It waits for answers, of which one never comes.
      await transport.close();
      await stopped;
      await database.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Has it be known how many slots a key has: as many as are tried at first, at most. */
function learn(slots: Slots, key: string, count: number): void {
  const running = Array.from({ length: count }, () => slots.tryEnter(key, { running: 0, unsure: 0 }));
  for (const permit of running) permit?.accepted();
  slots.tryEnter(key, { running: count, unsure: 0 })?.refused();
}
