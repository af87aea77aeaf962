import { once } from "node:events";
import { join } from "node:path";
import { Transport } from "../infrastructure/api/media-api.ts";
import { mayBeKey } from "../domain/keys/watch.ts";
import { openPartnerHost } from "../domain/partners/open.ts";
import { openMediaFiles } from "../infrastructure/media/files/files.ts";
import { LINKS_PATH, openLinks } from "../infrastructure/media/files/links.ts";
import type { Database } from "../infrastructure/storage/database.ts";
import { memory } from "../infrastructure/storage/key-value.ts";
import { openScratch, type Scratch } from "../infrastructure/storage/scratch.ts";
import { type Logger, makeLogger } from "../infrastructure/telemetry/telemetry.ts";
import { openVault } from "../infrastructure/vault/open.ts";
import type { Vault } from "../infrastructure/vault/vault.ts";
import type { PartnerHost, SurfaceHost } from "../seam/surface/host.ts";
import type { RunningCore } from "../seam/surface/runtime.ts";
import type { Surface } from "../seam/surface/surface.ts";
import type { Config } from "./config.ts";
import { Core } from "./core.ts";
import { openStore } from "./data-folder.ts";
import { mediaNeeds } from "./media-needs.ts";
import { createServer, type HttpServer } from "./server.ts";
import { openService, type OpenService } from "./service.ts";

/** How long a stop may take before the process leaves anyway, in milliseconds: what is open goes on after a restart. */
const STOP_MS = 10_000;

/** A platform, as far as it can be asked whether people reach it: one that runs in other processes too. */
type Reachable = Pick<Surface, "name" | "ready">;

/** A core with what it stands on, and the one HTTP server that its surfaces may use. */
interface Opened extends RunningCore {
  readonly server: HttpServer;
}

/** Makes a surface over what it stands on. */
export type MakeSurface = (host: SurfaceHost, forPartners: PartnerHost) => Surface;
/** Makes all of them. */
export type MakeSurfaces = (host: SurfaceHost, forPartners: PartnerHost) => readonly Surface[];

/**
 * Opens a core with its surfaces, and starts it.
 * @param adopting whether jobs that killed processes left open on these surfaces are taken over at once
 * @param elsewhere what the health check asks as well
 */
export async function openCore(
  settings: Config,
  makeSurfaces: MakeSurfaces,
  adopting: boolean,
  elsewhere: readonly Reachable[] = [],
): Promise<Opened> {
  const log = makeLogger({ level: settings.logLevel });
  const database = await openStore(settings);
  const scratch = await openScratch(join(settings.data, "scratch"));
  const vault = await openVault(settings, database, log);
  const transport = new Transport();
  const service = await openService(settings, transport, log);
  const close = async () => {
    await service.stop();
    await transport.close();
    await scratch.close();
    await database.close();
  };
  const foundation = { settings, log, database, scratch, vault, transport, service };
  const parts = await assemble(foundation, makeSurfaces, elsewhere).catch(async (error: unknown) => {
    // What was opened would keep the process alive.
    await close();
    throw error;
  });
  const { core, webhookDispatcher, server, surfaces } = parts;
  const opened: Opened = {
    intake: core.intakeFor("cli"),
    sandbox: service.sandbox,
    silentSince: () => transport.silentSince,
    server,
    adopt: () => core.adopt(true),
    async stop() {
      await server.stop();
      await core.stop();
      await webhookDispatcher.stop();
      await close();
    },
  };
  await core.start(adopting).catch(async (error: unknown) => {
    await opened.stop();
    throw error;
  });
  if (surfaces.some(({ name }) => name === "http")) webhookDispatcher.start();
  return opened;
}

/** What everything else stands on. */
interface Foundation {
  readonly settings: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly scratch: Scratch;
  readonly vault: Vault;
  readonly transport: Transport;
  readonly service: OpenService;
}

/** Puts surfaces, server and core together; nothing happens yet. */
async function assemble(
  { settings, log, database, scratch, vault, transport, service }: Foundation,
  makeSurfaces: MakeSurfaces,
  elsewhere: readonly Reachable[],
) {
  let surfaces: readonly Surface[] = [];
  const server = createServer(
    async () => [
      ...((await isSound(database)) ? [] : ["storage"]),
      ...[...surfaces, ...elsewhere].filter((one) => !one.ready()).map(({ name }) => name),
    ],
    { log, mayBeKey: (id) => mayBeKey(vault.known, id) },
  );
  const files = await openMediaFiles(join(settings.data, "media"), mediaNeeds(database));
  const links = openLinks(files, memory(database, "links"));
  await links.sweep();
  server.routes.route(LINKS_PATH, links.routes);
  const forPartners = await openPartnerHost({ config: settings, database, vault, log });
  const host: SurfaceHost = {
    config: settings,
    log,
    memory: (surface, owner) => memory(database, owner === undefined ? surface : `${surface}/${owner}`),
    sealed: (surface) => vault.sealed(memory(database, `${surface}-sealed`), surface),
    files,
    scratch: scratch.folder,
    links,
    routes: server.routes,
    sandbox: service.sandbox,
  };
  surfaces = makeSurfaces(host, forPartners.host);
  const { hosts, shared } = service;
  const config = { ...settings, pollMs: service.pollMs };
  const foundation = { config, log, database, scratch, vault, transport };
  const core = await Core.open({ ...foundation, hosts, shared, surfaces, links });
  return { core, webhookDispatcher: forPartners.dispatcher, server, surfaces };
}

/**
 * Stops after a signal, or when the process that started this one is gone. Resolves when that is done.
 * @param over what else is the end
 */
export async function stopping(stop: () => Promise<void>, over?: Promise<void>): Promise<void> {
  const signals = ["SIGINT", "SIGTERM", "disconnect"].map((event) => once(process, event));
  await Promise.race([...signals, ...(over ? [over] : [])]);
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await stop();
}

function isSound(database: Database): Promise<boolean> {
  return database.check().then(
    () => true,
    () => false,
  );
}
