import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { createWebSurface } from "../../../../adapters/web/surface.ts";
import { NO_BELL } from "../../../../src/common/bell.ts";
import { ownRole } from "../../../../src/common/role.ts";
import type { SharedMemory } from "../../../../src/common/memory.ts";
import type { Operators } from "../../../../src/seam/access/operators.ts";
import type { SurfaceHost } from "../../../../src/seam/surface/host.ts";
import type { Setup } from "../../../../src/seam/surface/setup.ts";
import type { Surface } from "../../../../src/seam/surface/surface.ts";
import { readConfig, type Config } from "../../../../src/app/config.ts";
import { openMediaFiles, type MediaFiles } from "../../../../src/infrastructure/media/files/files.ts";
import { openLinks } from "../../../../src/infrastructure/media/files/links.ts";
import { createServer } from "../../../../src/app/server.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { FakeCore } from "./fakeCore.ts";
import { testDatabase } from "../../../support/database.ts";
import { testOperatorHost } from "../../../support/operators.ts";

/** The page over the fake core, on a real port, with real storage. */
export interface Site {
  readonly url: string;
  readonly data: string;
  readonly config: Config;
  readonly core: FakeCore;
  readonly surface: Surface;
  readonly files: MediaFiles;
  readonly memory: SharedMemory;
  /** The same, for whoever asks for it as an adapter does. */
  readonly memoryFor: SurfaceHost["memory"];
  readonly operators: Operators;
  /** What is mounted. */
  readonly routes: SurfaceHost["routes"];
  /** Lines of the log. */
  readonly logged: readonly string[];
  /** Stops it; its data stays, for another site to go on with. */
  stop(): Promise<void>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

export interface SiteOptions {
  readonly env?: Record<string, string>;
  /** How long each of a job's steps takes, in milliseconds. */
  readonly stepMs?: number;
  /** The data of a site that was stopped. */
  readonly data?: string;
  /** The port of a site that was stopped; a free one otherwise. */
  readonly port?: number;
  /** What sets it up; left out, nothing is. */
  readonly setup?: Setup;
  /** Other processes that are at work. */
  readonly living?: readonly string[];
}

export async function startSite({
  env,
  stepMs = 5,
  data: kept,
  port = 0,
  setup,
  living = [],
}: SiteOptions = {}): Promise<Site> {
  const data = kept ?? (await mkdtemp(join(tmpdir(), "reelay-web-")));
  const config = readConfig({ REELAY_DATA: data, ...env });
  const database = await testDatabase(config.store);
  const files = await openMediaFiles(join(data, "media"));
  const state = memory(database, "web");
  const memoryFor: SurfaceHost["memory"] = (_, owner) =>
    owner === undefined ? state : memory(database, `web/${owner}`);
  const logged: string[] = [];
  const server = createServer(async () => []);
  const forOperators = await testOperatorHost(config, database);
  const host: SurfaceHost = {
    config,
    log: pino({ level: "warn" }, { write: (line) => void logged.push(line) }),
    memory: memoryFor,
    bell: NO_BELL,
    hold: () => {},
    role: ownRole,
    sealed: () => state,
    files,
    scratch: join(data, "scratch"),
    links: openLinks(files, state),
    routes: server.routes,
    leaving: server.leaving,
    sandbox: true,
    ...(setup && { setup }),
  };
  const surface = createWebSurface(host, forOperators);
  const core = new FakeCore(stepMs);
  for (const id of living) core.living.add(id);
  await core.start(surface);
  const url = await server.listen("127.0.0.1", port);
  async function stop() {
    await surface.stop();
    await server.stop();
    await core.idle();
    await database.close();
  }
  async function close() {
    await stop();
    // A login token may still be on its way there: it is made at the start, and nobody waits for it.
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  }
  return {
    url,
    data,
    config,
    core,
    surface,
    files,
    memory: state,
    memoryFor,
    operators: forOperators.operators,
    routes: server.routes,
    logged,
    stop,
    close,
  };
}
