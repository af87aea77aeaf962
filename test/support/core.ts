import { join } from "node:path";
import type { PartnerAdmin } from "../../src/seam/access/partners.ts";
import { type Config, readConfig } from "../../src/app/config.ts";
import { Core } from "../../src/app/core.ts";
import { transportOf } from "../../src/app/egress/open.ts";
import { openPartnerAdmin, type PartnerAdminHost } from "../../src/app/partner-admin.ts";
import type { SharedKey } from "../../src/app/service.ts";
import type { Database } from "../../src/infrastructure/storage/database.ts";
import { type Logger, makeLogger } from "../../src/infrastructure/telemetry/telemetry.ts";
import { StoredKey } from "../../src/infrastructure/vault/stored-key.ts";
import { folderStore } from "../../src/infrastructure/media/files/files.ts";
import { openScratch } from "../../src/infrastructure/storage/scratch.ts";
import type { Vault } from "../../src/infrastructure/vault/vault.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { PATIENCE_MS } from "./patience.ts";
import { temporaryFolder } from "./sandbox.ts";
import { MemorySurface } from "./surface.ts";
import { testVault } from "./vault.ts";
import { testDatabase } from "./database.ts";

/** The share of real time that tests run at: a window of 60 s lasts 1.2 s. Matches `testSandbox`. */
export const TIME_SCALE = 0.02;

/** A core over a sandbox, with a platform in memory. `await using` stops it. */
export interface TestCore extends AsyncDisposable {
  readonly surface: MemorySurface;
  readonly partners: PartnerAdmin;
  readonly database: Database;
  readonly vault: Vault;
  readonly config: Config;
  /** Takes over what gone processes left open, as a core does again and again. */
  adopt(): Promise<number>;
  /** Leaves without a word, as a killed process does: nothing is waited for, nothing is written. */
  abandon(): Promise<void>;
}

/** What may differ. */
export interface TestCoreOptions {
  /** A data folder that another core used before. */
  readonly data?: string;
  /** The key that everyone uses who has connected none; undefined for none. Default: the ultra account's. */
  readonly sharedKey?: string | undefined;
  readonly surface?: MemorySurface;
  /** Platforms beside that one. */
  readonly others?: readonly MemorySurface[];
  /** How long the answer to a submission may take, in milliseconds. */
  readonly headersTimeoutMs?: number;
  /** How long an answer may stop in the middle, in milliseconds. */
  readonly bodyTimeoutMs?: number;
  /** Settings that differ from the usual. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whose tokens the shared key's are. Default: the sandbox's play money. */
  readonly source?: SharedKey["source"];
  /** Hears of partners that are removed. */
  readonly forgetPartner?: PartnerAdminHost["forget"];
  /** The share of real time that the sandbox runs at. Default: {@link TIME_SCALE}. */
  readonly timeScale?: number;
  /** Makes what the database's log holds survive a power cut, or fails to. */
  readonly sync?: Parameters<typeof testDatabase>[1];
  /** How long a quote waits for past prices, in milliseconds. Default: however long they take. */
  readonly experienceMs?: number;
  /** Whether it takes over what others left open, as a server does and a call of the command line does not. Default: yes. */
  readonly adopting?: boolean;
  /** Default: nothing is logged. */
  readonly log?: Logger;
}

/** Opens and starts a core. */
export async function testCore(
  sandbox: Pick<Sandbox, "url"> & { readonly keys: Pick<Sandbox["keys"], "ultra"> } & Partial<
      Pick<Sandbox, "fullCatalogUrl">
    >,
  options: TestCoreOptions = {},
): Promise<TestCore> {
  const {
    data = temporaryFolder(),
    surface = new MemorySurface(),
    headersTimeoutMs = 60_000,
    bodyTimeoutMs = 60_000,
    timeScale = TIME_SCALE,
    experienceMs = PATIENCE_MS,
    adopting = true,
    log = makeLogger({ level: "silent" }),
  } = options;
  const config = readConfig({
    REELAY_API_URL: sandbox.url,
    REELAY_DATA: data,
    REELAY_SECRET: "a secret for tests only",
    REELAY_RATE_WINDOW_MS: String(60_000 * timeScale),
    REELAY_POLL_MS: String(5_000 * timeScale),
    REELAY_LOG_LEVEL: "silent",
    ...options.settings,
  });
  const database = await testDatabase(join(data, "reelay.db"), options.sync);
  const scratch = await openScratch(join(data, "scratch"));
  const vault = await testVault(config, database, log);
  const transport = transportOf(config, { headersTimeoutMs, bodyTimeoutMs });
  const key = "sharedKey" in options ? options.sharedKey : sandbox.keys.ultra;
  const shared: SharedKey | undefined =
    key === undefined ? undefined : { key: new StoredKey(key), source: options.source ?? "sandbox" };
  // What is abandoned writes nothing more, as after a kill: not even that its files are gone.
  const close = async () => {
    await database.close();
    await transport.close();
    await scratch.close();
  };
  const files = folderStore(data);
  const core = await Core.open({
    config,
    log,
    database,
    files,
    vault,
    transport,
    hosts: { primary: sandbox.url, "full-catalog": sandbox.fullCatalogUrl },
    shared,
    surfaces: [surface, ...(options.others ?? [])],
    links: { sweep: async () => {} },
    scratch,
    experienceMs,
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  await core.start(adopting);
  const { forgetPartner: forget = async () => {} } = options;
  const partners = await openPartnerAdmin({
    config,
    database,
    files,
    vault,
    log,
    shared: shared?.source,
    forget,
    by: "cli:me",
  });
  return {
    surface,
    partners,
    database,
    vault,
    config,
    adopt: () => core.adopt(),
    abandon: close,
    async [Symbol.asyncDispose]() {
      await core.stop();
      await close();
    },
  };
}
