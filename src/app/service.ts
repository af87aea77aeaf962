import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../common/disk.ts";
import { lookAgain, sleep } from "../common/time.ts";
import type { SharedSource } from "../domain/accounts/accounts.ts";
import { OPERATIONS } from "../domain/operations/registry.ts";
import { MediaApi, type Transport } from "../infrastructure/api/media-api.ts";
import type { Config } from "./config.ts";
import { RATE_WINDOW_MS } from "../common/contract.ts";
import { sandboxFolder } from "./data-folder.ts";
import { findFfmpeg } from "../infrastructure/media/video/ffmpeg.ts";
import type { Hosts } from "../common/contract.ts";
import { type FileLock, locked } from "../infrastructure/storage/scratch.ts";
import type { Logger } from "../infrastructure/telemetry/telemetry.ts";
import { StoredKey } from "../infrastructure/vault/stored-key.ts";

/** The key that pays for those who have connected none, and whose it is. */
export interface SharedKey {
  readonly key: StoredKey;
  readonly source: SharedSource;
}

/** Where the service is. */
export interface OpenService {
  readonly hosts: Hosts;
  readonly shared: SharedKey | undefined;
  /** Whether it is the built-in sandbox. */
  readonly sandbox: boolean;
  /** The key of the sandbox that the data folder had before it, by its fingerprint. */
  readonly leftKeyId?: string | undefined;
  /** The least time between two reads of one job, in milliseconds. */
  readonly pollMs: number;
  stop(): Promise<void>;
}

/** What another process needs to find the sandbox of a data folder. */
interface Whereabouts {
  readonly url: string;
  readonly fullCatalogUrl: string;
  readonly port: number;
  readonly key: string;
}

/** Whose key pays for those who have connected none, known before the service is opened. */
export function sharedSource({
  apiUrl,
  apiKey,
}: Pick<Config, "apiUrl" | "apiKey">): SharedSource | undefined {
  if (apiUrl === undefined) return "sandbox";
  return apiKey ? "operator" : undefined;
}

/** What was learned of a service is kept under its address; the sandbox's changes. */
export const serviceNameOf = ({ hosts, shared }: Pick<OpenService, "hosts" | "shared">): string =>
  shared?.source === "sandbox" ? shared.source : hosts.primary;

/** The service that the settings name; where they name none, the sandbox of the data folder. */
export async function openService(config: Config, transport: Transport, log: Logger): Promise<OpenService> {
  if (config.apiUrl === undefined) return openSandbox(config, transport, log);
  const shared = config.apiKey
    ? ({ key: new StoredKey(config.apiKey), source: "operator" } as const)
    : undefined;
  const hosts = { primary: config.apiUrl, "full-catalog": config.apiUrlFullCatalog };
  const left = await whereaboutsIn(sandboxFolder(config.data));
  const leftKeyId = left && new StoredKey(left.key).fingerprint;
  return { hosts, shared, sandbox: false, leftKeyId, pollMs: config.pollMs, stop: async () => {} };
}

/**
 * Whoever tries Reelay out is not to wait for the first film: a job of its own sandbox takes as long as it is drawn, this many
 * seconds at least, and is asked about every second, which the real service is never.
 */
const DEMO_SECONDS = [1, 2] as const;
const DEMO_POLL_MS = 1_000;

/** How often it is looked whether a sandbox that another process runs is there, and whether that process still is, in milliseconds. */
const LOOK_MS = 250;
/** How long one that does not answer is waited for, in looks: its requests wait for it then, as they would for the service. */
const LOOKS = 40;

/**
 * A server and a command-line run of one data folder share its sandbox: whoever comes first runs it, and has a file locked as long as it
 * does, since two that ran it at once would draw the same files. Once that process has ended, another one goes on with it.
 */
async function openSandbox(config: Config, transport: Transport, log: Logger): Promise<OpenService> {
  const dir = sandboxFolder(config.data);
  makeFolder(dir);
  const runIfFree = async () => {
    const lock = locked(join(dir, "running.lock"));
    return (
      lock &&
      runSandbox(dir, config, lock, log).catch(async (error: unknown) => {
        lock.close();
        throw (await import("./sandbox/folder.ts")).asSandboxError(error, dir);
      })
    );
  };
  for (let nth = 1; ; nth += 1) {
    const known = await whereaboutsIn(dir);
    if (known && (nth > LOOKS || (await answers(known, transport))))
      return { ...found(known, config), ...takeOver(runIfFree, log) };
    const ours = await runIfFree();
    if (ours) return ours;
    await sleep(LOOK_MS);
  }
}

/** Runs the sandbox as soon as the process that runs it has ended. */
function takeOver(runIfFree: () => Promise<OpenService | undefined>, log: Logger): Pick<OpenService, "stop"> {
  const leaving = new AbortController();
  let ours: OpenService | undefined;
  let isTold = false;
  const look = async () => {
    ours ??= await runIfFree();
  };
  const looking = lookAgain(
    () =>
      look().catch((err: unknown) => {
        // It is tried again for as long as that takes, which fills no disk.
        if (!isTold) log.warn({ err }, "The built-in sandbox cannot be run here");
        isTold = true;
      }),
    LOOK_MS,
    leaving.signal,
  );
  return {
    async stop() {
      leaving.abort();
      await looking;
      await ours?.stop();
    },
  };
}

/** Runs it. It keeps its port, because addresses of results that are still to be fetched hold it. */
async function runSandbox(dir: string, config: Config, lock: FileLock, log: Logger): Promise<OpenService> {
  const { startSandbox } = await import("../sandbox/sandbox.ts");
  const known = await whereaboutsIn(dir);
  const ffmpeg = await findFfmpeg(config.ffmpeg);
  const options = {
    dir,
    operations: OPERATIONS,
    timeScale: config.rateWindowMs / RATE_WINDOW_MS,
    jobSeconds: DEMO_SECONDS,
    trouble: (err: unknown) => log.warn({ err }, "The built-in sandbox's jobs wait until this is over"),
    ...(ffmpeg && { ffmpeg }),
  };
  const sandbox = await startSandbox({ ...options, port: known?.port ?? 0 }).catch((error: unknown) => {
    if (known === undefined || !isOfListening(error)) throw error;
    // Somebody else has the port by now.
    return startSandbox(options);
  });
  const { url, fullCatalogUrl } = sandbox;
  const whereabouts = { url, fullCatalogUrl, port: Number(new URL(url).port), key: sandbox.keys.ultra };
  await tell(dir, whereabouts).catch(async (error: unknown) => {
    // Whoever gets the lock next would run another one beside it.
    await sandbox.stop();
    throw error;
  });
  log.info({ url: sandbox.url }, "The built-in sandbox stands in for the service: no account, no costs");
  return { ...found(whereabouts, config), stop: () => sandbox.stop().finally(() => lock.close()) };
}

/** The file that tells others where it is. */
const WHEREABOUTS = "running.json";

const isOfListening = (error: unknown) =>
  error instanceof Error && "syscall" in error && error.syscall === "listen";

/** Tells where it is. A full disk leaves what stood there: without it, the next one would take another port. */
async function tell(dir: string, whereabouts: Whereabouts): Promise<void> {
  const path = join(dir, WHEREABOUTS);
  await writeFile(`${path}.part`, JSON.stringify(whereabouts), { mode: 0o600 });
  await rename(`${path}.part`, path);
}

/** Where it was last, as far as that is known. */
const whereaboutsIn = (dir: string) =>
  readFile(join(dir, WHEREABOUTS), "utf8")
    .then((text) => JSON.parse(text) as Whereabouts)
    .catch(() => undefined);

function found({ url, fullCatalogUrl, key }: Whereabouts, config: Config): Omit<OpenService, "stop"> {
  const hosts = { primary: url, "full-catalog": fullCatalogUrl };
  const pollMs = Math.min(config.pollMs, DEMO_POLL_MS);
  return { hosts, shared: { key: new StoredKey(key), source: "sandbox" }, sandbox: true, pollMs };
}

async function answers({ url, key }: Whereabouts, transport: Transport): Promise<boolean> {
  try {
    await new MediaApi({ baseUrl: url, key, transport, retry: { attempts: 1 } }).balance();
    return true;
  } catch {
    return false;
  }
}
