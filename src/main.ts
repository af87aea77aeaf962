import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "./app/config.ts";
import type { MakeSurface, MakeSurfaces, OpenServer } from "./app/open-server.ts";
import type { PlatformLooks } from "./app/setup/desk.ts";
import type { Check, RunningServer, Runtime, ShardCount } from "./seam/surface/runtime.ts";

// Nothing is imported here but types: a command waits for no module that it does not use (test/start.test.ts).

/** Runs the command line. */
export async function main(argv: readonly string[]): Promise<void> {
  process.on("uncaughtException", (error) => void crash(error));
  if (existsSync(".env")) dotEnv = await dotEnvReader();
  const { runCli } = await import("../adapters/cli/cli.ts");
  process.exitCode = await runCli(argv, runtime);
}

/** Node's own report would show whatever the error carries; the log leaves keys and pictures out. */
async function crash(err: unknown): Promise<void> {
  try {
    const { makeLogger } = await import("./infrastructure/telemetry/telemetry.ts");
    makeLogger({ level: "error" }).fatal(
      { err },
      "Reelay stopped because of a mistake of its own; a restart goes on with every job",
    );
  } finally {
    process.exit(1);
  }
}

/** What reads `.env`, where there is one. */
let dotEnv: (() => void) | undefined;

async function dotEnvReader(): Promise<() => void> {
  const { loadDotEnv } = await import("./common/dot-env.ts");
  const { CHATS } = await import("./seam/values.ts");
  return () => loadDotEnv(process.env, CHATS);
}

const administration = async () => (await import("./app/administration.ts")).administrationOf(await config());

const runtime: Runtime = {
  async commands() {
    const { COMMAND_SPECS, OPERATOR_SPECS } = await import("./domain/dispatch/registry.ts");
    return [...COMMAND_SPECS, ...OPERATOR_SPECS];
  },
  loadEnvironment: () => void environment(),
  config,
  serve,
  shard,
  mcp,
  launch: async () => ({
    command: process.execPath,
    args: [realpathSync(process.argv[1] ?? "")],
    data: resolve((await givenConfig()).data),
  }),
  async openCore(surface, onLeft) {
    const { openCore } = await import("./app/open-core.ts");
    const { forTerminal } = await import("./app/config.ts");
    return openCore(forTerminal(await config(), environment()), surface, onLeft);
  },
  async doctor() {
    const { examine, settingChecks } = await import("./app/doctor.ts");
    const { checksOf } = await import("./app/setup/checks.ts");
    try {
      environment();
    } catch (error) {
      return settingChecks(error);
    }
    // What cannot be read is what the doctor tells of.
    const stored = await resolved().catch(() => undefined);
    const env = stored?.env ?? environment();
    return [...(await examine(env)), ...(stored ? checksOf(stored) : []), ...(await platforms(env))];
  },

  async sandbox({ port, timeScale, failRate, seed }) {
    const { drawLiberties, startSandbox } = await import("./sandbox/sandbox.ts");
    const { findFfmpeg } = await import("./infrastructure/media/video/ffmpeg.ts");
    const { OPERATIONS } = await import("./domain/operations/registry.ts");
    const { makeLogger } = await import("./infrastructure/telemetry/telemetry.ts");
    const { data, ffmpeg: setting } = await givenConfig();
    const ffmpeg = await findFfmpeg(setting);
    const { asSandboxError } = await import("./app/sandbox/folder.ts");
    const dir = join(data, `sandbox-${port}`);
    return startSandbox({
      dir,
      operations: OPERATIONS,
      port,
      timeScale,
      failRate,
      trouble: (err) => makeLogger({ level: "warn" }).warn({ err }, "Jobs wait until this is over"),
      ...(seed !== undefined && { seed, liberties: drawLiberties(seed) }),
      ...(ffmpeg && { ffmpeg }),
    }).catch((error: unknown) => {
      throw asSandboxError(error, dir);
    });
  },

  usage: async (query) => (await administration()).usage(query),
  operators: async (work) => (await administration()).operators(work),
  partners: async (work) => (await administration()).partners(work),
  safety: async (work) => (await administration()).safety(work),
  alerts: async (work) => (await administration()).alerts(work),
  keys: async (work) => (await administration()).keys(work),
  webhooks: async (name, work) => (await administration()).webhooks(name, work),
  rotateSecret: async () => (await administration()).rotateSecret(),

  async backUp(to, signal) {
    const { backUp, orUnwritten } = await import("./app/backups/backup.ts");
    return backUp(await givenConfig(), to, signal).catch(orUnwritten(to));
  },
  async backUpFor(take, signal) {
    const { backUpFor, orUnwritten } = await import("./app/backups/backup.ts");
    const place = await givenConfig();
    return backUpFor(place, take, signal).catch(orUnwritten(place.data, place.data));
  },
  async restore(from) {
    const { orUnwritten, restore } = await import("./app/backups/backup.ts");
    const place = await givenConfig();
    return restore(place, from).catch(orUnwritten(place.data, place.data));
  },
  async move(to, hear) {
    const { move } = await import("./app/moving/database.ts");
    return move(await givenConfig(), to, hear);
  },
  async moveFiles(to, hear) {
    const { moveFiles } = await import("./app/moving/files.ts");
    return moveFiles(await config(), await config({ REELAY_FILES: to }), hear);
  },

  async asKnown(error) {
    // Only of SQLite, or of the system.
    if (!(error instanceof Error && ("errcode" in error || "syscall" in error))) return error;
    const { asKeptError } = await import("./infrastructure/storage/stored-file.ts");
    return asKeptError(error, resolve((await givenConfig()).data));
  },

  async address() {
    const { addressOf } = await import("./seam/config.ts");
    return addressOf(await listeningConfig());
  },

  async loginLink(path) {
    const { loginLink } = await import("../adapters/web/login.ts");
    const settings = await listeningConfig();
    if (settings.postgres === undefined) return loginLink(settings, path);
    return loginLink(settings, path, async () => (await administration()).loginToken());
  },
};

/** `.env` fills in what the environment leaves out. @throws ConfigError */
function environment(): NodeJS.ProcessEnv {
  dotEnv?.();
  return process.env;
}

/** The settings of the environment alone: where things are is nothing that is stored there. */
async function givenConfig(): Promise<Config> {
  const { readConfig } = await import("./app/config.ts");
  return readConfig(environment());
}

/** All settings, with those that were set in the browser. */
async function resolved(instead: Readonly<Record<string, string>> = {}) {
  const { resolve: resolveSettings } = await import("./app/setup/resolve.ts");
  return resolveSettings({ ...environment(), ...instead });
}

async function config(instead?: Readonly<Record<string, string>>): Promise<Config> {
  return (await resolved(instead)).config;
}

/** The same, with the port that a server listens on. */
async function listeningConfig(): Promise<Config> {
  const { asListening } = await import("./app/listening.ts");
  return asListening(await config());
}

async function quietConfig(): Promise<Config> {
  const { quiet } = await import("./app/config.ts");
  return quiet(await config());
}

/** What the doctor says of the platforms: those that need a token of their own check it here. */
async function platforms(env: Readonly<Record<string, string | undefined>>): Promise<readonly Check[]> {
  const { readConfig } = await import("./app/config.ts");
  let settings: Config;
  try {
    settings = readConfig(env);
  } catch {
    // Wrong settings were reported already.
    return [];
  }
  const { needsLogin } = await import("./seam/config.ts");
  const found = needsLogin(settings)
    ? "asks for a login; `reelay link` prints it"
    : "for this machine only, no login";
  const { isBuilt } = await import("./seam/version.ts");
  const page = isBuilt("page")
    ? { name: "page", ok: true, found }
    : { name: "page", ok: false, found: "not built", advice: "Run `npm run build:page`, then start again." };
  return [page, ...(await chatPlatforms(settings))];
}

async function chatPlatforms(settings: Config): Promise<readonly Check[]> {
  const findings = await Promise.all(Object.values(LOOKS).map((look) => look(settings)));
  return findings.flatMap((finding) => (finding ? [finding.check] : []));
}

async function serve(count?: ShardCount): Promise<RunningServer> {
  const { openServer, stopping } = await import("./app/open-server.ts");
  const { HttpListener } = await import("./app/http/listener.ts");
  const { openAnyhow, Serving } = await import("./app/setup/serving.ts");
  const { SetupDesk } = await import("./app/setup/desk.ts");
  const { InForce } = await import("./app/setup/in-force.ts");
  const { hearOthers } = await import("./app/setup/hear-others.ts");
  const { makeLogger } = await import("./infrastructure/telemetry/telemetry.ts");
  const env = environment();
  const { placeOf } = await import("./app/setup/resolve.ts");
  const { logLevel, postgres } = placeOf(env);
  const log = makeLogger({ level: logLevel });
  const patiently = async <T>(open: () => Promise<T>) => {
    if (postgres === undefined) return open();
    const { openPatiently } = await import("./infrastructure/storage/postgres/answering.ts");
    return openPatiently(postgres, log, open);
  };
  const shards = count === undefined ? undefined : await shardsOf(await patiently(() => config()), count);
  const listener = new HttpListener();
  let first: { readonly url: string; readonly sandbox: boolean } | undefined;
  const serving = new Serving(
    () =>
      patiently(() =>
        openAnyhow(env, log, async (running) => {
          const settings = running.config;
          const { createHttpSurface } = await import("../adapters/http/surface.ts");
          const makers = await surfaceMakers(settings, { hearsDiscord: shards === undefined });
          const makeSurfaces: MakeSurfaces = (...hosts) => makers.map((make) => make(...hosts));
          // What runs in processes of its own is not opened anew.
          const reopen = shards === undefined ? () => serving.reopen() : undefined;
          const inForce = new InForce(env, running, reopen);
          const opened = await openServer(settings, makeSurfaces, {
            elsewhere: shards ? [shards] : [],
            makeTests: createHttpSurface,
            listener,
            makeSetup(parts) {
              hearOthers(parts, inForce);
              return {
                setup: new SetupDesk({ ...parts, inForce, looks: LOOKS }),
                async rules() {
                  const { RulesDesk } = await import("./app/setup/rules-desk.ts");
                  return new RulesDesk({ ...parts, inForce });
                },
              };
            },
          });
          const listening = await listen(opened, settings).catch(async (error: unknown) => {
            await opened.stop();
            throw error;
          });
          first ??= { url: settings.publicUrl ?? listening, sandbox: opened.sandbox };
          return opened;
        }),
      ),
    log,
  );
  await serving.start();
  // Only now: its processes use what is open here, such as the sandbox.
  shards?.start();
  await warmUp();
  const stop = async () => {
    await shards?.stop();
    await Promise.all([listener.close(), serving.stop()]);
    // Settings that were just coming into force had it listen again.
    await listener.close();
  };
  const stopped = stopping(stop, serving.failed).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const { isBuilt } = await import("./seam/version.ts");
  const unbuilt = !isBuilt("page") || !isBuilt("reference") || !isBuilt("setup");
  return { url: first?.url ?? "", sandbox: first?.sandbox ?? false, unbuilt, stopped };
}

/** How the chat platforms are looked at, by the doctor and by whoever sets them up. */
const LOOKS: PlatformLooks = {
  telegram: async ({ telegram }) =>
    telegram && (await import("../adapters/telegram/doctor.ts")).lookAtTelegram(telegram),
  discord: async ({ discord }) =>
    discord && (await import("../adapters/discord/doctor.ts")).lookAtDiscord(discord),
  whatsapp: async ({ whatsapp, publicUrl = "" }) =>
    whatsapp && (await import("../adapters/whatsapp/doctor.ts")).lookAtWhatsApp(whatsapp, publicUrl),
};

async function listen({ server, metrics }: OpenServer, { host, port, data }: Config): Promise<string> {
  await metrics?.listen();
  const { asListenError, keepListening } = await import("./app/listening.ts");
  const url = await server.listen(host, port).catch((error: unknown) => {
    throw asListenError(error, { host, port });
  });
  await keepListening(data, url);
  return url;
}

/** Neither the start nor the first request waits for the words that are refused. */
async function warmUp(): Promise<void> {
  const { warmUpWords } = await import("./domain/policy/words/refused-words.ts");
  const { warmUpLooks } = await import("./domain/policy/words/lookalikes.ts");
  setImmediate(warmUpWords);
  setImmediate(warmUpLooks);
}

async function shardsOf(settings: Config, count: ShardCount) {
  const { shardsFor } = await import("../adapters/discord/gateway/sharding.ts");
  const { makeLogger } = await import("./infrastructure/telemetry/telemetry.ts");
  const [, program = ""] = process.argv;
  return shardsFor(settings, { log: makeLogger({ level: settings.logLevel }), program, count });
}

async function shard(): Promise<void> {
  // discord.js hands it to the processes of its manager; as a setting it would be a mistake.
  delete process.env["DISCORD_TOKEN"];
  const { openServer, stopping } = await import("./app/open-server.ts");
  const { createDiscordSurface } = await import("../adapters/discord/surface.ts");
  const { tellNumbers } = await import("../adapters/discord/gateway/shard-numbers.ts");
  const opened = await openServer(await config(), (host) => [createDiscordSurface(host)]);
  const { metrics } = opened;
  if (metrics) tellNumbers(() => metrics.counted());
  await warmUp();
  await stopping(() => opened.stop());
}

async function mcp(): Promise<void> {
  const { openForAgent, stopping } = await import("./app/open-server.ts");
  const { createAgentSurface } = await import("../adapters/http/mcp-stdio.ts");
  const left = Promise.withResolvers<void>();
  const makeSurfaces: MakeSurfaces = (host, forPartners) => [
    createAgentSurface(host, forPartners, left.resolve),
  ];
  const opened = await openForAgent(await quietConfig(), makeSurfaces);
  await stopping(() => opened.stop(), left.promise);
}

/** Loads the adapters that are switched on, and no others. */
async function surfaceMakers(
  { telegram, discord, whatsapp }: Config,
  { hearsDiscord }: { hearsDiscord: boolean },
): Promise<readonly MakeSurface[]> {
  const { createWebSurface } = await import("../adapters/web/surface.ts");
  const { createHttpSurface } = await import("../adapters/http/surface.ts");
  const makers: MakeSurface[] = [
    (host, _forPartners, forOperators) => createWebSurface(host, forOperators),
    createHttpSurface,
  ];
  if (telegram) {
    const { createTelegramSurface } = await import("../adapters/telegram/surface.ts");
    makers.push((host) => createTelegramSurface(host));
  }
  if (discord) {
    const { createDiscordSurface, createDiscordPoster } = await import("../adapters/discord/surface.ts");
    makers.push(hearsDiscord ? createDiscordSurface : createDiscordPoster);
  }
  if (whatsapp) {
    const { createWhatsAppSurface } = await import("../adapters/whatsapp/surface.ts");
    makers.push((host) => createWhatsAppSurface(host));
  }
  return makers;
}
