import { join } from "node:path";
import { Hono } from "hono";
import { Transport } from "../../src/api/media-api.ts";
import type { SurfaceHost } from "../../src/chat/host.ts";
import type { Surface } from "../../src/chat/surface.ts";
import type { Config } from "../../src/config.ts";
import { Core } from "../../src/core.ts";
import { openMediaFiles } from "../../src/media/files.ts";
import { openLinks } from "../../src/media/links.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { openDatabase } from "../../src/storage/database.ts";
import { memory } from "../../src/storage/key-value.ts";
import { makeLogger } from "../../src/telemetry.ts";
import { StoredKey } from "../../src/vault/stored-key.ts";
import { openVault } from "../../src/vault/open.ts";
import { noPartners } from "./partners.ts";

/** An adapter with a core behind it. */
export interface RunningAdapter {
  readonly surface: Surface;
  /** What it mounts on the HTTP server. */
  readonly routes: Hono;
  /** What it logged. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

/** What may differ. */
interface AdapterOptions {
  /** Whether everybody's requests are paid for, with play money. */
  readonly paid: boolean;
  readonly make: (host: SurfaceHost) => Surface;
}

/** Opens a core over a sandbox with one adapter, as the program does. */
export async function openAdapter(
  config: Config,
  sandbox: Pick<Sandbox, "url" | "fullCatalogUrl" | "keys">,
  { paid, make }: AdapterOptions,
): Promise<RunningAdapter> {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = makeLogger({ level: config.logLevel, destination });
  const database = await openDatabase(join(config.data, "reelay.db"));
  const files = await openMediaFiles(join(config.data, "media"));
  const vault = await openVault(config, database, log);
  const routes = new Hono();
  const surface = make({
    config,
    log,
    memory: (name) => memory(database, name),
    sealed: (name) => vault.sealed(memory(database, `${name}-sealed`), name),
    files,
    links: openLinks(files, memory(database, "links")),
    ...noPartners,
    routes,
    sandbox: paid,
  });
  const transport = new Transport({ headersTimeoutMs: 10_000 });
  const core = await Core.open({
    config,
    log,
    database,
    transport,
    vault,
    hosts: { primary: sandbox.url, "full-catalog": sandbox.fullCatalogUrl },
    shared: paid ? { key: new StoredKey(sandbox.keys.ultra), source: "sandbox" } : undefined,
    surfaces: [surface],
    forgetPartner: async () => {},
  });
  await core.start(true);
  return {
    surface,
    routes,
    lines,
    async stop() {
      await core.stop();
      await transport.close();
      await database.close();
    },
  };
}
