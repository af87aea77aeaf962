import { existsSync } from "node:fs";
import { join } from "node:path";
import { Audit } from "../domain/audit/audit.ts";
import { Tagger } from "../domain/jobs/tagger.ts";
import { openPartnerHost } from "../domain/partners/open.ts";
import { PartnerBook } from "../domain/partners/partner-book.ts";
import { sumUsage } from "../domain/usage/usage.ts";
import { OPERATOR } from "../domain/webhooks/deliveries.ts";
import { openWebhooks } from "../domain/webhooks/open.ts";
import type { Database } from "../infrastructure/storage/database.ts";
import { makeLogger } from "../infrastructure/telemetry/telemetry.ts";
import { openVault } from "../infrastructure/vault/open.ts";
import { partnerUser } from "../seam/access/partners.ts";
import type { UserId } from "../seam/values.ts";
import type { Runtime } from "../seam/surface/runtime.ts";
import { type Config, quiet } from "./config.ts";
import { openStore } from "./data-folder.ts";
import { LOGIN } from "./login.ts";
import { openOperators } from "../domain/operators/open.ts";
import { lookForLoss, openFiles } from "./places/files.ts";
import { ANSWER_MS } from "./places/responding.ts";
import { openPartnerAdmin } from "./partner-admin.ts";
import { openSafetyAdmin } from "./safety-admin.ts";
import { sharedSource } from "./service.ts";
import { hasTestMode, testSettingsOf } from "./test-mode/settings.ts";

/** Who does what is done on the command line. */
const TERMINAL: UserId = "cli:me";

/** How long a command waits for others' transactions, in milliseconds: it serves nobody meanwhile. */
const LOCK_MS = 60_000;

/** What an operator does with the database alone, while a server runs, too. */
interface Administration extends Pick<
  Runtime,
  "alerts" | "keys" | "usage" | "operators" | "partners" | "safety" | "webhooks" | "rotateSecret"
> {
  /** The token that all nodes of a database know. */
  loginToken(): Promise<string>;
}

/** Opens the database anew for each. */
export function administrationOf(settings: Config): Administration {
  async function withDatabase<T>(work: (database: Database) => Promise<T>, of = settings): Promise<T> {
    const database = await openStore(of, ANSWER_MS, LOCK_MS);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  return {
    usage: (query) =>
      withDatabase(async (database) => {
        // Tags what an earlier version wrote, so that it counts for somebody.
        await Tagger.open(database, settings.usernames);
        return sumUsage(database, query, sharedSource(settings) === "sandbox");
      }),

    operators: (work) =>
      withDatabase(async (database) => {
        const log = makeLogger({ level: quiet(settings).logLevel });
        const vault = await openVault(settings, database, log);
        return work(await openOperators({ settings, database, vault }));
      }),

    partners: (work) =>
      withDatabase(async (database) => {
        const log = makeLogger({ level: quiet(settings).logLevel });
        const vault = await openVault(settings, database, log);
        const files = await openFiles(settings, join(settings.data, "scratch"));
        try {
          await lookForLoss(database, settings, files);
          const host = { config: settings, database, files, vault, log };
          const things = await openPartnerHost(host);
          const forget = (user: UserId) => things.forget(user);
          const parts = { ...host, shared: sharedSource(settings), forget, by: TERMINAL };
          return await work(await openPartnerAdmin(parts));
        } finally {
          await files.close();
        }
      }),

    keys: (work) =>
      withDatabase(async (database) => {
        const log = makeLogger({ level: quiet(settings).logLevel });
        const vault = await openVault(settings, database, log);
        const { openKeyDesk } = await import("./key-admin.ts");
        return work(await openKeyDesk({ config: settings, database, vault, log, by: TERMINAL }));
      }),

    safety: (work) =>
      withDatabase(async (database) => {
        const log = makeLogger({ level: quiet(settings).logLevel });
        const { known } = await openVault(settings, database, log);
        return work(await openSafetyAdmin(database, known, TERMINAL));
      }),

    webhooks: (name, work) =>
      withDatabase(async (database) => {
        const log = makeLogger({ level: settings.logLevel });
        const vault = await openVault(settings, database, log);
        const book = new PartnerBook(database);
        const user = name === undefined ? OPERATOR : partnerUser((await book.find(name)).partner.id);
        const audit = await Audit.open(database, "digest");
        const { privateHosts } = settings;
        const about = { surface: "cli", by: TERMINAL } as const;
        const { webhooks } = openWebhooks({ database, vault, log, audit, ...about, privateHosts });
        return work(webhooks, user);
      }),

    alerts: (work) =>
      withDatabase(async (database) =>
        work((await import("./alerts/desk.ts")).openAlertDesk(settings, database)),
      ),

    loginToken: () =>
      withDatabase(async (database) =>
        (await openVault(settings, database, makeLogger({ level: settings.logLevel }))).shared(LOGIN),
      ),

    async rotateSecret() {
      const log = makeLogger({ level: settings.logLevel });
      const of = async (all: Config) =>
        withDatabase(async (database) => (await openVault(all, database, log)).rotate(), all);
      const rotated = await of(settings);
      // What test tokens made is encrypted apart, under the same secret where one is set.
      const tests = testSettingsOf(settings);
      if (!hasTestMode(settings) || !existsSync(tests.store)) return rotated;
      const tried = await of(tests);
      return {
        rewritten: rotated.rewritten + tried.rewritten,
        unreadable: rotated.unreadable + tried.unreadable,
      };
    },
  };
}
