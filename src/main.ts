import { realpathSync } from "node:fs";
import { once } from "node:events";
import { join, resolve } from "node:path";
import type { Shards } from "../adapters/discord/gateway/sharding.ts";
import { Transport } from "./infrastructure/api/media-api.ts";
import type { PartnerHost, SurfaceHost } from "./seam/surface/host.ts";
import { partnerUser } from "./seam/access/partners.ts";
import type { Check, RunningCore, RunningServer, Runtime, ShardCount } from "./seam/surface/runtime.ts";
import type { Surface } from "./seam/surface/surface.ts";
import type { UserId } from "./seam/values.ts";
import { COMMAND_SPECS, OPERATOR_SPECS } from "./domain/dispatch/registry.ts";
import { type Config, readConfig } from "./app/config.ts";
import { Audit } from "./domain/audit/audit.ts";
import { openSafetyAdmin } from "./app/safety-admin.ts";
import { Core } from "./app/core.ts";
import { examine } from "./app/doctor.ts";
import { Tagger } from "./domain/jobs/tagger.ts";
import { mayBeKey } from "./domain/keys/watch.ts";
import { openMediaFiles } from "./infrastructure/media/files/files.ts";
import { LINKS_PATH, openLinks } from "./infrastructure/media/files/links.ts";
import { createServer, type HttpServer } from "./app/server.ts";
import { openService, type OpenService, sharedSource } from "./app/service.ts";
import { openStore } from "./app/data-folder.ts";
import type { Database } from "./infrastructure/storage/database.ts";
import { memory } from "./infrastructure/storage/key-value.ts";
import { openScratch, type Scratch } from "./infrastructure/storage/scratch.ts";
import { type Logger, makeLogger } from "./infrastructure/telemetry/telemetry.ts";
import { warmUpWords } from "./domain/policy/words/refused-words.ts";
import { findFfmpeg } from "./infrastructure/media/video/ffmpeg.ts";
import { OPERATIONS } from "./domain/operations/registry.ts";
import { openPartnerHost } from "./domain/partners/open.ts";
import { openPartnerAdmin } from "./app/partner-admin.ts";
import { PartnerBook } from "./domain/partners/partner-book.ts";
import { sumUsage } from "./domain/usage/usage.ts";
import { openVault } from "./infrastructure/vault/open.ts";
import type { Vault } from "./infrastructure/vault/vault.ts";
import { OPERATOR } from "./domain/webhooks/deliveries.ts";
import { openWebhooks } from "./domain/webhooks/open.ts";

/** How long a stop may take before the process leaves anyway, in milliseconds: what is open goes on after a restart. */
const STOP_MS = 10_000;

/** Runs the command line. */
export async function main(argv: readonly string[]): Promise<void> {
  process.on("uncaughtException", crash);
  const { runCli } = await import("../adapters/cli/cli.ts");
  process.exitCode = await runCli(argv, runtime);
}

/** Node's own report would show whatever the error carries; the log leaves keys and pictures out. */
function crash(err: unknown): void {
  makeLogger({ level: "error" }).fatal(
    { err },
    "Reelay stopped because of a mistake of its own; a restart goes on with every job",
  );
  process.exit(1);
}

const runtime: Runtime = {
  commands: [...COMMAND_SPECS, ...OPERATOR_SPECS],
  config,
  serve,
  shard,
  mcp,
  launch: () => ({
    command: process.execPath,
    args: [realpathSync(process.argv[1] ?? "")],
    data: resolve(config().data),
  }),
  openCore: (makeSurfaces, adopting) => openCore(quiet(config()), makeSurfaces, adopting),
  doctor: async () => [...(await examine(environment())), ...(await platforms())],

  async sandbox({ port, timeScale, failRate, seed }) {
    const { drawLiberties, startSandbox } = await import("./sandbox/sandbox.ts");
    const { data, ffmpeg: setting } = config();
    const ffmpeg = await findFfmpeg(setting);
    const dir = join(data, `sandbox-${port}`);
    return startSandbox({
      dir,
      operations: OPERATIONS,
      port,
      timeScale,
      failRate,
      ...(seed !== undefined && { seed, liberties: drawLiberties(seed) }),
      ...(ffmpeg && { ffmpeg }),
    });
  },

  usage: (query) =>
    withDatabase(async (database, { usernames }) => {
      // Tags what an earlier version wrote, so that it counts for somebody.
      await Tagger.open(database, usernames);
      return sumUsage(database, query);
    }),

  partners: (work) =>
    withDatabase(async (database, settings) => {
      const log = makeLogger({ level: quiet(settings).logLevel });
      const host = { config: settings, database, vault: await openVault(settings, database, log), log };
      const things = await openPartnerHost(host);
      const forget = (user: UserId) => things.forget(user);
      return work(await openPartnerAdmin({ ...host, shared: sharedSource(settings), forget }));
    }),

  safety: (work) =>
    withDatabase(async (database, settings) => {
      const log = makeLogger({ level: quiet(settings).logLevel });
      const { known } = await openVault(settings, database, log);
      return work(await openSafetyAdmin(database, known));
    }),

  webhooks: (name, work) =>
    withDatabase(async (database, settings) => {
      const log = makeLogger({ level: settings.logLevel });
      const vault = await openVault(settings, database, log);
      const book = new PartnerBook(database);
      const user = name === undefined ? OPERATOR : partnerUser((await book.find(name)).partner.id);
      const audit = await Audit.open(database, "digest");
      const { privateHosts } = settings;
      const { webhooks } = openWebhooks({ database, vault, log, audit, surface: "cli", privateHosts });
      return work(webhooks, user);
    }),

  rotateSecret: () =>
    withDatabase(async (database, settings) =>
      (await openVault(settings, database, makeLogger({ level: settings.logLevel }))).rotate(),
    ),

  async loginLink() {
    const { loginLink } = await import("../adapters/web/login.ts");
    return loginLink(config());
  },
};

/** `.env` fills in what the environment leaves out. */
function environment(): NodeJS.ProcessEnv {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return process.env;
}

function config(): Config {
  return readConfig(environment());
}

/** For what needs the database alone. */
async function withDatabase<T>(work: (database: Database, settings: Config) => Promise<T>): Promise<T> {
  const settings = config();
  const database = await openStore(settings);
  try {
    return await work(database, settings);
  } finally {
    await database.close();
  }
}

/** What the doctor says of the platforms: those that need a token of their own check it here. */
async function platforms(): Promise<readonly Check[]> {
  let settings: Config;
  try {
    settings = config();
  } catch {
    // Wrong settings were reported already.
    return [];
  }
  const { needsLogin } = await import("../adapters/web/login.ts");
  const found = needsLogin(settings)
    ? "asks for a login; `reelay link` prints it"
    : "for this machine only, no login";
  const page = { name: "page", ok: true, found };
  return [page, ...(await chatPlatforms(settings))];
}

async function chatPlatforms({ telegram, discord }: Config): Promise<readonly Check[]> {
  const checks: Check[] = [];
  if (telegram) checks.push(await (await import("../adapters/telegram/doctor.ts")).examineTelegram(telegram));
  if (discord) checks.push(await (await import("../adapters/discord/doctor.ts")).examineDiscord(discord));
  return checks;
}

/** A command prints what it does itself; unless asked for more, its log tells of trouble only. */
function quiet(settings: Config): Config {
  return settings.logLevel === "info" ? { ...settings, logLevel: "warn" } : settings;
}

/** A platform, as far as it can be asked whether people reach it: one that runs in other processes too. */
type Reachable = Pick<Surface, "name" | "ready">;

/** A core with what it stands on, and the one HTTP server that its surfaces may use. */
interface Opened extends RunningCore {
  readonly server: HttpServer;
}

type MakeSurface = (host: SurfaceHost, forPartners: PartnerHost) => Surface;
type MakeSurfaces = (host: SurfaceHost, forPartners: PartnerHost) => readonly Surface[];

async function openCore(
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
  const files = await openMediaFiles(join(settings.data, "media"));
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

async function serve(count?: ShardCount): Promise<RunningServer> {
  const settings = config();
  const shards = count === undefined ? undefined : await shardsOf(settings, count);
  const makers = await surfaceMakers(shards ? { ...settings, discord: undefined } : settings);
  const makeSurfaces: MakeSurfaces = (...hosts) => makers.map((make) => make(...hosts));
  const opened = await openCore(settings, makeSurfaces, true, shards ? [shards] : []);
  const listening = await opened.server.listen(settings.host, settings.port).catch(async (error: unknown) => {
    await opened.stop();
    throw error;
  });
  // Only now: its processes use what is open here, such as the sandbox.
  shards?.start();
  // Neither the start nor the first request waits for them.
  setImmediate(warmUpWords);
  const stopped = stopping(async () => {
    await shards?.stop();
    await opened.stop();
  });
  return { url: settings.publicUrl ?? listening, sandbox: opened.sandbox, stopped };
}

async function shardsOf(settings: Config, count: ShardCount): Promise<Shards> {
  const { shardsFor } = await import("../adapters/discord/gateway/sharding.ts");
  const [, program = ""] = process.argv;
  return shardsFor(settings, { log: makeLogger({ level: settings.logLevel }), program, count });
}

async function shard(): Promise<void> {
  // discord.js hands it to the processes of its manager; as a setting it would be a mistake.
  delete process.env["DISCORD_TOKEN"];
  const { createDiscordSurface } = await import("../adapters/discord/surface.ts");
  const opened = await openCore(config(), (host) => [createDiscordSurface(host)], true);
  setImmediate(warmUpWords);
  await stopping(() => opened.stop());
  // The line to the manager would keep the process.
  if (process.connected) process.disconnect();
}

async function mcp(): Promise<void> {
  const { createAgentSurface } = await import("../adapters/http/mcp-stdio.ts");
  const left = Promise.withResolvers<void>();
  const makeSurfaces: MakeSurfaces = (...hosts) => [createAgentSurface(...hosts, left.resolve)];
  const opened = await openCore(quiet(config()), makeSurfaces, true);
  await stopping(() => opened.stop(), left.promise);
}

/**
 * Stops after a signal, or when the process that started this one is gone. Resolves when that is done.
 * @param over what else is the end
 */
async function stopping(stop: () => Promise<void>, over?: Promise<void>): Promise<void> {
  const signals = ["SIGINT", "SIGTERM", "disconnect"].map((event) => once(process, event));
  await Promise.race([...signals, ...(over ? [over] : [])]);
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await stop();
}

/** Loads the adapters that are switched on, and no others. */
async function surfaceMakers({ telegram, discord }: Config): Promise<readonly MakeSurface[]> {
  const { createWebSurface } = await import("../adapters/web/surface.ts");
  const { createHttpSurface } = await import("../adapters/http/surface.ts");
  const makers: MakeSurface[] = [createWebSurface, createHttpSurface];
  if (telegram) {
    const { createTelegramSurface } = await import("../adapters/telegram/surface.ts");
    makers.push((host) => createTelegramSurface(host));
  }
  if (discord) {
    const { createDiscordSurface } = await import("../adapters/discord/surface.ts");
    makers.push(createDiscordSurface);
  }
  return makers;
}

function isSound(database: Database): Promise<boolean> {
  return database.check().then(
    () => true,
    () => false,
  );
}
