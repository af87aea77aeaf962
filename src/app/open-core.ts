import { join } from "node:path";
import type { Transport } from "../infrastructure/api/media-api.ts";
import type { FileStore } from "../infrastructure/media/files/files.ts";
import type { Database } from "../infrastructure/storage/database.ts";
import { dialectOf } from "../infrastructure/storage/dialect.ts";
import { openScratch, type Scratch } from "../infrastructure/storage/scratch.ts";
import { RecentLines } from "../infrastructure/telemetry/recent-lines.ts";
import { type Logger, makeLogger } from "../infrastructure/telemetry/telemetry.ts";
import { openVault } from "../infrastructure/vault/open.ts";
import type { Vault } from "../infrastructure/vault/vault.ts";
import type { RunningCore } from "../seam/surface/runtime.ts";
import type { Surface } from "../seam/surface/surface.ts";
import type { Config } from "./config.ts";
import { Core } from "./core.ts";
import type { CoreParts } from "./core-parts.ts";
import { openStore } from "./data-folder.ts";
import { transportOf } from "./egress/open.ts";
import { keepInSight, openFiles, refuseHalfCopied } from "./places/files.ts";
import { openService, type OpenService } from "./service.ts";
import type { Tracing } from "./tracing/open.ts";

/** What everything else stands on. */
export interface Foundation {
  readonly settings: Config;
  readonly log: Logger;
  readonly recent: RecentLines;
  readonly database: Database;
  readonly files: FileStore;
  readonly scratch: Scratch;
  readonly vault: Vault;
  readonly transport: Transport;
  readonly service: OpenService;
  /** Undefined: nobody wants traces, or they cannot be sent. */
  readonly tracing: Tracing | undefined;
  close(): Promise<void>;
}

/**
 * Opens a core for a command of the command line, and starts it: no server, and nobody's jobs but its own.
 * @param onLeft see {@link CoreParts}
 */
export async function openCore(
  settings: Config,
  surface: Surface,
  onLeft?: () => void,
): Promise<RunningCore> {
  const foundation = await openFoundation(settings);
  const core = await orClose(foundation, coreOn(foundation, { surfaces: [surface], onLeft }));
  const running = runningOn(foundation, core, async (asking) => {
    await core.stop(asking);
    await foundation.close();
  });
  await core.start(false).catch(async (error: unknown) => {
    await running.stop();
    throw error;
  });
  return running;
}

/** Opens what everything else stands on. */
export async function openFoundation(settings: Config): Promise<Foundation> {
  const recent = new RecentLines();
  const log = makeLogger({ level: settings.logLevel, also: recent });
  await using opened = new AsyncDisposableStack();
  const tracing =
    settings.tracing && (await (await import("./tracing/open.ts")).openTracing(settings.tracing, log));
  opened.defer(() => tracing?.stop());
  const database = await openStore(settings);
  opened.defer(() => database.close());
  await refuseHalfCopied(database, settings);
  const scratch = await openScratch(join(settings.data, "scratch"));
  opened.defer(() => scratch.close());
  const files = await openFiles(settings, scratch.folder);
  opened.defer(() => files.close());
  // Nodes agree on their place once they know each other: see `checkPlace`.
  if (dialectOf(database.kysely).hasFiles) await keepInSight(database, settings, files);
  const vault = await openVault(settings, database, log);
  const transport = transportOf(settings, {}, log);
  opened.defer(() => transport.close());
  const service = await openService(settings, transport, log);
  opened.defer(() => service.stop());
  const all = opened.move();
  return {
    settings,
    log,
    recent,
    database,
    files,
    scratch,
    vault,
    transport,
    service,
    tracing,
    close: () => all.disposeAsync(),
  };
}

/** Puts a core together on its foundation; nothing happens yet. */
export function coreOn(
  { settings, service, ...foundation }: Foundation,
  parts: Pick<CoreParts, "surfaces" | "links" | "liveBlocks" | "onLeft">,
): Promise<Core> {
  const { hosts, shared, leftKeyId, pollMs } = service;
  return Core.open({ ...foundation, config: { ...settings, pollMs }, hosts, shared, leftKeyId, ...parts });
}

/** Waits for what stands on a foundation; where that fails, what was opened is closed, as it would keep the process alive. */
export function orClose<T>(foundation: Foundation, opening: Promise<T>): Promise<T> {
  return opening.catch(async (error: unknown) => {
    await foundation.close();
    throw error;
  });
}

/** A core as those see it who opened it. */
export function runningOn(
  { service, transport }: Foundation,
  core: Core,
  stop: RunningCore["stop"],
): RunningCore {
  return {
    intake: core.intakeFor("cli"),
    sandbox: service.sandbox,
    silentSince: () => transport.silentSince,
    adopt: () => core.adopt(true),
    stop,
  };
}
