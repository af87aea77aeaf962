import type { Locale } from "../../common/i18n.ts";
import { currentTime } from "../../common/time.ts";
import type { Role } from "../../common/role.ts";
import type { LookedKey } from "../../domain/accounts/look-at-key.ts";
import { AlertTeller } from "../../domain/alerts/alert-teller.ts";
import { AlertWatch } from "../../domain/alerts/alert-watch.ts";
import { Alerts } from "../../domain/alerts/alerts.ts";
import { patienceOf } from "../../domain/alerts/patience.ts";
import { AwayTeller } from "../../domain/alerts/tell-away.ts";
import type { Watcher } from "../../domain/alerts/watcher.ts";
import type { KeyPool } from "../../domain/pool/key-pool.ts";
import { watchEgresses } from "../../domain/alerts/watchers/egresses.ts";
import { watchKeys } from "../../domain/alerts/watchers/keys.ts";
import { watchLimits } from "../../domain/alerts/watchers/limits.ts";
import { watchPlatforms } from "../../domain/alerts/watchers/platforms.ts";
import { watchWebhooks } from "../../domain/alerts/watchers/webhooks.ts";
import type { Transport } from "../../infrastructure/api/media-api.ts";
import type { FileStore } from "../../infrastructure/media/files/files.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";
import type { AlertKind } from "../../seam/access/alerts.ts";
import type { Surface } from "../../seam/surface/surface.ts";
import { Surfaces } from "../../seam/surface/surfaces.ts";
import type { AlertConfig } from "../settings/upkeep.ts";
import type { FilesPlace } from "../settings/files.ts";
import { watchBackups } from "../backups/state.ts";
import { watchDisk } from "./disk.ts";

/** What alerts are opened with. */
interface AlertParts {
  readonly settings: ToldBy & {
    /** Absolute path of the data folder. */
    readonly data: string;
    readonly files: FilesPlace;
    readonly privateHosts: readonly string[];
    /** Undefined: the server makes no backups. */
    readonly backups: object | undefined;
  };
  readonly database: Database;
  readonly files: FileStore;
  readonly vault: Vault;
  readonly log: Logger;
  readonly transport: Pick<Transport, "egresses">;
  readonly surfaces: readonly Surface[];
  /** All platforms, those that run in other processes too. */
  readonly platforms: () => readonly Pick<Surface, "name" | "ready">[];
  /** The operator's keys, and what asks the service about them. */
  readonly keys: {
    readonly look: (stop: AbortSignal) => Promise<readonly LookedKey[]>;
    readonly pool: Pick<KeyPool, "all">;
  };
  readonly role: Role;
}

/** Looks at what operators are alerted to, and tells them. */
export interface OpenAlerts {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What the settings say of how alerts are told. */
export interface ToldBy {
  readonly alerts: AlertConfig;
  readonly locale: Locale;
}

/** A store of alerts, as the settings want them told. */
export function alertsIn({ alerts, locale }: ToldBy, database: Database) {
  const patience = (kind: AlertKind) => patienceOf(kind, alerts.platformMs);
  return new Alerts({ database, places: alerts.to, locale, patienceOf: patience, now: currentTime });
}

/** Opens alerts for one process; nothing happens before they are started. */
export function openAlerts(parts: AlertParts): OpenAlerts {
  const { settings, database, files, vault, log, role, keys, platforms } = parts;
  const { alerts: config, locale, privateHosts, data } = settings;
  const now = currentTime;
  const alerts = alertsIn(settings, database);
  const surfaces = new Surfaces(parts.surfaces, privateHosts);
  const away = new AwayTeller({ places: config.to, locale, vault, surfaces, privateHosts, now });
  const inDataFolder = "folder" in settings.files && settings.files.folder === data;
  // A shard of Discord and an agent's process see what they themselves ask of the service; all else the server sees.
  const isServer = surfaces.names.includes("web");
  const everything = () => [
    watchPlatforms(platforms),
    watchKeys({
      keys: keys.look,
      pool: () => keys.pool.all(),
      database,
      tokenDays: config.tokenDays,
      now,
    }),
    watchWebhooks(database, now),
    watchDisk(data, config.diskBytes),
    ...(inDataFolder ? [] : [watchFiles(files)]),
    ...(settings.backups ? [watchBackups(memory(database, "backups"))] : []),
  ];
  const watchers: readonly Watcher[] = [
    watchLimits(),
    watchEgresses(() => parts.transport.egresses),
    ...(isServer ? everything() : []),
  ];
  const watch = new AlertWatch({
    alerts,
    database,
    watchers,
    role,
    patienceOf: (kind) => patienceOf(kind, config.platformMs),
    now,
    prepare: () => away.prepare(),
    tellAway: async (signal) => isServer && (await away.tell(signal)),
    log,
  });
  const teller = new AlertTeller({ alerts, surfaces, log });
  return {
    async start() {
      teller.start();
      await watch.start();
    },
    async stop() {
      await watch.stop();
      await teller.stop();
    },
  };
}

/** Sees that the place where files are kept is away. */
function watchFiles(files: Pick<FileStore, "check">): Watcher {
  return {
    look: () =>
      files.check().then(
        () => [],
        () => [{ kind: "files_away", params: {} }] as const,
      ),
  };
}
