import { once } from "node:events";
import { join } from "node:path";
import { ownRole } from "../common/role.ts";
import { inTestMode } from "../common/test-mode.ts";
import { currentTime } from "../common/time.ts";
import { mayBeKey } from "../domain/keys/watch.ts";
import { openPartnerHost } from "../domain/partners/open.ts";
import type { Database } from "../infrastructure/storage/database.ts";
import { erasedLater } from "../infrastructure/media/files/erased-later.ts";
import { LINKS_PATH, openLinks } from "../infrastructure/media/files/links.ts";
import { memory } from "../infrastructure/storage/key-value.ts";
import { SharedRole } from "../infrastructure/storage/shared-role.ts";
import type { ConsoleDesk } from "../seam/access/console.ts";
import type { OperatorHost, PartnerHost, SurfaceHost } from "../seam/surface/host.ts";
import type { RunningCore } from "../seam/surface/runtime.ts";
import type { Surface } from "../seam/surface/surface.ts";
import type { Config } from "./config.ts";
import { openStore, refuseInside } from "./data-folder.ts";
import { modeOf } from "../seam/access/partners.ts";
import { EgressReturns } from "./egress/returns.ts";
import { openOperatorHost } from "./operator-host.ts";
import type { LazyTestMode } from "./test-mode/test-mode.ts";
import { countBegun } from "../domain/policy/begun-before.ts";
import { PartnerBook } from "../domain/partners/partner-book.ts";
import { mediaNeeds } from "./media-needs.ts";
import type { OtherCounted } from "./metrics/counted.ts";
import type { MetricsServer } from "./serve-metrics.ts";
import { coreOn, type Foundation, openFoundation, orClose, runningOn } from "./open-core.ts";
import { warnOfUnreadable } from "./keys/unreadable.ts";
import { LOGIN } from "./login.ts";
import { readinessOf } from "./readiness.ts";
import { checkPlace } from "./shared-place.ts";
import { webhookHosts } from "../seam/config.ts";
import { sealedMemory } from "../seam/surface/sealed-memory.ts";
import { createServer, type HttpServer } from "./server.ts";
import type { HttpListener } from "./http/listener.ts";
import { secretPath } from "../infrastructure/vault/open.ts";
import { clearDrafts } from "../infrastructure/vault/secrets.ts";
import type { Vault } from "../infrastructure/vault/vault.ts";
import type { Logger } from "../infrastructure/telemetry/telemetry.ts";

/** How long a stop may take before the process leaves anyway, in milliseconds: what is open goes on after a restart. */
const STOP_MS = 10_000;

/** Whatever was written for a moment so long ago, in milliseconds, nobody is writing any more. */
const ABANDONED_MS = 3_600_000;

/** A platform, as far as it can be asked whether people reach it: one that runs in other processes too. */
interface Reachable extends Pick<Surface, "name" | "ready"> {
  /** What those processes have counted, each as it says it. */
  counted(): Promise<readonly OtherCounted[]>;
}

/** A core with the one HTTP server that its surfaces may use. */
export interface OpenServer extends RunningCore {
  readonly server: HttpServer;
  /** Undefined: nobody wants numbers. */
  readonly metrics: MetricsServer | undefined;
}

/** Makes a surface over what it stands on. */
export type MakeSurface = (
  host: SurfaceHost,
  forPartners: PartnerHost,
  forOperators: OperatorHost,
) => Surface;
/** Makes all of them. */
export type MakeSurfaces = (...hosts: Parameters<MakeSurface>) => readonly Surface[];

/** What a server may have beside its surfaces. */
interface ServerParts {
  /** What the health check asks as well. */
  readonly elsewhere?: readonly Reachable[];
  /** Where it is reached, which outlives it; left out, it has one of its own. */
  readonly listener?: HttpListener;
  /** Makes what partners' programs call, for their test tokens; left out, those lead nowhere. */
  readonly makeTests?: MakeSurface;
  /** The database that partners and their tokens are in, where this is for their test tokens. */
  readonly live?: Database;
  /** Aborted when what hands requests on to this begins to stop. */
  readonly leaving?: AbortSignal;
  /** Makes what sets Reelay up, and changes its rules, while it runs; left out, nothing is. */
  readonly makeSetup?: (parts: SetupParts) => Pick<SurfaceHost, "setup" | "rules">;
}

/** What setting up stands on. */
interface SetupParts {
  readonly database: Database;
  readonly vault: Vault;
  readonly surfaces: () => readonly Surface[];
  readonly log: Logger;
}

/** Opens a core with its surfaces, and starts it; what killed processes left open on these surfaces is taken over. */
export async function openServer(
  settings: Config,
  makeSurfaces: MakeSurfaces,
  beside: ServerParts = {},
): Promise<OpenServer> {
  const foundation = await openFoundation(settings);
  const parts = await orClose(foundation, assemble(foundation, makeSurfaces, beside));
  const { core, webhookDispatcher, server, metrics, surfaces, alerts, backups, tests } = parts;
  // The built-in sandbox is in this process: nothing keeps requests from it.
  const returns =
    settings.apiUrl === undefined
      ? undefined
      : new EgressReturns({ transport: foundation.transport, apiUrl: settings.apiUrl });
  let warning: Promise<void> | undefined;
  const running = runningOn(foundation, core, async () => {
    await using last = new AsyncDisposableStack();
    last.defer(() => foundation.close());
    last.defer(() => warning);
    await server.stop();
    const testsStopped = tests?.stop();
    await returns?.stop();
    await metrics?.stop();
    await alerts?.stop();
    await backups?.stop();
    await core.stop();
    await webhookDispatcher.stop();
    await testsStopped;
  });
  await core.start(true).catch(async (error: unknown) => {
    // What kept it from starting may keep it from stopping in order, too.
    await running
      .stop()
      .catch((err: unknown) => foundation.log.warn({ err }, "What was begun could not be stopped in order"));
    throw error;
  });
  // Nobody waits for it: with many stored keys it takes longer than all else here.
  warning = warnOfUnreadable(settings, foundation.vault, foundation.log);
  if (surfaces.some(({ name }) => name === "http")) webhookDispatcher.start();
  returns?.start();
  await alerts?.start();
  backups?.start();
  tests?.resume();
  return { ...running, server, metrics };
}

/** Puts surfaces, server and core together; nothing happens yet. */
async function assemble(
  foundation: Foundation,
  makeSurfaces: MakeSurfaces,
  { elsewhere = [], listener, makeSetup, makeTests, live, leaving }: ServerParts,
) {
  const { settings, log, recent, database, scratch, vault, service, files: store, transport } = foundation;
  let surfaces: readonly Surface[] = [];
  const server = createServer(
    readinessOf({
      database,
      files: store,
      platforms: () => [...surfaces, ...elsewhere],
      silentSince: () => transport.silentSince,
    }),
    { log, mayBeKey: (id) => mayBeKey(vault.known, id), ...(listener && { listener }) },
  );
  if (foundation.tracing) server.routes.use(foundation.tracing.follow);
  const setup = makeSetup?.({ database, vault, surfaces: () => surfaces, log });
  await checkPlace(settings, database, store);
  const metrics =
    settings.metrics &&
    (await import("./serve-metrics.ts")).serveMetrics(settings.metrics, {
      database,
      platforms: () => [...surfaces, ...elsewhere],
      egresses: () => transport.egresses,
      budgets: () => settings.policy.budgets.key,
      others: async () => (await Promise.all(elsewhere.map((one) => one.counted()))).flat(),
      routes: server.routes,
      host: settings.host,
      log,
    });
  const files = erasedLater(
    await store.room("media", mediaNeeds(database)),
    memory(database, "files-to-erase"),
  );
  await clearDrafts(secretPath(settings.data), Date.now() - ABANDONED_MS);
  const links = openLinks(files, memory(database, "links"));
  await links.sweep();
  server.routes.route(LINKS_PATH, links.routes);
  const privateHosts = webhookHosts(settings, service.sandbox);
  const forPartners = await openPartnerHost({
    config: { privateHosts },
    database,
    files: store,
    vault,
    log,
    ...(live && { live: { database: live, countBegun } }),
  });
  const tests = makeTests && (await testModeOf(foundation, makeTests, server.leaving));
  let desk: Promise<ConsoleDesk> | undefined;
  const host: SurfaceHost = {
    config: settings,
    log,
    memory: (surface, owner) => memory(database, owner === undefined ? surface : `${surface}/${owner}`),
    ...(settings.postgres !== undefined && { loginToken: () => vault.shared(LOGIN) }),
    hold: (secret) => vault.known.hold([secret], "ours"),
    bell: database.bell,
    role: (name) => (database.bell.isShared ? new SharedRole(database, name, log) : ownRole()),
    sealed: (surface) => sealedMemory(database, vault, surface),
    files,
    scratch: scratch.folder,
    links,
    routes: server.routes,
    leaving: leaving ? AbortSignal.any([leaving, server.leaving]) : server.leaving,
    console: () =>
      (desk ??= core.openConsole({
        recent,
        platforms: () => [...surfaces, ...elsewhere],
        // Nobody looks for what nobody is told.
        alerts:
          settings.alerts.to.length > 0
            ? async () => (await import("./alerts/open.ts")).alertsIn(settings, database).list()
            : undefined,
      })),
    sandbox: service.sandbox,
    ...setup,
  };
  const forOperators = await openOperatorHost({
    config: settings,
    database,
    files: store,
    vault,
    log,
    shared: service.shared?.source,
    forget: (user) => forPartners.forget(user),
  });
  surfaces = makeSurfaces(host, { ...forPartners.host, ...(tests && { tests }) }, forOperators);
  const sweep = async () => {
    await links.sweep();
    await files.sweep();
  };
  const liveBlocks = live && memory(live, "blocks");
  const core = await coreOn(foundation, { surfaces, links: { sweep }, ...(liveBlocks && { liveBlocks }) });
  const alerts =
    settings.alerts.to.length > 0
      ? (await import("./alerts/open.ts")).openAlerts({
          ...foundation,
          surfaces,
          platforms: () => [...surfaces, ...elsewhere],
          keys: core.operatorKeys(),
          role: host.role("alerts"),
        })
      : undefined;
  const backups = surfaces.some(({ name }) => name === "web") ? await openBackups(foundation) : undefined;
  const { dispatcher: webhookDispatcher } = forPartners;
  return { core, webhookDispatcher, server, metrics, surfaces, alerts, backups, tests };
}

/** Where test tokens lead. @param make makes what is called there @param leaving see {@link ServerParts} */
async function testModeOf(
  { settings, database, log }: Foundation,
  make: MakeSurface,
  leaving: AbortSignal,
): Promise<LazyTestMode> {
  const { LazyTestMode } = await import("./test-mode/test-mode.ts");
  const { hasTestMode, testSettingsOf } = await import("./test-mode/settings.ts");
  const book = new PartnerBook(database);
  return new LazyTestMode({
    exists: hasTestMode(settings),
    store: testSettingsOf(settings).store,
    isKnown: async (token) => (await book.authenticate(token)) !== undefined,
    open: () => openTests(settings, (...parts) => [make(...parts)], { live: database, leaving }),
    log,
  });
}

/** Opens a core for an agent on this machine: for one with a test token, what those lead to. */
export async function openForAgent(settings: Config, makeSurfaces: MakeSurfaces): Promise<OpenServer> {
  if (modeOf(settings.token ?? "") === "live") return openServer(settings, makeSurfaces);
  const { hasTestMode } = await import("./test-mode/settings.ts");
  if (!hasTestMode(settings)) return openServer(settings, makeSurfaces);
  const live = await openStore(settings);
  try {
    const opened = await inTestMode(() => openTests(settings, makeSurfaces, { live }));
    const stop = async () => {
      await opened.stop();
      await live.close();
    };
    return { ...opened, stop };
  } catch (error) {
    await live.close();
    throw error;
  }
}

/** Opens what test tokens lead to: a server like any other, which listens nowhere. */
async function openTests(
  settings: Config,
  makeSurfaces: MakeSurfaces,
  beside: Pick<ServerParts, "live" | "leaving">,
): Promise<OpenServer> {
  const { testSettingsOf } = await import("./test-mode/settings.ts");
  return openServer(testSettingsOf(settings), makeSurfaces, beside);
}

/** Backups as the settings want them; undefined where they want none. */
async function openBackups({ settings, database, log }: Foundation) {
  if (!settings.backups) return undefined;
  await refuseInside(settings.data, settings.backups);
  const { ScheduledBackups } = await import("./backups/scheduled-backups.ts");
  const { backUpOnThread } = await import("./backups/thread.ts");
  return new ScheduledBackups({
    ...settings.backups,
    memory: memory(database, "backups"),
    lock: join(settings.data, "scratch", "backups.lock"),
    backUp: (to, signal) => backUpOnThread(settings, to, signal),
    now: currentTime,
    log,
  });
}

/**
 * Stops after a signal, or when the process that started this one is gone. Resolves when that is done.
 * @param over what else is the end
 */
export async function stopping(stop: () => Promise<void>, over?: Promise<void>): Promise<void> {
  // One key press or one stop may be told twice, in the same moment: by a terminal or a manager of services, which tell all, and by npm.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
  const signals = ["SIGINT", "SIGTERM", "disconnect"].map((event) => once(process, event));
  // Whoever started this one may be gone before anybody listens.
  const isAbandoned = process.send !== undefined && !process.connected;
  if (!isAbandoned) await Promise.race([...signals, ...(over ? [over] : [])]);
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await stop();
  // The line to whoever started this one would keep the process.
  if (process.connected) process.disconnect();
}
