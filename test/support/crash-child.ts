import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { PageMessage } from "../../adapters/web/wire.ts";
import type { TracePoint } from "../../src/domain/jobs/trace.ts";
import { temporaryFolder } from "./sandbox.ts";
import { history, post, Refused, uploadFile } from "../adapters/web/support/client.ts";
import { PATIENCE_MS } from "./patience.ts";

const PROGRAM = fileURLToPath(new URL("../../tools/reelay.js", import.meta.url));
const PRELOAD = new URL("crash-preload.ts", import.meta.url).href;

/** Where a child kills itself. */
export interface KillPoint {
  /** `decode`: when a file was handed to one of the processes that look into files. */
  readonly point: TracePoint | "decode";
  /** At which of its occurrences; the first unless given. */
  readonly nth?: number;
  /** How long after it, in milliseconds; at once unless given. */
  readonly laterMs?: number;
  /** SIGKILL unless given; SIGSTOP: until {@link Child.resume}. */
  readonly signal?: "SIGKILL" | "SIGSTOP";
  /** Whether the process that was handed the file meets the same, just before; it alone meets it unless given. */
  readonly together?: boolean;
}

/** Settings of a machine whose clock is another: ahead by so much, in milliseconds, and set ahead by {@link Child.setClock}. */
export const withClock = (aheadMs = 0) => ({
  NODE_OPTIONS: `--import ${new URL("clock-preload.ts", import.meta.url).href}`,
  CLOCK_AHEAD_MS: String(aheadMs),
});

/** What is the same in every run of one installation. */
export interface Home {
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
  /** What starts it, where it is not started by itself: {@link IN_CONTAINER}, {@link onOwnMachine}. */
  readonly within?: readonly string[];
}

/** A numbering of processes of its own, as in a container; only root may have it, and only on Linux. */
export const IN_CONTAINER = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"] as const;

/** Whether that can be had here. */
export const hasContainers = () => canRun(IN_CONTAINER);

/** A start of a machine of its own, as far as the system says which it is; only root may have it, and only on Linux. */
export function onOwnMachine(): readonly string[] {
  const bootId = join(temporaryFolder(), "boot_id");
  writeFileSync(bootId, randomUUID());
  const pretend = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"';
  return ["unshare", "--mount", "sh", "-c", pretend, bootId];
}

/** Whether that can be had here; says so where it cannot. */
export function hasMachines(): boolean {
  const has = canRun(onOwnMachine());
  if (!has)
    process.stderr.write(
      "Machines cannot be told apart here (that takes root on Linux): nodes see each other's processes.\n",
    );
  return has;
}

function canRun([program = "", ...args]: readonly string[]): boolean {
  return spawnSync(program, [...args, "true"]).status === 0;
}

/** What is asked for. */
interface Ask {
  readonly prompt: string;
  readonly photo: Uint8Array<ArrayBuffer>;
  /** Seconds. */
  readonly duration: number;
}

/** Reelay itself, in a process of its own. */
export class Child implements Disposable {
  /** Where its page is; undefined when it ended before it listened. */
  readonly url: Promise<string | undefined>;
  readonly #ended: Promise<NodeJS.Signals | number>;
  readonly #process: ChildProcess;
  readonly #isWithin: boolean;
  #output = "";

  /**
   * @param args of the command line
   * @param killAt where it is to kill itself, if anywhere
   */
  constructor({ data, env, within = [] }: Home, args: readonly string[] = ["start"], killAt?: KillPoint) {
    const others = Object.entries(process.env).filter(([name]) => !name.startsWith("REELAY_"));
    this.#isWithin = within.includes("--fork");
    const [program, ...before] = [...within, process.execPath];
    this.#process = spawn(program, [...before, ...(killAt ? ["--import", PRELOAD] : []), PROGRAM, ...args], {
      // No `.env` of the checkout is to be read.
      cwd: data,
      env: {
        ...Object.fromEntries(others),
        REELAY_PORT: "0",
        REELAY_LOG_LEVEL: "warn",
        ...env,
        REELAY_DATA: data,
        CRASH_AT: JSON.stringify(killAt),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#ended = once(this.#process, "exit").then(([code, signal]) => signal ?? code);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.url = promise;
    const read = (chunk: Buffer) => {
      this.#output += chunk.toString();
      const url = /"event":"started","url":"([^"]+)"/.exec(this.#output)?.[1];
      if (url !== undefined) resolve(url);
    };
    this.#process.stdout?.on("data", read);
    this.#process.stderr?.on("data", read);
    void this.#ended.then(() => resolve(undefined));
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Everything it said, for a failure's message. */
  get output(): string {
    return this.#output;
  }

  /**
   * Asks for a video as the page does. Resolves with whether it was accepted: one that dies first did not say so.
   * @throws Refused
   */
  async ask({ prompt, photo, duration }: Ask): Promise<boolean> {
    const url = await this.url;
    if (url === undefined) return false;
    try {
      const image = await uploadFile(url, "photo.jpg", "image/jpeg", photo);
      const values = { image, prompt, duration };
      const answer = await post(url, "/web/command/video", { values, agreed: ["terms", "consent"] });
      if (!answer.ok) throw new Refused(await answer.text());
      return true;
    } catch (error) {
      // What fetch throws when the connection breaks.
      if (!(error instanceof TypeError)) throw error;
      await this.untilKilled();
      return false;
    }
  }

  /** Everything that the page shows. */
  async conversation(): Promise<readonly PageMessage[]> {
    return history(await this.#listening());
  }

  /** A file that the page shows. */
  async file(id: string): Promise<Buffer> {
    const answer = await fetch(`${await this.#listening()}/web/media/${id}`);
    if (!answer.ok) throw new Error(`No file: ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Presses a button of the page; it may die of that. */
  async press(token: string): Promise<void> {
    await post(await this.#listening(), "/web/act", { token }).catch(() => undefined);
  }

  /** Asks it to stop, as a service manager does. */
  stop(): void {
    this.#signal("SIGTERM");
  }

  /** Stops it where it is, until {@link resume}. */
  pause(): void {
    this.#signal("SIGSTOP");
  }

  /** Whether it has not ended. */
  get isThere(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Whether it stands still; told on Linux alone. */
  get isStopped(): boolean {
    const line = readFileSync(`/proc/${this.#meant()}/stat`, "utf8");
    return line.slice(line.lastIndexOf(")") + 2).startsWith("T");
  }

  /** Lets it go on, with whatever it started. */
  resume(): void {
    for (const pid of [...childrenOf(this.#meant()), this.#meant()]) process.kill(pid, "SIGCONT");
  }

  /** Sets the clock of its machine ten minutes ahead, where it was started {@link withClock}. */
  setClock(): void {
    this.#signal("SIGUSR2");
  }

  /** Kills it from outside, wherever it is. */
  kill(): void {
    this.#process.kill("SIGKILL");
  }

  /** @throws Error when it ends by anything but SIGKILL, or not at all */
  async untilKilled(): Promise<void> {
    const end = await this.ended();
    if (end !== "SIGKILL") throw new Error(`Ended with ${end} instead of SIGKILL:\n${this.#output}`);
  }

  /** The signal or the code that it ends with. */
  async ended(): Promise<NodeJS.Signals | number> {
    const end = await Promise.race([this.#ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
    if (end === undefined) throw new Error(`Did not end:\n${this.#output}`);
    return end;
  }

  [Symbol.dispose](): void {
    this.kill();
  }

  #signal(signal: NodeJS.Signals): void {
    process.kill(this.#meant(), signal);
  }

  /** `unshare` ignores signals and hands none on: in a container it is its only child that is meant. */
  #meant(): number {
    const { pid = 0 } = this.#process;
    return (this.#isWithin ? childrenOf(pid)[0] : undefined) ?? pid;
  }

  async #listening(): Promise<string> {
    const url = await this.url;
    if (url === undefined) throw new Error(`Ended before it listened:\n${this.#output}`);
    return url;
  }
}

/** The processes that a process started and that still run, where the system says; by their numbers. */
function childrenOf(pid: number): readonly number[] {
  const listed = `/proc/${pid}/task/${pid}/children`;
  return existsSync(listed) ? readFileSync(listed, "utf8").trim().split(" ").filter(Boolean).map(Number) : [];
}
