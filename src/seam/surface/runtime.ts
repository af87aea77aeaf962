import type { SurfaceConfig } from "../config.ts";
import type { CommandSpec } from "../fields.ts";
import type { AlertDesk } from "../access/alerts.ts";
import type { KeyDesk } from "../access/key-pool.ts";
import type { Operators } from "../access/operators.ts";
import type { PartnerAdmin } from "../access/partners.ts";
import type { SafetyAdmin } from "../access/safety.ts";
import type { Intake, Surface } from "./surface.ts";
import type { UsageQuery, UsageRow } from "../access/usage.ts";
import type { UserId } from "../values.ts";
import type { Webhooks } from "../access/webhooks.ts";

/** One thing that the doctor looked at. */
export interface Check {
  /** What was looked at: `settings`, `storage`, `service`, `key`, `clock`, `media`, ... */
  readonly name: string;
  readonly ok: boolean;
  /** What was found. */
  readonly found: string;
  /** What to do about it, where it is not as it should be. */
  readonly advice?: string;
}

/** A core that works, with the surfaces it was opened for. */
export interface RunningCore {
  readonly intake: Intake;
  /** Whether the service is the built-in sandbox. */
  readonly sandbox: boolean;
  /** Since when the service answers nothing, in milliseconds since 1970; undefined while it does. */
  silentSince(): number | undefined;
  /** Takes over what killed processes left open on these surfaces. Returns how many jobs that were. */
  adopt(): Promise<number>;
  /**
   * Lets nothing more begin, waits for what is under way and closes everything.
   * @param asking what is still being asked of it: waited for, and nothing of that is sent
   */
  stop(asking?: Promise<unknown>): Promise<void>;
}

/** The server as `reelay start` runs it. */
export interface RunningServer {
  /** Where the page is. */
  readonly url: string;
  readonly sandbox: boolean;
  /** Whether its pages can be shown; left out where they can. */
  readonly unbuilt?: boolean;
  /** Resolves when it has stopped, after a signal. */
  readonly stopped: Promise<void>;
}

/** In how many processes Discord runs; `auto`: as Discord recommends. */
export type ShardCount = number | "auto";

/** How a sandbox of its own is run. */
export interface SandboxSettings {
  readonly port: number;
  /** Scales the rate window and the rendering times. */
  readonly timeScale: number;
  /** The share of accepted jobs that fail, 0 to 1. */
  readonly failRate: number;
  /** Makes chance repeatable, and draws what the service's documentation leaves open. */
  readonly seed?: number;
}

/** What the service's documentation leaves open, and how a sandbox answers it. */
interface OpenQuestion {
  readonly name: string;
  /** Of the documentation. */
  readonly section: string;
  readonly answer: string;
  /** Whether it is what a sandbox without a seed answers. */
  readonly usual: boolean;
}

/** A sandbox that runs by itself. */
export interface RunningSandbox {
  /** Its base URL, ending in `/api`; the second host likewise. */
  readonly url: string;
  readonly fullCatalogUrl: string;
  /** By tier. */
  readonly keys: Readonly<Record<string, string>>;
  /** Where faults are ordered. */
  readonly control: string;
  readonly liberties: readonly OpenQuestion[];
  stop(): Promise<void>;
}

/** What a backup holds. */
export interface BackupDone {
  readonly files: number;
  /** Of all together, as they are on the disk. */
  readonly bytes: number;
  /** Whether the secret that encrypts keys is in it, because it is not set by the operator. */
  readonly hasSecret: boolean;
}

/** What came of going back to a backup. */
export interface RestoreDone {
  readonly files: number;
  readonly bytes: number;
  /** Jobs that are not sent any more, because they may have been since. */
  readonly ended: number;
  /** Where files were kept outside of the data folder, which no backup has, where that is not where they are looked for here. */
  readonly filesAt?: string;
}

/** Why there is no backup, or none was gone back to; nothing was changed. */
export interface BackupRefused {
  /**
   * `in_use`: there is a database already; `damaged`: it is no backup, or not whole; `missing`: there is no database yet;
   * `postgres`: it is on a server, which backs it up itself; `inside`: it would be in the next backup; `under_way`: another one is
   * being written there, or put back; `unwritten`: the disk there does not take it; `moved`: everything was moved away from what is in it;
   * `secret_in_use`: another secret is there, which would be overwritten.
   */
  readonly refused:
    | "in_use"
    | "damaged"
    | "missing"
    | "postgres"
    | "inside"
    | "under_way"
    | "unwritten"
    | "moved"
    | "secret_in_use";
  /** What is meant: a folder, or the backup. */
  readonly path: string;
  /** The database that everything was moved to, as it may be shown. */
  readonly place?: string;
}

/** How far a move is. */
export interface MoveProgress {
  /**
   * `copying`: rows are written on the other side; `verifying`: they are read there again; `arrived`: all of them are there, and this
   * side is in charge; `moved`: the other one is.
   */
  readonly step: "copying" | "verifying" | "arrived" | "moved";
  readonly rows: number;
  /** Rows that there are. */
  readonly of: number;
}

/** What came of a move between SQLite and PostgreSQL. */
export interface MoveDone {
  /** Databases, as they may be shown. */
  readonly from: string;
  readonly to: string;
  /** Left out where one that was cut off only had to be finished. */
  readonly rows?: number;
  /** The data folder. */
  readonly data: string;
  /** Whether files are kept in that folder, as before: `REELAY_FILES` names no other place. */
  readonly hasFiles: boolean;
  /** Whether the secret that encrypts keys is in it, because it is not set by the operator. */
  readonly hasSecret: boolean;
}

/** How far the copying of files to another place is. */
export interface FilesProgress {
  /** Files that are there by now. */
  readonly files: number;
  /** What of them was copied this time: the others were there. */
  readonly bytes: number;
}

/** Every file that is kept is in another place, too. */
export interface FilesMoved extends FilesProgress {
  /** Places, as they may be shown. */
  readonly from: string;
  readonly to: string;
  /** Files that are not what their name says, and were left where they are, each by its room and name. */
  readonly damaged: readonly string[];
  /** Nothing was copied: the place is used as it is from now on, with the files that are there. */
  readonly asItIs?: true;
}

/** Why nothing was moved; nothing was changed. */
export interface MoveRefused {
  /**
   * `missing`: there is no database to move; `running`: processes work on it; `not_empty`: something is kept there already; `in_use`:
   * there is another database in the data folder already, or it is open; `moved`: it is not in charge; `no_room`: the disk has too little
   * space; `under_way`: another process moves, or restores.
   */
  readonly refused: "missing" | "running" | "not_empty" | "in_use" | "moved" | "no_room" | "under_way";
  /** What is meant: a folder, or a database as it may be shown. */
  readonly place: string;
  /** Processes. */
  readonly count?: number;
  /** What is wanted. */
  readonly bytes?: number;
}

/** How a process of this very installation is started. */
export interface Launch {
  readonly command: string;
  /** What comes before the command's own name. */
  readonly args: readonly string[];
  readonly data: string;
}

/** What the composition root offers to the command line; each loads what it needs when it is called. */
export interface Runtime {
  /** What can be asked for, known before anything is opened. */
  commands(): Promise<readonly CommandSpec[]>;
  /** Lets `.env` fill in what the environment leaves out. */
  loadEnvironment(): void;
  /** @throws ConfigError */
  config(): Promise<SurfaceConfig>;
  /**
   * Runs the server with every surface that is switched on, until a signal.
   * @param shards Discord runs in processes of its own
   */
  serve(shards?: ShardCount): Promise<RunningServer>;
  /** Runs Discord alone, as one of those processes: until a signal, or the end of the server that started it. */
  shard(): Promise<void>;
  /**
   * Serves one agent by the Model Context Protocol, over this process's standard input and output: until it leaves, or a
   * signal.
   * @throws ConfigError, also without a token that somebody has
   */
  mcp(): Promise<void>;
  /** How another program starts this one, in whichever folder it is: absolute paths, and the data folder that is meant. */
  launch(): Promise<Launch>;
  /**
   * Opens a core for a surface of the caller's own.
   * @param onLeft hears that what is asked of it waits for what a process that is gone left at the service
   */
  openCore(surface: Surface, onLeft?: () => void): Promise<RunningCore>;
  sandbox(settings: SandboxSettings): Promise<RunningSandbox>;
  doctor(): Promise<readonly Check[]>;
  /** Does something about people, or looks at what was decided; while a server runs, too. */
  safety<T>(work: (desk: SafetyAdmin) => Promise<T>): Promise<T>;
  /** Does something about those who run Reelay; while a server runs, too. */
  operators<T>(work: (operators: Operators) => Promise<T>): Promise<T>;
  /** Does something about partners; while a server runs, too. The service is opened only where a key is tried out. */
  partners<T>(work: (partners: PartnerAdmin) => Promise<T>): Promise<T>;
  /** Sums what was made. */
  usage(query: UsageQuery): Promise<readonly UsageRow[]>;
  /**
   * Does something with webhooks. What is to be sent leaves within seconds, where a server runs.
   * @param partner a name or an id; undefined: the operator, whose own address is told of reports
   * @throws ReelayError `partner_unknown`
   */
  webhooks<T>(
    partner: string | undefined,
    work: (webhooks: Webhooks, user: UserId) => Promise<T>,
  ): Promise<T>;
  /** Does something about alerts; what is to be told leaves within seconds, where a server runs. */
  alerts<T>(work: (desk: AlertDesk) => Promise<T>): Promise<T>;
  /** Does something about the keys that pay for those who have connected none; the service is asked only where one is added. */
  keys<T>(work: (desk: KeyDesk) => Promise<T>): Promise<T>;
  /** Writes all that is kept to one new file; while a server runs, too. @throws the signal's reason: then nothing is left of it */
  backUp(to: string, signal: AbortSignal): Promise<BackupDone | BackupRefused>;
  /** Writes the same to a file that goes once it was taken from there. @throws as {@link backUp}; what taking it throws */
  backUpFor(take: (path: string) => Promise<void>, signal: AbortSignal): Promise<BackupDone | BackupRefused>;
  /** Makes the data folder of a backup, where there is none. */
  restore(from: string): Promise<RestoreDone | BackupRefused>;
  /**
   * Moves everything that is kept in the SQLite file to PostgreSQL, or back.
   * @param to the address of a PostgreSQL database; undefined: back from that of the settings
   * @throws ConfigError
   */
  move(to: string | undefined, hear: (progress: MoveProgress) => void): Promise<MoveDone | MoveRefused>;
  /**
   * Copies every file that is kept to another place.
   * @param to as `REELAY_FILES`
   * @throws ConfigError
   */
  moveFiles(to: string, hear: (progress: FilesProgress) => void): Promise<FilesMoved | MoveRefused>;
  /** Encrypts every stored key anew; see docs/operator.md. */
  rotateSecret(): Promise<{ readonly rewritten: number; readonly unreadable: number }>;
  /** What was thrown, as a failure that people know: `storage_down` where it is about the place in which everything is kept. */
  asKnown(error: unknown): Promise<unknown>;
  /** Where people and programs reach the server: one that runs where it listens, else where one would. */
  address(): Promise<string>;
  /**
   * The link that logs a browser in, when the page asks for a login.
   * @param path of the page that is meant, which begins with a slash
   */
  loginLink(path: string): Promise<string>;
}
