import { join } from "node:path";
import { Hono } from "hono";
import { Inbox } from "../../adapters/kit/pipeline/inbox.ts";
import { NO_BELL } from "../../src/common/bell.ts";
import { ownRole } from "../../src/common/role.ts";
import { Transport } from "../../src/infrastructure/api/media-api.ts";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import type { Operators } from "../../src/seam/access/operators.ts";
import type { PartnerAdmin } from "../../src/seam/access/partners.ts";
import type { ConsoleDesk } from "../../src/seam/access/console.ts";
import type { Surface } from "../../src/seam/surface/surface.ts";
import type { Config } from "../../src/app/config.ts";
import { alertsIn } from "../../src/app/alerts/open.ts";
import { InForce } from "../../src/app/setup/in-force.ts";
import { RulesDesk } from "../../src/app/setup/rules-desk.ts";
import { Core } from "../../src/app/core.ts";
import type { MakeSurface } from "../../src/app/open-server.ts";
import { openOperatorHost } from "../../src/app/operator-host.ts";
import type { UserId } from "../../src/seam/values.ts";
import { mediaNeeds } from "../../src/app/media-needs.ts";
import type { SharedKey } from "../../src/app/service.ts";
import { folderStore } from "../../src/infrastructure/media/files/files.ts";
import { openLinks } from "../../src/infrastructure/media/files/links.ts";
import { openPartnerAdmin } from "../../src/app/partner-admin.ts";
import { openPartnerHost } from "../../src/domain/partners/open.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { Database } from "../../src/infrastructure/storage/database.ts";
import { memory } from "../../src/infrastructure/storage/key-value.ts";
import { openScratch } from "../../src/infrastructure/storage/scratch.ts";
import { RecentLines } from "../../src/infrastructure/telemetry/recent-lines.ts";
import { type Logger, makeLogger } from "../../src/infrastructure/telemetry/telemetry.ts";
import { StoredKey } from "../../src/infrastructure/vault/stored-key.ts";
import type { Vault } from "../../src/infrastructure/vault/vault.ts";
import { PATIENCE_MS } from "./patience.ts";
import { testVault } from "./vault.ts";
import { testDatabase } from "./database.ts";

/** An adapter with a core behind it. */
export interface RunningAdapter {
  readonly surface: Surface;
  /** What it mounts on the HTTP server. */
  readonly routes: Hono;
  readonly partners: PartnerAdmin;
  readonly operators: Operators;
  readonly database: Database;
  readonly vault: Vault;
  readonly log: Logger;
  /** What those who run Reelay see and do. */
  readonly console: NonNullable<SurfaceHost["console"]>;
  /** What it logged. */
  readonly lines: readonly string[];
  /** Whether something that came in is still handled, a job still made or told, or operators are still to hear of one. */
  isBusy(): Promise<boolean>;
  stop(): Promise<void>;
}

/** What may differ. */
interface AdapterOptions {
  /** Whether everybody's requests are paid for. */
  readonly paid: boolean;
  /** Whose tokens those are. Default: play money. */
  readonly source?: SharedKey["source"] | undefined;
  readonly make: MakeSurface;
  /** What the settings were read from, where they may be changed while it runs. */
  readonly env?: Readonly<Record<string, string>>;
  /** Platforms beside it; none unless given. */
  readonly others?: readonly Surface[] | undefined;
}

/** Rules that are changed over these settings; what would take opening anew waits for a start. */
function rulesOver(
  env: Readonly<Record<string, string>>,
  { config, ...parts }: { config: Config; database: Database; vault: Vault; log: Logger },
): RulesDesk {
  const stored = { revision: 0, values: {}, keyIsFor: undefined, versions: {} };
  const inForce = new InForce(env, { config, env, used: {}, unused: [], stored }, () => {});
  return new RulesDesk({ ...parts, inForce });
}

/** Opens a core over a sandbox with one adapter, as the program does. */
export async function openAdapter(
  config: Config,
  sandbox: Pick<Sandbox, "url" | "fullCatalogUrl" | "keys">,
  { paid, source = "sandbox", make, env, others = [] }: AdapterOptions,
): Promise<RunningAdapter> {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const recent = new RecentLines();
  const log = makeLogger({ level: config.logLevel, destination, also: recent });
  const database = await testDatabase(join(config.data, "reelay.db"));
  const scratch = await openScratch(join(config.data, "scratch"));
  const store = folderStore(config.data);
  const files = await store.room("media", mediaNeeds(database));
  const vault = await testVault(config, database, log);
  const routes = new Hono();
  const leaving = new AbortController();
  const forPartners = await openPartnerHost({ config, database, files: store, vault, log });
  let opened: Promise<ConsoleDesk> | undefined;
  const openDesk = () =>
    (opened ??= core.openConsole({
      recent,
      platforms: () => [surface, ...others],
      alerts: config.alerts.to.length > 0 ? () => alertsIn(config, database).list() : undefined,
    }));
  const host: SurfaceHost = {
    config,
    log,
    memory: (name, owner) => memory(database, owner === undefined ? name : `${name}/${owner}`),
    bell: NO_BELL,
    hold: (secret) => vault.known.hold([secret], "ours"),
    role: ownRole,
    sealed: (name) => vault.sealed(memory(database, `${name}-sealed`), name),
    files,
    scratch: scratch.folder,
    links: openLinks(files, memory(database, "links")),
    routes,
    leaving: leaving.signal,
    console: openDesk,
    ...(env && { rules: async () => rulesOver(env, { config, database, vault, log }) }),
    sandbox: paid && source === "sandbox",
  };
  const desk = {
    config,
    database,
    files: store,
    vault,
    log,
    shared: paid ? source : undefined,
    forget: (user: UserId) => forPartners.forget(user),
  };
  const forOperators = await openOperatorHost(desk);
  const surface = make(host, forPartners.host, forOperators);
  const transport = new Transport();
  const core = await Core.open({
    config,
    log,
    database,
    files: store,
    transport,
    vault,
    hosts: { primary: sandbox.url, "full-catalog": sandbox.fullCatalogUrl },
    shared: paid ? { key: new StoredKey(sandbox.keys.ultra), source } : undefined,
    surfaces: [surface, ...others],
    links: host.links,
    scratch,
    // However long past prices take to be read: what is said of a price does not depend on how busy the machine is.
    experienceMs: PATIENCE_MS,
  });
  await core.start(true);
  const partners = await openPartnerAdmin({ ...desk, by: "cli:me" });
  if (surface.name === "http") forPartners.dispatcher.start();
  return {
    surface,
    routes,
    console: openDesk,
    log,
    lines,
    partners,
    operators: forOperators.operators,
    database,
    vault,
    async isBusy() {
      const inbox = new Inbox({ memory: host.sealed(surface.name), nameOf: String, repeatedMs: 0 });
      const untold = database.kysely
        .selectFrom("jobs")
        .select("id")
        .where("delivery", "in", ["none", "due", "delivering"])
        .execute();
      const news = database.kysely
        .selectFrom("report_notices")
        .select("job")
        .whereRef("told", "<", "news")
        // Operators who are told elsewhere are told by nobody here.
        .where((row) =>
          config.policy.reportsTo.startsWith(`${surface.name}:`)
            ? row.lit(true)
            : row("audience", "!=", "operators"),
        )
        .execute();
      const left = await Promise.all([inbox.left(), untold, news]);
      return left.some(({ length }) => length > 0);
    },
    async stop() {
      leaving.abort();
      await core.stop();
      await forPartners.dispatcher.stop();
      await transport.close();
      await scratch.close();
      await database.close();
    },
  };
}
