import type { Hono } from "hono";
import { createWebSurface } from "../../../../adapters/web/surface.ts";
import { readConfig } from "../../../../src/app/config.ts";
import { createServer } from "../../../../src/app/server.ts";
import { openAdapter, type RunningAdapter } from "../../../support/adapter.ts";
import { TIME_SCALE } from "../../../support/core.ts";
import { temporaryFolder, testSandbox, type TestSandbox } from "../../../support/sandbox.ts";
import type { Surface } from "../../../../src/seam/surface/surface.ts";
import type { SurfaceHost } from "../../../../src/seam/surface/host.ts";
import type { Database } from "../../../../src/infrastructure/storage/database.ts";
import type { Vault } from "../../../../src/infrastructure/vault/vault.ts";
import type { Operators } from "../../../../src/seam/access/operators.ts";
import type { PartnerAdmin } from "../../../../src/seam/access/partners.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { MemorySurface } from "../../../support/surface.ts";

/** The page over a whole core, with a chat platform beside it. */
export interface WholeSite extends AsyncDisposable {
  readonly url: string;
  /** A platform in memory, with groups. */
  readonly surface: Surface;
  readonly routes: Hono;
  readonly chat: MemorySurface;
  readonly memoryFor: SurfaceHost["memory"];
  readonly operators: Operators;
  readonly partners: PartnerAdmin;
  readonly database: Database;
  readonly vault: Vault;
  /** What the service knows whoever pays by. */
  readonly key: string;
  /** The service. */
  readonly sandbox: TestSandbox;
  readonly console: RunningAdapter["console"];
}

/** What is set, where that needs no key, or takes one that the service knows. */
export type SiteSettings =
  | Readonly<Record<string, string>>
  | ((keys: TestSandbox["keys"]) => Readonly<Record<string, string>>);

/** Opens it, on a real port over a sandbox. */
export async function startWhole(set: SiteSettings = {}): Promise<WholeSite> {
  const sandbox = await testSandbox();
  const settings = typeof set === "function" ? set(sandbox.keys) : set;
  const env = {
    REELAY_API_URL: sandbox.url,
    REELAY_DATA: temporaryFolder(),
    REELAY_SECRET: "a secret for tests only",
    REELAY_RATE_WINDOW_MS: String(60_000 * TIME_SCALE),
    REELAY_POLL_MS: String(5_000 * TIME_SCALE),
    REELAY_LOG_LEVEL: "silent",
    REELAY_OPERATOR_KEY_FOR: "all",
    ...settings,
  };
  const config = readConfig(env);
  const chat = new MemorySurface("telegram");
  const running = await openAdapter(config, sandbox, {
    paid: true,
    source: config.apiKey === undefined ? "sandbox" : "operator",
    env,
    make: (host, _forPartners, forOperators) => createWebSurface(host, forOperators),
    others: [chat],
  });
  const server = createServer(async () => []);
  server.routes.route("/", running.routes);
  return {
    url: await server.listen("127.0.0.1", 0),
    surface: running.surface,
    routes: server.routes,
    chat,
    key: sandbox.keys.ultra,
    sandbox,
    console: running.console,
    memoryFor: (surface) => memory(running.database, surface),
    operators: running.operators,
    partners: running.partners,
    database: running.database,
    vault: running.vault,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await running.stop();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}
