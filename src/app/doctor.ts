import { FULL, makeFolder } from "../common/disk.ts";
import { existsSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Check } from "../seam/surface/runtime.ts";
import { type Config, readConfig } from "./config.ts";
import type { BackupConfig } from "./settings/upkeep.ts";
import { lookAtService, messageOf, reasonOf, ROOM, UNWRITABLE } from "./doctor-service.ts";
import { ConfigError, type SettingMistake } from "../common/config-error.ts";
import { describeFfmpeg, findFfmpeg } from "../infrastructure/media/video/ffmpeg.ts";
import { examineClassifier } from "../domain/policy/classifier/classifier.ts";
import { examineModeration } from "../domain/policy/moderation/doctor.ts";
import { openStore, refuseInside, sandboxFolder } from "./data-folder.ts";
import { examineSandbox } from "./sandbox/folder.ts";
import { hasTestMode, testSettingsOf } from "./test-mode/settings.ts";
import { ReelayError } from "../common/errors.ts";
import { examineSecret } from "./keys/unreadable.ts";
import { ANSWER_MS, responds } from "./places/responding.ts";
import { asStorageError, isFull } from "../infrastructure/storage/stored-file.ts";
import { damageOf } from "../infrastructure/storage/stored-file.ts";
import { clockBehind } from "../infrastructure/storage/clock.ts";
import { type Database, openDatabase } from "../infrastructure/storage/database.ts";
import { memory } from "../infrastructure/storage/key-value.ts";
import { markOf, refuseBereft, refuseMoved } from "../infrastructure/storage/moving/in-charge.ts";
import { makeLogger } from "../infrastructure/telemetry/telemetry.ts";
import { openVault } from "../infrastructure/vault/open.ts";

/** Beyond this, times in messages and the settling of lost submissions begin to suffer, in milliseconds. */
const CLOCK_TOLERANCE_MS = 60_000;

/** How long a running server may take to say whether it is ready, in milliseconds. */
const SERVER_MS = 5_000;

const readiness = z.object({
  status: z.enum(["ready", "unready"]),
  waiting: z.array(z.string()).optional(),
});

/** The doctor's findings are what it prints. */
const silent = makeLogger({ level: "silent" });

/**
 * Looks at everything that Reelay needs and says what to do about what is missing.
 * @param within how long the data folder may take to answer, in milliseconds
 */
export async function examine(env: NodeJS.ProcessEnv, within = ANSWER_MS): Promise<readonly Check[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    return settingChecks(error);
  }
  const settings = { name: "settings", ok: true, found: "every setting is understood" };
  // Whatever else would be looked at may be in it, too.
  const { data, store, postgres } = config;
  const place = postgres === undefined ? store : data;
  if (!(await responds(place, within))) return [settings, silentStorage(place)];
  const stored =
    postgres === undefined
      ? await storage(config)
      : await (await import("./doctor-postgres.ts")).examineStore({ ...config, postgres });
  const egresses = await (await import("./egress/doctor.ts")).lookAtEgresses(config);
  const answered = egresses.filter(({ check }) => check.ok).map(({ egress }) => egress);
  // As a server does, which passes over what cannot be left by.
  const reaching = answered.length > 0 ? { ...config, egresses: answered } : config;
  return [
    settings,
    ...stored,
    ...(stored.every(({ ok }) => ok)
      ? await (await import("./alerts/disk.ts")).examineDisk(data, config.alerts.diskBytes)
      : []),
    ...(stored.every(({ ok }) => ok) ? await kept(config) : []),
    ...(await (await import("./doctor-files.ts")).examineFiles(config)),
    ...(config.backups ? [await backups(config, config.backups, stored)] : []),
    ...(await runningServer(config, stored)),
    ...(config.alerts.to.length > 0 ? await (await import("./alerts/doctor.ts")).examineAlerts(config) : []),
    ...(await lookAtService(reaching)).map(({ check }) => check),
    ...testSandbox(config),
    ...egresses.map(({ check }) => check),
    ...(stored.every(({ ok }) => ok) ? await (await import("./key-admin.ts")).examineKeys(reaching) : []),
    await ffmpeg(config),
    ...(config.policy.classifier ? [examineClassifier(config.policy.classifier)] : []),
    ...(config.policy.moderation ? [await examineModeration(config.policy.moderation)] : []),
  ];
}

/** What the doctor says of settings that cannot be read. @throws what is no ConfigError */
export function settingChecks(error: unknown): readonly Check[] {
  if (!(error instanceof ConfigError)) throw error;
  return error.mistakes.map(({ setting, found, wanted }) => ({
    name: "settings",
    ok: false,
    found: `${setting}: ${found}`,
    advice: `Set it to ${wanted}, or remove it.`,
  }));
}

async function storage(config: Config): Promise<readonly Check[]> {
  try {
    makeFolder(config.data);
    await access(config.data, constants.W_OK);
    const isNew = !existsSync(config.store);
    refuseBereft(config);
    // What belongs to a database is there without it: jobs that were paid for stood in it.
    if (isNew && existsSync(`${config.store}-wal`))
      return [lostStorage(config, "it is gone, though it was in use")];
    const [damage] = damageOf(config.store);
    if (damage !== undefined) return [lostStorage(config, `it is damaged: ${damage}`)];
    const database = await openDatabase(config.store);
    let behindMs: number;
    try {
      refuseMoved(`sqlite:${config.store}`, await markOf(database));
      await database.check();
      await openVault(config, database, silent);
      behindMs = await clockBehind(database);
    } finally {
      await database.close();
    }
    const { size } = await stat(config.store);
    const found = `${config.store}, ${(size / 1e6).toFixed(1)} MB`;
    return [{ name: "storage", ok: true, found }, ...setBack(behindMs)];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes.map((mistake) => refused("storage", mistake));
    if (isFull(error)) return [fullStorage(config)];
    if (asStorageError(error) !== error) return [lostStorage(config, messageOf(error))];
    if (error instanceof ReelayError && error.code === "storage_down")
      return [lostStorage(config, reasonOf(error))];
    return [
      {
        name: "storage",
        ok: false,
        found: `${config.store}: ${messageOf(error)}`,
        advice: UNWRITABLE,
      },
    ];
  }
}

/**
 * Whether the secret is the one that keys were stored under, whether somebody works on what was asked for, and whether all files are
 * where they are looked for.
 */
async function kept(config: Config): Promise<readonly Check[]> {
  const { examineJobs } = await import("../domain/jobs/submission/doctor.ts");
  const database = await openStore(config);
  try {
    return [
      ...(await examineSecret(config, await openVault(config, database, silent))),
      ...(await examineJobs(database, config.rateWindowMs)),
      ...(await misplaced(database, config)),
    ];
  } finally {
    await database.close();
  }
}

async function misplaced(database: Database, config: Config): Promise<readonly Check[]> {
  const { lastPlace, lookForLoss, openFiles, placeIn, refuseHalfCopied } = await import("./places/files.ts");
  try {
    await refuseHalfCopied(database, config);
    const before = await lastPlace(database);
    if (before === undefined || before === placeIn(config)) return [];
    // What does not open is told of by whoever tries it out.
    const store = await openFiles(config, join(config.data, "scratch")).catch(() => undefined);
    if (!store) return [];
    try {
      await lookForLoss(database, config, store);
      return [];
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map((mistake) => refused("files", mistake));
  }
}

/** Why the last one failed stands in the database. */
async function backups(config: Config, wanted: BackupConfig, stored: readonly Check[]): Promise<Check> {
  try {
    await refuseInside(config.data, wanted);
  } catch (error) {
    const [check] = settingChecks(error);
    if (check) return check;
  }
  const { examineBackups } = await import("./backups/doctor.ts");
  if (!stored.every(({ ok }) => ok)) return examineBackups(wanted);
  const { failureIn } = await import("./backups/state.ts");
  // A server makes none of what is on PostgreSQL.
  const database = await openDatabase(config.store);
  try {
    return await examineBackups(wanted, await failureIn(memory(database, "backups")));
  } finally {
    await database.close();
  }
}

/** What is wrong with the sandbox that test tokens lead to, where the service is a real one. */
function testSandbox(config: Config): Check[] {
  if (config.apiUrl === undefined || !hasTestMode(config)) return [];
  const damage = examineSandbox(sandboxFolder(testSettingsOf(config).data));
  return damage ? [{ ...damage, name: "test tokens" }] : [];
}

/** What a server of these settings says of itself, should one be running: only it knows whether its files are the ones here. */
async function runningServer({ host, port }: Config, stored: readonly Check[]): Promise<Check[]> {
  const address = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host;
  const url = `http://${address.includes(":") ? `[${address}]` : address}:${port}/readyz`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(SERVER_MS) });
    const { status, waiting = [] } = readiness.parse(await answer.json());
    if (status === "ready") return [{ name: "server", ok: true, found: "running and ready" }];
    const found = `running, not ready: ${waiting.join(", ")}`;
    return [{ name: "server", ok: false, found, advice: adviceOn(waiting, stored) }];
  } catch {
    // None is running here, or something else has the port.
    return [];
  }
}

/** What to do about what a server waits for. @param stored what is wrong with the storage that is here */
function adviceOn(waiting: readonly string[], stored: readonly Check[]): string {
  if (waiting.includes("storage"))
    return stored.some(({ ok, advice }) => !ok && advice === ROOM)
      ? ROOM
      : "Its database is not the one that is here, or cannot be written: stop it, put the file back, start it again.";
  return waiting.includes("files")
    ? "It does not reach the place of its files: see that the folder or the bucket of REELAY_FILES is there."
    : "Its log says why.";
}

/** Nothing is wrong with that alone: whether the clock is right now, the service's says. */
function setBack(byMs: number): Check[] {
  if (byMs <= CLOCK_TOLERANCE_MS) return [];
  const minutes = Math.round(byMs / 60_000);
  const found = `set back by ${minutes} min since Reelay last ran; what waits goes on once it starts`;
  return [{ name: "clock", ok: true, found }];
}

function refused(name: string, { found, wanted, setting }: SettingMistake): Check {
  return { name, ok: false, found, advice: `${setting} wants ${wanted}.` };
}

function fullStorage({ store }: Config): Check {
  return { name: "storage", ok: false, found: `${store}: ${FULL}`, advice: ROOM };
}

function silentStorage(place: string): Check {
  const advice = "If it is on a network drive, see that this is there; or set REELAY_DATA to another folder.";
  return { name: "storage", ok: false, found: `${place}: it does not answer`, advice };
}

function lostStorage({ store }: Config, found: string): Check {
  const advice =
    "Stop Reelay, move the data folder away, and go back to the last backup: reelay restore FILE.";
  return { name: "storage", ok: false, found: `${store}: ${found}`, advice };
}

async function ffmpeg(config: Config): Promise<Check> {
  const path = await findFfmpeg(config.ffmpeg);
  const version = path && (await describeFfmpeg(path));
  if (version) return { name: "media", ok: true, found: `${version} (${path})` };
  const advice = "Install ffmpeg, or set REELAY_FFMPEG to its path. The sandbox makes its videos with it.";
  return { name: "media", ok: config.apiUrl !== undefined, found: "no ffmpeg", advice };
}
