import { copyFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { RATE_WINDOW_MS } from "../common/contract.ts";
import { Accounts, addAccounts, type ACCOUNT_NAMES, type Tier } from "./records/accounts.ts";
import { createApp, createFileApp, FULL_CATALOG_PREFIX } from "./app.ts";
import { Catalogues } from "./catalogues/catalogues.ts";
import { Counters } from "./service/counters.ts";
import { Faults } from "./service/faults.ts";
import { addHistory } from "./records/history.ts";
import { Jobs } from "./records/jobs.ts";
import { type Listening, listen } from "./service/listen.ts";
import { Lags } from "./liberties/lags.ts";
import { type Liberties, shownLiberties, type ShownLiberty, USUAL } from "./liberties/liberties.ts";
import type { DescribedOperation } from "./operations/described.ts";
import { Operations } from "./operations/index.ts";
import { Rates, type Counting } from "./service/rates.ts";
import { ffmpegRenderer } from "./render/ffmpeg.ts";
import { RESULT, type Renderer } from "./render/task.ts";
import type { Service } from "./service/service.ts";
import { openStore, type Store } from "./records/store.ts";
import { Worker } from "./service/worker.ts";

export { drawLiberties } from "./liberties/liberties.ts";
export type { Renderer } from "./render/task.ts";

/** How a sandbox runs. */
export interface SandboxOptions {
  /** Folder of its state; made where it is missing. */
  readonly dir: string;
  /** Address to listen on; 127.0.0.1 unless given. */
  readonly host?: string;
  /** Port to listen on; 0, the default, takes a free one. */
  readonly port?: number;
  /** Stretches (above 1) or shrinks the rate window and the time that jobs take. */
  readonly timeScale?: number;
  /** Least and most time that a job takes from its start, in seconds before scaling; 8 and 20 unless given. */
  readonly jobSeconds?: readonly [least: number, most: number];
  /** Share of accepted jobs, 0 to 1, that end as FAILED; their tokens go back. */
  readonly failRate?: number;
  /** Makes keys, durations and failures repeatable; what a folder began with stays. */
  readonly seed?: string | number;
  /** How what the contract leaves open is answered: as usual unless given; see `drawLiberties`. */
  readonly liberties?: Liberties;
  /** How rate windows are counted: as `liberties` say unless given. */
  readonly counting?: Counting;
  /** The ffmpeg binary; the one on the PATH unless given. */
  readonly ffmpeg?: string;
  /** Makes the clips; with ffmpeg unless given. Pictures are always drawn. */
  readonly render?: Renderer;
  /** What else it can make: what it does not emulate is done as far as its description says. */
  readonly operations?: readonly DescribedOperation[];
  /** Most that the network adds to a request, at random, in milliseconds. */
  readonly latencyMs?: number;
  /** Hears why its jobs do not get on, such as that the disk is full, once until they do again. */
  readonly trouble?: (error: unknown) => void;
}

/** A sandbox that runs. */
export interface Sandbox {
  /** Base URL of the primary host; ends in `/api`. */
  readonly url: string;
  /** Base URL of the full-catalogue host; ends in `/api`. */
  readonly fullCatalogUrl: string;
  /** The accounts' keys. */
  readonly keys: Readonly<Record<(typeof ACCOUNT_NAMES)[number], string>>;
  /** Where `/faults`, `/liberties` and `/ledger` are. */
  readonly control: string;
  /** How what the contract leaves open is answered, question by question. */
  readonly liberties: readonly ShownLiberty[];
  /** Adds an account, or finds the one of that name; returns its key. */
  addAccount(name: string, tier: Tier, tokens?: number): string;
  /** Gives tokens to the account of a key. */
  topUp(key: string, tokens: number): void;
  /** Stops listening, rendering and writing; state stays in the folder. */
  stop(): Promise<void>;
}

/**
 * Starts the service's emulator; it goes on where the folder's last one stopped, or was killed.
 * @throws when the port is taken, or the folder cannot be written or is damaged; it is then free for another attempt
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const store = openStore(options.dir, options.seed === undefined ? undefined : String(options.seed));
  try {
    return await startOver(store, options);
  } catch (error) {
    store.db.close();
    throw error;
  }
}

async function startOver(store: Store, options: SandboxOptions): Promise<Sandbox> {
  const { host = "127.0.0.1", timeScale = 1, liberties = USUAL } = options;
  const { counting = liberties.counting } = options;
  const accounts = new Accounts(store, liberties, timeScale);
  const jobs = new Jobs(store, accounts, liberties, timeScale);
  const catalogues = new Catalogues(store);
  const known = addAccounts(accounts);
  for (const account of [known.standard, known.pro, known.ultra, known.boss]) addHistory(jobs, account);

  const render = options.render ?? ffmpegRenderer(options.ffmpeg ?? "ffmpeg");
  const operations = new Operations(options.operations ?? []);
  const worker = new Worker(
    operations,
    jobs,
    catalogues,
    store.files,
    render,
    Math.min(250, Math.max(20, 250 * timeScale)),
    options.trouble ?? (() => {}),
  );
  const stopping = new AbortController();
  let files: Listening | undefined;
  const service: Service = {
    accounts,
    jobs,
    operations,
    catalogues,
    worker,
    files: store.files,
    seed: store.seed,
    timeScale,
    liberties,
    lags: new Lags(timeScale),
    fileOrigin: () => files?.origin ?? "",
    stopping: stopping.signal,
    jobSeconds: options.jobSeconds ?? [8, 20],
    rates: new Rates(
      RATE_WINDOW_MS * timeScale,
      counting,
      () => performance.now(),
      liberties.refusedCount === "counted",
    ),
    faults: new Faults(),
    counters: new Counters(),
    failRate: options.failRate ?? 0,
  };
  await worker.clean();
  const main = await listen(createApp(service, options.latencyMs ?? 0), options.port ?? 0, host);
  if (liberties.resultHost !== "own")
    files = await listen(createFileApp(service), 0, host).catch(async (error: unknown) => {
      await main.close();
      throw error;
    });
  worker.start();

  return {
    url: `${main.origin}/api`,
    fullCatalogUrl: `${main.origin}${FULL_CATALOG_PREFIX}/api`,
    control: `${main.origin}/sandbox`,
    liberties: shownLiberties(liberties),
    keys: {
      standard: known.standard.key,
      pro: known.pro.key,
      ultra: known.ultra.key,
      boss: known.boss.key,
      empty: known.empty.key,
    },
    addAccount: (name, tier, tokens) => accounts.add(name, tier, tokens).key,
    topUp(key, tokens) {
      const account = accounts.byKey(key);
      if (account) accounts.charge(account.id, -100 * tokens);
    },
    async stop() {
      stopping.abort();
      await Promise.all([main.close(), files?.close(), worker.stop()]);
      store.db.close();
    },
  };
}

/** A renderer for tests: every clip is a copy of one clip. */
export function copyRenderer(clip: string): Renderer {
  return async ({ dir }) => {
    const partial = join(dir, `${RESULT}.part`);
    await copyFile(clip, partial);
    await rename(partial, join(dir, RESULT));
  };
}
