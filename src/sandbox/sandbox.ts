import { createAdaptorServer } from "@hono/node-server";
import { once } from "node:events";
import { copyFile, rename } from "node:fs/promises";
import { Server } from "node:http";
import { join } from "node:path";
import { RATE_WINDOW_MS } from "../contract.ts";
import { Accounts, addAccounts, type ACCOUNT_NAMES, type Tier } from "./accounts.ts";
import { createApp, FULL_CATALOG_PREFIX } from "./app.ts";
import { Catalogues } from "./catalogues/catalogues.ts";
import { Counters } from "./counters.ts";
import { Faults } from "./faults.ts";
import { addHistory } from "./history.ts";
import { Jobs } from "./jobs.ts";
import { Rates, type Counting } from "./rates.ts";
import { ffmpegRenderer } from "./render/ffmpeg.ts";
import { RESULT, type Renderer } from "./render/task.ts";
import { openStore } from "./store.ts";
import { Worker } from "./worker.ts";

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
  /** How rate windows are counted: `sliding` unless given. */
  readonly counting?: Counting;
  /** The ffmpeg binary; the one on the PATH unless given. */
  readonly ffmpeg?: string;
  /** Makes the clips; with ffmpeg unless given. Pictures are always drawn. */
  readonly render?: Renderer;
  /** Most that the network adds to a request, at random, in milliseconds. */
  readonly latencyMs?: number;
}

/** A sandbox that runs. */
export interface Sandbox {
  /** Base URL of the primary host; ends in `/api`. */
  readonly url: string;
  /** Base URL of the full-catalogue host; ends in `/api`. */
  readonly fullCatalogUrl: string;
  /** The accounts' keys. */
  readonly keys: Readonly<Record<(typeof ACCOUNT_NAMES)[number], string>>;
  /** Where `/faults` and `/ledger` are. */
  readonly control: string;
  /** Adds an account, or finds the one of that name; returns its key. */
  addAccount(name: string, tier: Tier, tokens?: number): string;
  /** Stops listening, rendering and writing; state stays in the folder. */
  stop(): Promise<void>;
}

/**
 * Starts the service's emulator; it goes on where the folder's last one stopped, or was killed.
 * @throws when the port is taken; the folder is then free for another attempt
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = "127.0.0.1", timeScale = 1, counting = "sliding" } = options;
  const store = openStore(options.dir, options.seed === undefined ? undefined : String(options.seed));
  const accounts = new Accounts(store);
  const jobs = new Jobs(store, accounts);
  const catalogues = new Catalogues(store);
  const known = addAccounts(accounts);
  for (const account of [known.standard, known.pro, known.ultra, known.boss]) addHistory(jobs, account);

  const render = options.render ?? ffmpegRenderer(options.ffmpeg ?? "ffmpeg");
  const worker = new Worker(
    jobs,
    catalogues,
    store.files,
    render,
    Math.min(250, Math.max(20, 250 * timeScale)),
  );
  const app = createApp(
    {
      accounts,
      jobs,
      catalogues,
      worker,
      files: store.files,
      seed: store.seed,
      timeScale,
      jobSeconds: options.jobSeconds ?? [8, 20],
      rates: new Rates(RATE_WINDOW_MS * timeScale, counting, () => performance.now()),
      faults: new Faults(),
      counters: new Counters(),
      failRate: options.failRate ?? 0,
    },
    options.latencyMs ?? 0,
  );
  const server = createAdaptorServer({ fetch: app.fetch });
  try {
    await worker.clean();
    server.listen(options.port ?? 0, host);
    await once(server, "listening");
  } catch (error) {
    store.db.close();
    throw error;
  }
  worker.start();

  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    url: `${origin}/api`,
    fullCatalogUrl: `${origin}${FULL_CATALOG_PREFIX}/api`,
    control: `${origin}/sandbox`,
    keys: {
      standard: known.standard.key,
      pro: known.pro.key,
      ultra: known.ultra.key,
      boss: known.boss.key,
      empty: known.empty.key,
    },
    addAccount: (name, tier, tokens) => accounts.add(name, tier, tokens).key,
    async stop() {
      const closed = once(server, "close");
      server.close();
      if (server instanceof Server) server.closeAllConnections();
      await Promise.all([closed, worker.stop()]);
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
