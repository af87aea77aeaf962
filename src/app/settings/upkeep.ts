import { ConfigError } from "../../common/config-error.ts";
import { resolve } from "node:path";
import { z } from "zod";
import { isWithin } from "../../common/disk.ts";
import { isChatId } from "../../seam/access/subjects.ts";
import { checkCalled } from "./called.ts";
import { list, whole } from "./kinds.ts";

const isPlace = (text: string) => isChatId(text) || /^https?:\/\/./.test(text);

/** The settings of what operators are alerted to, and where; the descriptions are those of docs/settings.md. */
const alertSettings = {
  REELAY_ALERTS_TO: list
    .refine((places) => places.every(isPlace), {
      error: "chats like telegram:-10012 or discord:1234, and http(s) addresses, comma-separated",
    })
    .default([])
    .describe(
      "Where you are told when something needs you ([what](operator.md#alerts)): chats (`telegram:-10012`, `discord:<channel>`) and https addresses that are called, comma-separated. Unset: nowhere.",
    ),
  REELAY_ALERTS_PLATFORM_MINUTES: whole(1, 1440)
    .default(5)
    .describe("After how many minutes you are told that a chat platform is gone."),
  REELAY_ALERTS_DISK_MB: whole(1, 10_000_000)
    .default(1000)
    .describe("Below how many MB of free space on the data folder's disk you are told."),
  REELAY_ALERTS_TOKEN_DAYS: whole(0, 365)
    .default(3)
    .describe(
      "You are told when the tokens of `REELAY_API_KEY` last for fewer days than this, at the pace of the last week; 0: never.",
    ),
} as const;

/** Where operators are told, and from when on. */
export interface AlertConfig {
  /** Chats and addresses; none: nobody is told anything. */
  readonly to: readonly string[];
  readonly platformMs: number;
  readonly diskBytes: number;
  /** 0: how long tokens last is not looked at. */
  readonly tokenDays: number;
}

/** @throws ConfigError for an address that may not be called */
function alertsOf(
  value: z.output<z.ZodObject<typeof alertSettings>>,
  privateHosts: readonly string[],
): AlertConfig {
  const to = value.REELAY_ALERTS_TO;
  checkCalled("REELAY_ALERTS_TO", to, privateHosts);
  return {
    to,
    platformMs: value.REELAY_ALERTS_PLATFORM_MINUTES * 60_000,
    diskBytes: value.REELAY_ALERTS_DISK_MB * 1e6,
    tokenDays: value.REELAY_ALERTS_TOKEN_DAYS,
  };
}

const HOUR_MS = 3_600_000;

/** A time of the day, or so many hours. */
const TIMES = /^(?:([01]\d|2[0-3]):([0-5]\d)|([1-9]\d{0,2})h)$/;

/** The settings of backups that the server makes by itself; the descriptions are those of docs/settings.md. */
const backupSettings = {
  REELAY_BACKUP_TO: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional()
    .describe(
      "A folder, outside the data folder, that the server makes backups in ([more](operator.md#backups)). Unset: it makes none.",
    ),
  REELAY_BACKUP_AT: z
    .string()
    .regex(TIMES, { error: "a time of the day like 03:00 (UTC), or so many hours like 6h" })
    .default("03:00")
    .describe("When: at a time of the day (`03:00`, UTC), or every so many hours (`6h`)."),
  REELAY_BACKUP_KEEP: whole(1, 10_000)
    .default(7)
    .describe("How many are kept: the oldest goes once a new one was read back whole."),
} as const;

/** When backups are made: at a time of the day, in milliseconds after midnight (UTC), or every so many milliseconds. */
export type BackupTimes = { readonly atMs: number } | { readonly everyMs: number };

/** What the server backs up by itself. */
export interface BackupConfig {
  readonly folder: string;
  readonly times: BackupTimes;
  /** How many are kept. */
  readonly keep: number;
}

/**
 * The backups that the settings want.
 * @throws ConfigError for a folder that would be in its own backups, and where a database server backs itself up
 */
function backupsOf(
  value: z.output<z.ZodObject<typeof backupSettings>>,
  { data, postgres }: { readonly data: string; readonly postgres: string | undefined },
): BackupConfig | undefined {
  const folder = value.REELAY_BACKUP_TO;
  if (folder === undefined) return undefined;
  if (postgres !== undefined)
    throw wrong(
      JSON.stringify(folder),
      "nothing, as REELAY_STORE is on PostgreSQL: its own tools back it up; docs/scale.md says how",
    );
  if (isWithin(data, folder)) throw backupsInside(folder);
  return { folder, times: timesOf(value.REELAY_BACKUP_AT), keep: value.REELAY_BACKUP_KEEP };
}

/** That backups would be in the next backup. */
export const backupsInside = (folder: string) =>
  wrong(JSON.stringify(folder), "a folder outside the data folder, best on another disk");

const wrong = (found: string, wanted: string) =>
  new ConfigError([{ setting: "REELAY_BACKUP_TO", found, wanted }]);

function timesOf(text: string): BackupTimes {
  const [, hour = "", minute = "", every] = TIMES.exec(text) ?? [];
  if (every !== undefined) return { everyMs: Number(every) * HOUR_MS };
  return { atMs: Number(hour) * HOUR_MS + Number(minute) * 60_000 };
}

/** The settings of what the server does by itself so that all stays well. */
export const upkeepSettings = { ...backupSettings, ...alertSettings } as const;

/** What they come to. */
export interface UpkeepConfig {
  readonly alerts: AlertConfig;
  /** Undefined: the server makes none. */
  readonly backups: BackupConfig | undefined;
}

/**
 * What the settings say of it.
 * @param postgres the address of the database, where it is on a server
 * @throws ConfigError for a place that may not be told, or a folder that backups may not go to
 */
export function upkeepOf(
  value: z.output<z.ZodObject<typeof upkeepSettings>> & {
    readonly REELAY_DATA: string;
    readonly REELAY_PRIVATE_HOSTS: readonly string[];
  },
  postgres: string | undefined,
): UpkeepConfig {
  return {
    alerts: alertsOf(value, value.REELAY_PRIVATE_HOSTS),
    backups: backupsOf(value, { data: value.REELAY_DATA, postgres }),
  };
}
